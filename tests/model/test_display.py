"""What every key shows, given the layout and the fleet."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from flightdeck.model.display import display
from flightdeck.model.lifecycle import Reason, State
from tests.model.panels import (
    BLANK,
    COMMAND,
    FIRST,
    LINK,
    PIN,
    QUESTION,
    SECOND,
    UNBOUND,
    a_fleet,
    a_panel,
    a_view,
)

if TYPE_CHECKING:
    from flightdeck.model.deck import Position
    from flightdeck.model.keyview import KeyView

PANEL = a_panel()


def first(**more: Any) -> KeyView:
    return display(PANEL, a_fleet(a_view(0, **more)))[FIRST]


def test_every_key_of_the_deck_has_a_view() -> None:
    assert set(display(PANEL, a_fleet())) == {PANEL.grid.position(i) for i in range(9)}


def test_equal_fleets_give_equal_views() -> None:
    assert display(PANEL, a_fleet(a_view())) == display(PANEL, a_fleet(a_view()))


@pytest.mark.parametrize("state", State)
def test_background_and_glyph_are_those_of_the_state(state: State) -> None:
    look, view = PANEL.states[state], first(state=state)
    assert (view.background, view.ink, view.glyph) == (look.colour, look.ink, look.glyph)


def test_what_a_blocked_session_waits_for_may_have_a_mark_of_its_own() -> None:
    assert first(state=State.BLOCKED, reason=Reason.QUESTION).glyph is QUESTION


@pytest.mark.parametrize(
    ("state", "reason"), [(State.BLOCKED, Reason.PERMISSION), (State.WORKING, Reason.QUESTION)]
)
def test_mark_is_for_blocked_sessions_that_have_one_only(state: State, reason: Reason) -> None:
    assert first(state=state, reason=reason).glyph is PANEL.states[state].glyph


def test_slot_without_a_session_is_empty_and_says_so() -> None:
    view = display(PANEL, a_fleet())[FIRST]
    assert (view.background, view.top, view.bottom) == ("#empty", "", "")
    assert view.name == "empty"


def test_label_of_a_session_stands_on_its_key() -> None:
    assert (first().top, first().bottom) == ("app", "main")


@pytest.mark.parametrize("state", [State.BLOCKED, State.DONE, State.FAILED])
def test_what_asks_for_eyes_is_dimmed_once_seen(state: State) -> None:
    assert first(state=state, seen=True).dimmed
    assert not first(state=state).dimmed


@pytest.mark.parametrize("state", [State.WORKING, State.IDLE, State.EMPTY])
def test_what_asks_for_nothing_is_never_dimmed(state: State) -> None:
    assert not first(state=state, seen=True).dimmed


def test_session_whose_window_is_gone_is_marked() -> None:
    assert first(stale=True).stale
    assert first(stale=True).name.endswith(", window gone")


@pytest.mark.parametrize("halted", [False, True])
def test_session_a_verb_waits_for_is_marked_and_says_which(halted: bool) -> None:
    view = display(PANEL, a_fleet(a_view(queued="test"), halted=halted))[FIRST]
    assert view.queued
    assert ", queued test" in view.name
    assert not first().queued


def test_selected_session_has_a_border_and_says_so() -> None:
    assert first(selected=True).selected
    assert ", selected" in first(selected=True).name
    assert not first().selected
    assert not first(selected=True, state=State.EMPTY).selected


def test_session_no_hook_announced_is_marked() -> None:
    assert first(untracked=True).untracked
    assert first(untracked=True).name.endswith(", found in the registry only")


def test_sessions_beyond_the_slots_are_counted_on_the_last_slot_only() -> None:
    shown = display(PANEL, a_fleet(a_view(0), a_view(1), overflow=3, overflow_blocked=1))
    assert (shown[FIRST].count, shown[FIRST].count_ground) == (0, "")
    amber = PANEL.states[State.BLOCKED]
    assert shown[SECOND].count == 3
    assert (shown[SECOND].count_ground, shown[SECOND].count_ink) == (amber.colour, amber.ink)
    assert shown[SECOND].name.endswith(", 3 more not shown, 1 blocked")


def test_count_is_urgent_only_where_one_of_them_is_blocked() -> None:
    shown = display(PANEL, a_fleet(a_view(1), overflow=3))[SECOND]
    assert (shown.count, shown.count_ground, shown.count_ink) == (3, "", "")


@pytest.mark.parametrize(
    ("more", "name"),
    [
        ({"reason": Reason.TURN}, "working, app, main"),
        ({"reason": Reason.BACKGROUND}, "working, background, app, main"),
        ({"state": State.BLOCKED, "reason": Reason.PLAN}, "blocked, plan, app, main"),
        ({"state": State.FAILED, "error": "rate_limit"}, "failed, rate limit, app, main"),
        ({"state": State.DONE, "label": ("app", "")}, "done, app"),
    ],
)
def test_screen_reader_hears_state_then_why_then_who(more: dict[str, Any], name: str) -> None:
    assert first(**more).name == name


@pytest.mark.parametrize(
    ("position", "name", "bottom"),
    [(PIN, "open Music", "Music"), (LINK, "open Site", "Site"), (COMMAND, "run make", "make")],
)
def test_fixed_key_says_what_it_does(position: Position, name: str, bottom: str) -> None:
    view = display(PANEL, a_fleet())[position]
    assert (view.name, view.bottom) == (name, bottom)


def test_fixed_key_looks_like_rest_unless_it_has_a_look_of_its_own() -> None:
    shown = display(PANEL, a_fleet())
    assert (shown[COMMAND].background, shown[COMMAND].ink) == ("#rest", "#quiet")
    assert (shown[LINK].background, shown[LINK].ink) == ("#123456", "#654321")


@pytest.mark.parametrize("position", [BLANK, UNBOUND])
def test_key_without_a_purpose_is_black_and_says_nothing(position: Position) -> None:
    view = display(PANEL, a_fleet())[position]
    assert (view.background, view.bottom, view.name) == ("#empty", "", "nothing")


@pytest.mark.parametrize("position", [FIRST, SECOND, PIN, LINK, COMMAND, BLANK, UNBOUND])
def test_flash_is_shown_on_the_key_it_belongs_to_only(position: Position) -> None:
    shown = display(PANEL, a_fleet(a_view()), {position: "no window"})
    assert {p for p, view in shown.items() if view.flash == "no window"} == {position}
    assert shown[position].name.endswith(", no window")
