"""A session has one key from first sight to its end, and nobody else's end moves it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flightdeck.model.slots import assign
from tests.factories import a_session

if TYPE_CHECKING:
    from flightdeck.model.session import Session

EIGHT = range(8)


def seen(key: str, first_seen: float = 0.0, **more: Any) -> Session:
    return a_session(key=key, first_seen=first_seen, **more)


def slots_of(sessions: list[Session]) -> dict[str, int | None]:
    return {session.key: session.slot for session in sessions}


def test_first_seen_gets_the_lowest_slot_whatever_the_order_they_are_told_in() -> None:
    placed = assign([seen("b", 2.0), seen("c", 3.0), seen("a", 1.0)], EIGHT, {})
    assert slots_of(placed) == {"a": 0, "b": 1, "c": 2}


def test_sessions_seen_at_once_are_ordered_by_their_key() -> None:
    assert slots_of(assign([seen("b"), seen("a")], EIGHT, {})) == {"a": 0, "b": 1}


def test_session_keeps_its_slot_when_those_before_it_end() -> None:
    placed = assign([seen("b", slot=1), seen("c", slot=2)], EIGHT, {})
    assert slots_of(placed) == {"b": 1, "c": 2}


def test_next_session_takes_the_slot_that_was_left() -> None:
    placed = assign([seen("a", slot=0), seen("c", slot=2), seen("new", 9.0)], EIGHT, {})
    assert slots_of(placed)["new"] == 1


def test_slots_a_layout_pins_are_given_to_nobody() -> None:
    assert slots_of(assign([seen("a"), seen("b")], [1, 3], {})) == {"a": 1, "b": 3}


def test_session_on_a_slot_that_was_pinned_since_moves_to_a_free_one() -> None:
    placed = assign([seen("a", slot=0), seen("b", slot=1)], [1, 2, 3], {})
    assert slots_of(placed) == {"a": 2, "b": 1}


def test_session_that_finds_no_slot_waits_without_one() -> None:
    placed = assign([seen("a", 1.0), seen("b", 2.0), seen("c", 3.0)], [0, 1], {})
    assert slots_of(placed) == {"a": 0, "b": 1, "c": None}


def test_longest_waiting_session_takes_the_slot_that_is_freed() -> None:
    placed = assign([seen("a", 1.0, slot=0), seen("c", 3.0), seen("b", 2.0)], [0, 1], {})
    assert slots_of(placed) == {"a": 0, "b": 1, "c": None}


def test_session_that_left_gives_its_slot_back_at_once() -> None:
    placed = assign([seen("a", slot=0, closed=True), seen("b", 1.0)], [0], {})
    assert slots_of(placed) == {"a": None, "b": 0}


def test_two_that_claim_one_slot_are_told_apart_by_age() -> None:
    placed = assign([seen("young", 2.0, slot=0), seen("old", 1.0, slot=0)], EIGHT, {})
    assert slots_of(placed) == {"old": 0, "young": 1}


def test_session_whose_record_was_lost_returns_to_the_slot_it_was_shown_on() -> None:
    assert slots_of(assign([seen("a"), seen("b")], EIGHT, {"b": 5})) == {"a": 0, "b": 5}


@pytest.mark.parametrize("gone", [3, 99])
def test_slot_that_is_remembered_but_taken_or_gone_is_not_given(gone: int) -> None:
    placed = assign([seen("a", slot=3), seen("b", 1.0)], [2, 3], {"b": gone})
    assert slots_of(placed) == {"a": 3, "b": 2}


fleets = st.lists(
    st.tuples(st.integers(0, 9), st.one_of(st.none(), st.integers(0, 9)), st.booleans()),
    max_size=12,
)


@given(
    fleets, st.sets(st.integers(0, 9)), st.dictionaries(st.text("0123456789"), st.integers(0, 9))
)
def test_no_slot_is_given_twice_and_none_is_left_while_somebody_waits(
    fleet: list[tuple[int, int | None, bool]], slots: set[int], remembered: dict[str, int]
) -> None:
    sessions = [
        seen(str(index), float(first), slot=slot, closed=closed)
        for index, (first, slot, closed) in enumerate(fleet)
    ]
    placed = assign(sessions, sorted(slots), remembered)
    given_out = [session.slot for session in placed if session.slot is not None]
    live = [session for session in placed if not session.closed]
    assert len(set(given_out)) == len(given_out) == min(len(slots), len(live))
    assert slots_of(assign(placed, sorted(slots), remembered)) == slots_of(placed)
