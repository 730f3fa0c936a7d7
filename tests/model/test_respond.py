"""What a press does: the key that was pressed and what it showed decide."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from flightdeck.model.effect import (
    Answer,
    Effect,
    Focus,
    Open,
    Refuse,
    Run,
    Select,
    SetArm,
)
from flightdeck.model.layout import Timings
from flightdeck.model.lifecycle import State
from flightdeck.model.place import Place
from flightdeck.model.respond import chosen, respond
from flightdeck.model.verdict import Press
from tests.model.panels import (
    BLANK,
    COMMAND,
    FIRST,
    LINK,
    MUSIC,
    PIN,
    SECOND,
    SITE,
    UNBOUND,
    a_fleet,
    a_panel,
    a_view,
)
from tests.model.requests import DENY, KEYS, REMEMBER, STEER, a_row, an_ask

if TYPE_CHECKING:
    from flightdeck.model.deck import Position

PANEL = a_panel()
PLACE = Place("tmux", tmux_socket="/s", tmux_pane="%1")


@pytest.mark.parametrize("state", [state for state in State if state is not State.EMPTY])
def test_press_on_a_session_brings_its_own_window_forward(state: State) -> None:
    fleet = a_fleet(a_view(0, key="a"), a_view(1, key="b", place=PLACE, state=state))
    assert respond(PANEL, fleet, None, (), Press(SECOND, 0.0)) == [Select("b"), Focus("b", PLACE)]


def test_press_on_an_empty_slot_says_there_is_no_session() -> None:
    assert respond(PANEL, a_fleet(), None, (), Press(FIRST, 0.0)) == [Refuse("no session")]
    assert respond(PANEL, a_fleet(a_view(state=State.EMPTY)), None, (), Press(FIRST, 0.0)) == [
        Refuse("no session")
    ]


def test_press_on_a_session_without_a_known_window_says_so() -> None:
    assert respond(PANEL, a_fleet(a_view(place=Place())), None, (), Press(FIRST, 0.0)) == [
        Select("a"),
        Refuse("no window"),
    ]


@pytest.mark.parametrize(
    ("position", "effects"),
    [
        (PIN, [Open(MUSIC)]),
        (LINK, [Open(SITE)]),
        (COMMAND, [Run(("make", "all"))]),
        (BLANK, []),
        (UNBOUND, []),
    ],
)
def test_press_on_a_fixed_key_does_what_the_layout_says(
    position: Position, effects: list[Effect]
) -> None:
    assert respond(PANEL, a_fleet(a_view()), None, (), Press(position, 0.0)) == effects


def test_press_on_a_verdict_key_is_about_the_request_it_was_aimed_at() -> None:
    row, ask = a_row(), an_ask("r7")
    [effect] = respond(row, a_fleet(), ask, (), Press(KEYS[DENY], 0.0))
    assert isinstance(effect, Answer)
    assert effect.request_id == "r7"
    assert respond(row, a_fleet(), None, (), Press(KEYS[STEER], 0.0)) == [Refuse("nothing pending")]


def test_armed_key_stands_for_as_long_as_the_layout_says() -> None:
    row = replace(a_row(), timings=Timings(confirm_ms=4_000))
    [effect] = respond(row, a_fleet(), an_ask(), (), Press(KEYS[REMEMBER], 1.0))
    assert isinstance(effect, SetArm)
    assert effect.arm.until == 5.0


def test_terminal_selects_the_session_in_the_slot_it_names() -> None:
    fleet = a_fleet(a_view(0, key="a"), a_view(1, key="b"))
    assert chosen(fleet, 1, "b") == [Select("b")]


def test_terminal_selects_nobody_in_the_place_of_whom_it_saw() -> None:
    fleet = a_fleet(a_view(0, key="a"), a_view(1, key="b"))
    assert chosen(fleet, 1, "a") == [Refuse("changed")]


@pytest.mark.parametrize("slot", [0, 1, -1])
def test_terminal_selects_nothing_where_nobody_is(slot: int) -> None:
    fleet = a_fleet(a_view(0, state=State.EMPTY, key=""))
    assert chosen(fleet, slot, "a") == [Refuse("no session")]
