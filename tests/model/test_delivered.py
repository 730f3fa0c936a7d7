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
    told.hook(20.0, Kind.DELIVERED, token=ONE)
    assert told.settled(20.1) is State.WORKING
    assert told.session.arrived == (ONE,)
    told.hook(30.0, Kind.TURN_ENDED)
    told.record(30.01, Status.IDLE)
    assert told.settled(30.02) is State.DONE


def test_verb_that_arrives_proves_that_no_dialog_is_open() -> None:
    session = apply(a_session(requests=(a_request(),)), a_signal(Kind.DELIVERED))
    assert session.requests == ()


def test_verb_of_a_turn_before_does_not_end_what_came_after_it() -> None:
    session = a_session(state=State.DONE, at=9.0)
    session = apply(session, a_signal(Kind.DELIVERED, 8.0, token=ONE))
    assert (session.story.state, session.arrived) == (State.DONE, (ONE,))


def test_prompt_that_names_a_verb_says_that_it_arrived() -> None:
    session = apply(a_session(), a_signal(Kind.PROMPTED, token=ONE))
    assert (session.arrived, session.story.reason) == ((ONE,), Reason.TURN)


@pytest.mark.parametrize("kind", Kind)
def test_nothing_that_names_no_verb_makes_it_forgotten(kind: Kind) -> None:
    session = apply(a_session(arrived=(ONE,)), a_signal(kind))
    assert session.arrived == (ONE,)


@pytest.mark.parametrize("kind", [Kind.PROMPTED, Kind.DELIVERED])
def test_next_verb_that_arrives_is_remembered_beside_it(kind: Kind) -> None:
    session = apply(a_session(arrived=(ONE,)), a_signal(kind, token=OTHER))
    assert session.arrived == (ONE, OTHER)


def test_verb_that_is_told_of_twice_arrived_once() -> None:
    session = apply(a_session(arrived=(ONE, OTHER)), a_signal(Kind.DELIVERED, token=ONE))
    assert session.arrived == (ONE, OTHER)


def test_verbs_of_long_ago_are_forgotten() -> None:
    session, tokens = a_session(), [f"{number:016x}" for number in range(20)]
    for token in tokens:
        session = apply(session, a_signal(Kind.DELIVERED, token=token))
    assert session.arrived == tuple(tokens[-8:])


def test_late_prompt_is_heard_as_well() -> None:
    session = apply(a_session(state=State.DONE, at=9.0), a_signal(Kind.PROMPTED, 8.0, token=ONE))
    assert (session.arrived, session.story.state) == ((ONE,), State.DONE)
