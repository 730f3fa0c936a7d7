"""What is said of a request fits where it is said, and never tells a tool's input."""

from __future__ import annotations

from typing import Any

import pytest

from flightdeck.model import wording
from flightdeck.model.ask import Grant
from flightdeck.model.lifecycle import Reason
from tests.model.requests import APPROVE, DENY, DETAIL, INTERRUPT, REMEMBER, STEER, an_ask


@pytest.mark.parametrize(
    ("more", "call"),
    [
        ({}, "medium Bash"),
        ({"tier": ""}, "Bash"),
        ({"repeats": 3}, "medium Bash \u00d73"),
        ({"tool": "mcp__github__search"}, "medium search"),
        ({"tool": "mcp__github__create_pull_request"}, "medium create_p\u2026"),
        ({"tool": "NotebookEdit", "repeats": 12}, "medium Note\u2026 \u00d712"),
        ({"tool": "trailing__"}, "medium trailing\u2026"),
        ({"reason": Reason.QUESTION, "tool": "AskUserQuestion"}, "QUESTION"),
        ({"reason": Reason.PLAN, "tool": "ExitPlanMode"}, "PLAN"),
    ],
)
def test_call_is_one_line_of_a_key(more: dict[str, Any], call: str) -> None:
    assert wording.call(an_ask(**more)) == call
    assert len(call) <= wording.LINE_CHARS


@pytest.mark.parametrize("repeats", [1, 9, 10_000, 10**14])
@pytest.mark.parametrize("tool", ["", "x", "x" * 300])
def test_call_fits_however_long_its_parts(repeats: int, tool: str) -> None:
    assert len(wording.call(an_ask(tool=tool, repeats=repeats))) <= wording.LINE_CHARS + 10


@pytest.mark.parametrize(
    ("label", "who"),
    [
        (("webshop", "checkout"), ("webshop", "checkout")),
        (("webshop", ""), ("webshop",)),
        (("", ""), ("claude-code",)),
        (("a" * 17, "b"), ("a" * 15 + "\u2026", "b")),
    ],
)
def test_session_is_named_by_its_label(label: tuple[str, str], who: tuple[str, ...]) -> None:
    assert wording.who(an_ask(label=label)) == who


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        ({}, "Bash (medium) of webshop checkout"),
        ({"tier": "", "tool": ""}, "a call of webshop checkout"),
        ({"repeats": 2}, "Bash (medium) of webshop checkout, asked 2 times"),
        ({"reason": Reason.QUESTION}, "the question of webshop checkout"),
        ({"label": ("", ""), "reason": Reason.PLAN}, "the plan of claude-code"),
    ],
)
def test_request_is_told_in_words(more: dict[str, Any], sentence: str) -> None:
    assert wording.sentence(an_ask(**more)) == sentence


@pytest.mark.parametrize(
    ("binding", "deed"),
    [
        (DETAIL, "look at Bash (medium) of webshop checkout"),
        (APPROVE, "approve Bash (medium) of webshop checkout"),
        (
            REMEMBER,
            "approve Bash (medium) of webshop checkout and write down Bash(make:*) for webshop",
        ),
        (DENY, "deny Bash (medium) of webshop checkout"),
        (INTERRUPT, "deny Bash (medium) of webshop checkout and end its turn"),
        (STEER, "deny Bash (medium) of webshop checkout and say: Dry run"),
    ],
)
def test_deed_says_in_full_what_a_press_does(binding: object, deed: str) -> None:
    assert wording.deed(binding, an_ask()) == deed  # type: ignore[arg-type]


def test_interrupted_plan_is_a_plain_denial() -> None:
    ask = an_ask(reason=Reason.PLAN)
    assert wording.deed(INTERRUPT, ask) == "deny the plan of webshop checkout"


def test_lines_a_key_cannot_show_whole_are_not_legible() -> None:
    assert wording.legible(("x" * 16,) * 5)
    assert not wording.legible(("x" * 17,))
    assert not wording.legible(("x",) * 6)


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("webshop", ["webshop"]),
        ("agent-of-empires-fork", ["agent-of-", "empires-fork"]),
        ("x" * 17, ["x" * 16, "x"]),
    ],
)
def test_long_name_is_broken_and_nothing_of_it_lost(text: str, lines: list[str]) -> None:
    assert wording.whole(text) == lines
    assert "".join(lines) == text


@pytest.mark.parametrize(
    ("lines", "text"),
    [
        (("Bash(git", "status:*)"), "Bash(git status:*)"),
        (("Bash(", "make:*)"), "Bash(make:*)"),
        (("MODE", "plan"), "MODE plan"),
        ((), ""),
    ],
)
def test_rule_broken_into_lines_is_read_as_it_was(lines: tuple[str, ...], text: str) -> None:
    assert wording.joined(lines) == text


def test_nothing_that_is_said_tells_the_suggestion() -> None:
    ask = an_ask(grant=Grant(("Bash(make)",), "app", '[{"secret": 1}]'))
    told = [wording.deed(b, ask) for b in (APPROVE, REMEMBER, DENY)]
    assert "secret" not in "".join([*told, wording.sentence(ask), wording.call(ask)])
