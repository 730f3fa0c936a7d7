"""What may be asked of a running panel, and what it says to anything else."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import pytest

from flightdeck.errors import FlightdeckError, Gone
from flightdeck.model.lifecycle import State
from flightdeck.model.verb import Verb, VerbKind
from flightdeck.panel.presses import Presses
from tests.panel.desk import Desk, a_fleet, a_view, the_layout

if TYPE_CHECKING:
    from collections.abc import Iterator


MIXED = (
    "device: stream-deck-xl\nrows:\n  - fill: slot\n"
    "  - keys:\n      1: open url https://example.org\n      2: run /bin/make test\n"
)


@pytest.fixture
def desk() -> Iterator[Desk]:
    desk = Desk(the_layout(MIXED))
    desk.begin(a_view(0))
    yield desk
    desk.end()


def no_verb(name: str) -> Verb:
    """Know no verb at all."""
    raise FlightdeckError(f"'{name}' is no steer verb")


def any_verb(name: str) -> Verb:
    """Know every verb."""
    return Verb(name, VerbKind.PROMPT, name.upper(), "do it")


def asked(desk: Desk, request: dict[str, Any]) -> dict[str, Any]:
    return Presses(desk.panel, no_verb, any_verb).answer(request)


def press(row: object, column: object, **more: object) -> dict[str, Any]:
    return {"do": "press", "row": row, "column": column, **more}


@pytest.mark.parametrize(
    ("row", "column", "done"),
    [(1, 1, "session in front (tmux)"), (2, 1, "opened"), (2, 2, "started /bin/make")],
)
def test_answer_says_what_came_of_it(desk: Desk, row: int, column: int, done: str) -> None:
    assert asked(desk, press(row, column)) == {"problem": "", "hint": "", "done": done}


def test_held_key_is_let_go_after_its_time(desk: Desk) -> None:
    assert asked(desk, press(1, 1, hold=0.01))["problem"] == ""


def test_key_that_does_nothing_says_so(desk: Desk) -> None:
    assert asked(desk, press(4, 8)) == {
        "problem": "this key does nothing",
        "hint": "",
        "done": "nothing to do",
    }


def test_host_that_cannot_says_why_and_how_to_mend_it(desk: Desk) -> None:
    desk.world.problem = Gone("the pane is gone", "start the agent again")
    said = asked(desk, press(1, 1))
    assert (said["problem"], said["hint"]) == ("the pane is gone", "start the agent again")


@pytest.mark.parametrize(("row", "column"), [(5, 1), (1, 9), (0, 1), (-1, -1), (99, 99)])
def test_key_the_deck_does_not_have_is_named(desk: Desk, row: int, column: int) -> None:
    said = asked(desk, press(row, column))
    assert said == {
        "problem": f"there is no key {row}.{column}",
        "hint": "the deck has 4 rows of 8 keys",
    }


def test_session_is_selected_that_was_seen_in_the_slot(desk: Desk) -> None:
    assert asked(desk, {"do": "select", "slot": 0, "key": "k0"})["done"] == "selected"
    assert desk.world.selected == ["k0"]


def test_slot_that_has_changed_hands_selects_nobody(desk: Desk) -> None:
    said = asked(desk, {"do": "select", "slot": 0, "key": "was here"})
    assert said["problem"] == "changed"
    desk.settle()
    assert desk.world.selected == []


@pytest.mark.parametrize("key", ["other", ""])
def test_verb_goes_to_nobody_but_whom_the_terminal_saw_selected(desk: Desk, key: str) -> None:
    desk.source.fleet = a_fleet(a_view(0, State.WORKING, selected=True, session_id="s"))
    assert asked(desk, {"do": "send", "verb": "test", "key": key})["problem"] == "changed"
    assert asked(desk, {"do": "send", "verb": "test", "key": "k0"})["problem"] != "changed"
    assert asked(desk, {"do": "send", "verb": "test"})["problem"] != "changed"


@pytest.mark.parametrize(
    "request_",
    [
        {},
        {"do": "fly"},
        {"do": "press"},
        press("a", 1),
        press(None, 1),
        press(math.inf, 1),
        press(math.nan, 1),
        press([], {}),
        press(1, 1, hold="long"),
        press(1, 1, hold=-1),
        press(1, 1, hold=math.nan),
        press(1, 1, hold=math.inf),
        press(1, 1, hold=1e9),
        press(1, 1, hold=None),
        press(1, 1, hold=10**400),
        {"do": "select", "slot": 0},
        {"do": "select", "slot": 0, "key": None},
        {"do": "send", "verb": "test", "key": 7},
    ],
)
def test_anything_else_is_not_known_and_presses_nothing(
    desk: Desk, request_: dict[str, Any]
) -> None:
    assert asked(desk, request_) == {
        "problem": "the panel does not know this request",
        "hint": "same version?",
    }
    desk.settle()
    assert desk.world.done == []
