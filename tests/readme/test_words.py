"""Every word a key can show is explained on the front page.

The words are found where they are said: in the text of the package, as the first thing a
refusal is given, and in the constants that name the rest.
"""

from __future__ import annotations

import ast
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import flightdeck
from flightdeck.model import brakes, hold, row, sending, verbkeys, verdict, waking, wording
from flightdeck.model.teardown import Check
from flightdeck.model.verb import ENTER
from flightdeck.panel import delivering, flashes, typing
from tests.readme import pages
from tests.readme.pages import FRONT

if TYPE_CHECKING:
    from collections.abc import Iterator

PACKAGE = Path(flightdeck.__file__).parent
# What carries a word to a key, or to a terminal in its place.
SAYING = {"Refuse", "Refused", "Gone", "Unavailable", "_refuse"}
# Whoever performs a press: everything else is told by a command, with room for a sentence.
ROOMS = ("model", "panel", "hosts", "store/queue.py", "install/links.py", "commands/demo.py")
# A key shows no more letters; whatever is longer is `see log` there.
LONGEST = flashes._LONGEST
# Where the words of keys have names of their own.
NAMING = (brakes, delivering, flashes, hold, row, sending, typing, verbkeys, verdict, waking)
CONSTANTS = {
    wording.CONFIRM,
    *wording.CHOICES.values(),
    brakes._LINES[0],
    *(told[0] for told in (typing._NO_BOX, typing._SHELL, typing._DRAFT, typing._IN_USE)),
    *("see log", "another queued", "in terminal", "halted"),
}
# Why a verb waits, and that it arrived: a terminal is told in a sentence, a key says `queued` or
# `sent`. An agent that has ended has no verb any more, and a key says nothing.
IN_SENTENCES = {"end of turn", "its dialog", "untracked", "a moment", "delivered", "ended"}
NOT_SHOWN = IN_SENTENCES | {ENTER}


def _named() -> Iterator[str]:
    for module in NAMING:
        for name, value in vars(module).items():
            if name.isupper() and isinstance(value, str) and value not in NOT_SHOWN:
                yield value


def _said() -> Iterator[str]:
    for path in PACKAGE.rglob("*.py"):
        if path.relative_to(PACKAGE).as_posix().startswith(ROOMS):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Call) and node.args and _name(node.func) in SAYING:
                    word = node.args[0]
                    if isinstance(word, ast.Constant) and isinstance(word.value, str):
                        yield word.value


def _name(called: ast.expr) -> str:
    return called.id if isinstance(called, ast.Name) else getattr(called, "attr", "")


FOUND = {*CONSTANTS, *_said(), *_named()}
WORDS = sorted(word for word in FOUND if 0 < len(word) <= LONGEST)


@pytest.mark.parametrize("word", WORDS)
def test_word_a_key_can_show_is_explained(word: str) -> None:
    assert f"`{word}`" in pages.section(FRONT, "The word on the key")


@pytest.mark.parametrize("check", Check)
def test_check_that_refuses_a_teardown_is_named(check: Check) -> None:
    assert f"`{check.value}`" in pages.section(FRONT, "Teardown checks")


def test_words_that_are_explained_are_words_the_program_can_say() -> None:
    cells = pages.rows(FRONT, "The word on the key")
    told = {word for row in cells for word in row[0].split("`")[1::2]}
    sources = "\n".join(path.read_text(encoding="utf-8") for path in PACKAGE.rglob("*.py"))
    examples = {"test queued"}
    assert {word for word in told - examples if f'"{word}' not in sources} == set()


@pytest.mark.parametrize(
    "words",
    [
        "automation permission for iTerm2 is missing",
        "a panel is running already",
        "panel stopped",
        "too many tabs",
        "paused",
        "no rasteriser",
    ],
)
def test_symptom_is_in_the_words_the_program_uses(words: str) -> None:
    everywhere = chain(PACKAGE.rglob("*.py"), (pages.ROOT / "templates").rglob("*.js"))
    assert any(words in path.read_text(encoding="utf-8") for path in everywhere)
    assert words in pages.text_of(FRONT)
