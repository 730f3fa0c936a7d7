"""A staged verb that reached its session: by its Stop hook, or by a line that woke it."""

from __future__ import annotations

import pytest

from flightdeck.model.lifecycle import Reason, State
from flightdeck.model.session import Status
from flightdeck.model.signal import Kind
from flightdeck.model.transition import apply
from tests.factories import a_request, a_session, a_signal
from tests.model.told import in_a_turn

ONE, OTHER = "0123456789abcdef", "fedcba9876543210"


def test_turn_goes_on_with_a_verb_as_with_a_prompt() -> None:
    told = in_a_turn()
    told.hook(20.0, Kind.DELIVERED)
    assert told.settled(20.1) is State.WORKING
    assert told.session.drained_at == 20.0
    told.hook(30.0, Kind.TURN_ENDED)
    told.record(30.01, Status.IDLE)
    assert told.settled(30.02) is State.DONE


def test_verb_that_arrives_proves_that_no_dialog_is_open() -> None:
    session = apply(a_session(requests=(a_request(),)), a_signal(Kind.DELIVERED))
    assert session.requests == ()


def test_verb_of_a_turn_before_does_not_end_what_came_after_it() -> None:
    session = apply(a_session(state=State.DONE, at=9.0), a_signal(Kind.DELIVERED, 8.0))
    assert (session.story.state, session.drained_at) == (State.DONE, 8.0)


@pytest.mark.parametrize("times", [(8.0, 9.0), (9.0, 8.0)])
def test_last_delivery_is_the_one_that_is_remembered(times: tuple[float, float]) -> None:
    session = a_session()
    for at in times:
        session = apply(session, a_signal(Kind.DELIVERED, at))
    assert session.drained_at == 9.0


def test_prompt_that_names_a_verb_says_that_it_was_heard() -> None:
    session = apply(a_session(), a_signal(Kind.PROMPTED, token=ONE))
    assert (session.heard, session.story.reason) == (ONE, Reason.TURN)


@pytest.mark.parametrize("kind", Kind)
def test_nothing_that_names_no_verb_makes_it_unheard(kind: Kind) -> None:
    session = apply(a_session(heard=ONE), a_signal(kind))
    assert session.heard == ONE


def test_next_verb_that_is_heard_takes_its_place() -> None:
    session = apply(a_session(heard=ONE), a_signal(Kind.PROMPTED, token=OTHER))
    assert session.heard == OTHER


def test_late_prompt_is_heard_as_well() -> None:
    session = apply(a_session(state=State.DONE, at=9.0), a_signal(Kind.PROMPTED, 8.0, token=ONE))
    assert (session.heard, session.story.state) == (ONE, State.DONE)
