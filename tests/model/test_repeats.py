"""How often a turn asks for the very same, each time with an id of its own."""

from __future__ import annotations

from typing import Any

import pytest

from flightdeck.model.signal import Kind
from flightdeck.model.tally import MOST
from flightdeck.model.transition import apply
from tests.factories import a_signal
from tests.model.told import Told, in_a_turn


def ask(told: Told, at: float, **call: Any) -> int:
    """Let it ask, be denied, and return how often it did."""
    told.hook(at, Kind.ASKED, **call)
    repeats = told.session.requests[-1].repeats
    told.hook(at + 0.4, Kind.DECIDED, request_id=told.session.requests[-1].request_id)
    return repeats


def test_same_call_is_counted_and_each_has_an_id_of_its_own() -> None:
    told = in_a_turn()
    assert [ask(told, at) for at in (15.0, 16.0, 17.0)] == [1, 2, 3]
    told.hook(18.0, Kind.ASKED)
    (request,) = told.session.requests
    assert (request.repeats, request.request_id) == (4, "asked@18.0")


@pytest.mark.parametrize("other", [{"fingerprint": "x"}, {"tool": "Edit"}, {"thread": "sub"}])
def test_another_call_is_counted_for_itself(other: dict[str, str]) -> None:
    told = in_a_turn()
    assert [ask(told, 15.0), ask(told, 16.0, **other), ask(told, 17.0)] == [1, 1, 2]


@pytest.mark.parametrize("kind", [Kind.PROMPTED, Kind.STARTED])
def test_typed_prompt_and_new_conversation_begin_anew(kind: Kind) -> None:
    told = in_a_turn()
    ask(told, 15.0)
    told.hook(16.0, kind)
    assert ask(told, 17.0) == 1


@pytest.mark.parametrize("kind", [Kind.WOKEN, Kind.COMPACTED, Kind.SUBAGENT_ENDED])
def test_nothing_else_begins_anew(kind: Kind) -> None:
    told = in_a_turn()
    ask(told, 15.0)
    told.hook(16.0, kind)
    assert ask(told, 17.0) == 2


def test_prompt_told_late_does_not_begin_anew() -> None:
    told = in_a_turn()
    ask(told, 15.0)
    told.hook(9.0, Kind.PROMPTED)
    assert ask(told, 17.0) == 2


def test_hook_registered_twice_is_one_request_and_counted_once() -> None:
    told = in_a_turn()
    told.hook(15.0, Kind.ASKED, request_id="one")
    told.hook(15.004, Kind.ASKED, request_id="twin")
    assert [(r.request_id, r.repeats) for r in told.session.requests] == [("one", 1)]
    told.hook(15.4, Kind.DECIDED, request_id="one")
    assert ask(told, 16.0) == 2


def test_request_told_again_after_a_crash_is_not_counted_again() -> None:
    told = in_a_turn()
    first = a_signal(Kind.ASKED, 15.0, request_id="one")
    told.session = apply(told.session, first)
    told.hook(15.4, Kind.DECIDED, request_id="one")
    told.session = apply(told.session, first)
    assert told.session.requests[-1].repeats == 1
    assert ask(told, 16.0) == 2


def test_only_the_latest_calls_are_remembered() -> None:
    told = in_a_turn()
    for n in range(MOST + 4):
        ask(told, 20.0 + n, fingerprint=f"{n}")
    assert len(told.session.tally) == MOST
    assert ask(told, 50.0, fingerprint=f"{MOST + 3}") == 2
    assert ask(told, 51.0, fingerprint="0") == 1
