"""What a press does: the key that was pressed and what it showed decide."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from flightdeck.model.effect import Effect, Focus, Open, Refuse, Run, Select
from flightdeck.model.lifecycle import State
from flightdeck.model.place import Place
from flightdeck.model.respond import respond
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

if TYPE_CHECKING:
    from flightdeck.model.deck import Position

PANEL = a_panel()
PLACE = Place("tmux", tmux_socket="/s", tmux_pane="%1")


@pytest.mark.parametrize("state", [state for state in State if state is not State.EMPTY])
def test_press_on_a_session_brings_its_own_window_forward(state: State) -> None:
    fleet = a_fleet(a_view(0, key="a"), a_view(1, key="b", place=PLACE, state=state))
    assert respond(PANEL, fleet, (), Press(SECOND, 0.0)) == [Select("b"), Focus("b", PLACE)]


def test_press_on_an_empty_slot_says_there_is_no_session() -> None:
    assert respond(PANEL, a_fleet(), (), Press(FIRST, 0.0)) == [Refuse("no session")]
    assert respond(PANEL, a_fleet(a_view(state=State.EMPTY)), (), Press(FIRST, 0.0)) == [
        Refuse("no session")
    ]


def test_press_on_a_session_without_a_known_window_says_so() -> None:
    assert respond(PANEL, a_fleet(a_view(place=Place())), (), Press(FIRST, 0.0)) == [
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
    assert respond(PANEL, a_fleet(a_view()), (), Press(position, 0.0)) == effects
