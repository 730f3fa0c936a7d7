"""The two forms of a staged verb, and what a screen tells of a line that was typed.

The screens are those of the real client after `LINE` was pasted into it, in the state the
name of the file says; those called `no-…` must be told apart.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from flightdeck.agents.claude_code.prompts import carry_on, token_of, took, wake_line

SCREENS = Path(__file__).parent / "screens"
TOKEN = "0123456789abcdef"
PROMPT_FILE = Path(f"/home/somebody/.fleet/queue/{TOKEN}.md")
LINE = wake_line("TEST", PROMPT_FILE)
READY = sorted(p for p in SCREENS.glob("*.txt") if not p.name.startswith(("no-", "nothing")))
NOT_READY = sorted(p for p in SCREENS.glob("*.txt") if p not in READY)


def test_stop_hook_prints_one_line_that_blocks_with_the_prompt() -> None:
    line = carry_on('Say "so".\nThen stop.')
    assert "\n" not in line
    assert json.loads(line) == {"decision": "block", "reason": 'Say "so".\nThen stop.'}


def test_typed_line_names_the_file_with_a_word_behind_it() -> None:
    assert f"flightdeck TEST: do what @{PROMPT_FILE} says" == LINE


def test_path_with_a_blank_is_quoted() -> None:
    line = wake_line("TEST", Path(f"/a b/{TOKEN}.md"))
    assert line == f'flightdeck TEST: do what @"/a b/{TOKEN}.md" says'
    assert token_of(line) == TOKEN


def test_token_is_that_of_the_line_as_it_is_submitted() -> None:
    assert token_of(f" {LINE}\n") == TOKEN


@pytest.mark.parametrize(
    "prompt", [None, 7, "", "hello", f"more {LINE}", f"{LINE}\nand more", LINE.replace("0", "g")]
)
def test_any_other_prompt_has_no_token(prompt: object) -> None:
    assert token_of(prompt) == ""


@pytest.mark.parametrize("path", READY, ids=lambda path: path.stem)
def test_prompt_with_the_line_in_it_is_seen(path: Path) -> None:
    assert took(path.read_text(encoding="utf-8"), LINE)


@pytest.mark.parametrize("path", NOT_READY, ids=lambda path: path.stem)
def test_screen_that_would_do_something_else_with_it_is_seen(path: Path) -> None:
    assert not took(path.read_text(encoding="utf-8"), LINE)


def test_framed_prompt_is_seen() -> None:
    framed = f"╭────╮\n│ > {LINE[:40]} │\n│   {LINE[40:]} │\n╰────╯\n"
    assert took(framed, LINE)
    assert not took(framed.replace(">", "⌕"), LINE)


def test_line_of_another_token_is_not_ours() -> None:
    screen = (SCREENS / "wide.txt").read_text(encoding="utf-8")
    assert not took(screen, LINE.replace("0123", "3210"))


def test_screen_without_a_box_is_not_ready() -> None:
    assert not took(f"$ {LINE}\n", LINE)
    assert not took("", LINE)
