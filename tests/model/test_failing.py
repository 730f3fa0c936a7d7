"""A failure somebody reported: what it shows over, what takes it off and what does not."""

from __future__ import annotations

from dataclasses import replace

import pytest

from flightdeck.model import ending, failing
from flightdeck.model.lifecycle import Reason, State
from flightdeck.model.session import Shown, Status, Story
from flightdeck.model.signal import Kind
from flightdeck.model.transition import apply
from flightdeck.model.witness import LAG_S, weigh
from tests.factories import a_record, a_request, a_session, a_signal
from tests.model.told import Told, in_a_turn

GOES_ON = [Kind.PROMPTED, Kind.DELIVERED, Kind.ASKED, Kind.STARTED]
REST = [kind for kind in Kind if kind not in GOES_ON]


def reported_at(now: float) -> Told:
    """Return a session in a turn since 10.0 whose agent reported a failure at `now`."""
    told = in_a_turn()
    told.session = failing.reported(told.session, now)
    return told


@pytest.mark.parametrize("state", [State.IDLE, State.WORKING, State.DONE])
def test_reported_failure_is_red_over_what_its_witnesses_tell(state: State) -> None:
    session = failing.reported(a_session(state=state, at=5.0), 8.0)
    assert weigh(session, 9.0)[0].shown == Shown(
        State.FAILED, how="reported", since=8.0, error="reported", beneath=(state, None)
    )


def test_red_survives_the_end_of_the_turn() -> None:
    told = reported_at(20.0)
    told.hook(21.0, Kind.TURN_ENDED)
    told.record(21.1, Status.IDLE)
    assert told.settled(30.0) is State.FAILED


@pytest.mark.parametrize("kind", GOES_ON)
def test_operator_who_goes_on_takes_it_off(kind: Kind) -> None:
    session = failing.reported(a_session(state=State.WORKING, at=5.0), 8.0)
    assert not apply(session, a_signal(kind, 8.5)).reported


@pytest.mark.parametrize("kind", REST)
def test_nothing_else_takes_it_off(kind: Kind) -> None:
    session = failing.reported(a_session(state=State.WORKING, at=5.0), 8.0)
    assert apply(session, a_signal(kind, 8.5)).reported == 8.0


@pytest.mark.parametrize("kind", GOES_ON)
def test_what_came_before_it_does_not_take_it_off(kind: Kind) -> None:
    session = failing.reported(a_session(state=State.WORKING, at=5.0), 8.0)
    assert apply(session, a_signal(kind, 7.9)).reported == 8.0


def test_reporting_it_twice_is_the_same_as_once() -> None:
    once = failing.reported(a_session(), 8.0)
    assert failing.reported(once, 9.0) is once


def test_dialog_wins_while_it_waits_and_takes_off_what_was_before_it() -> None:
    told = reported_at(14.0)
    told.hook(15.0, Kind.ASKED)
    assert told.colour(15.1) is State.BLOCKED
    told.hook(16.0, Kind.TOOL_ENDED)
    assert told.colour(16.1) is State.WORKING


def test_dialog_no_hook_tells_of_takes_it_off_too() -> None:
    told = reported_at(14.0)
    told.record(15.0, Status.WAITING, Reason.INPUT)
    assert told.colour(15.1) is State.BLOCKED
    told.record(16.0, Status.BUSY)
    assert told.colour(16.1) is State.WORKING


def test_failure_reported_while_a_dialog_waits_is_red_after_it() -> None:
    told = in_a_turn()
    told.hook(15.0, Kind.ASKED, thread="sub")
    told.session = failing.reported(told.session, 16.0)
    assert told.colour(16.1) is State.BLOCKED
    told.hook(17.0, Kind.TOOL_ENDED, thread="sub")
    assert told.colour(17.1) is State.FAILED


def test_failure_the_client_told_keeps_its_own_word() -> None:
    told = reported_at(20.0)
    told.hook(21.0, Kind.TURN_FAILED, error="rate_limit")
    shown = told.look(21.1)
    assert (shown.how, shown.error) == ("hook", "rate_limit")


def test_key_of_who_said_goodbye_is_dark() -> None:
    told = reported_at(20.0)
    told.hook(21.0, Kind.CLOSED)
    assert told.colour(21.1) is State.EMPTY


def test_refused_teardown_is_told_before_it() -> None:
    session = failing.reported(a_session(state=State.DONE, at=5.0), 8.0)
    session = ending.refused(session, "ahead", "1 commit", 9.0, ended=False)
    assert weigh(session, 9.1)[0].shown.error == "teardown: ahead"


def test_failure_over_a_key_somebody_has_seen_is_not_seen() -> None:
    session = replace(a_session(state=State.DONE, at=5.0), seen=True)
    assert not weigh(failing.reported(session, 8.0), 9.0)[0].seen


def test_clock_that_was_turned_back_keeps_no_prompt_from_taking_it_off() -> None:
    session = failing.reported(a_session(state=State.WORKING, at=5.0), 900.0)
    session = weigh(session, 20.0)[0]
    assert session.reported == 20.0
    assert session.story.at == 5.0
    assert not apply(session, a_signal(Kind.PROMPTED, 20.1)).reported


def test_failure_of_this_moment_stays_as_it_is() -> None:
    session = failing.reported(a_session(state=State.WORKING, at=5.0), 8.0)
    assert weigh(session, 8.0 - LAG_S)[0].reported == 8.0


# Taking it off.


def test_cleared_report_shows_what_the_witnesses_tell() -> None:
    told = reported_at(20.0)
    told.hook(21.0, Kind.TURN_ENDED)
    told.record(21.1, Status.IDLE)
    assert told.settled(22.0) is State.FAILED
    told.session = failing.cleared(told.session)
    assert told.settled(23.0) is State.DONE


def test_cleared_failure_of_the_client_is_idle() -> None:
    session = replace(a_session(), story=Story(State.FAILED, at=5.0, error="rate_limit"))
    shown = weigh(failing.cleared(session), 9.0)[0].shown
    assert (shown.state, shown.how, shown.error) == (State.IDLE, "cleared", "")


def test_cleared_failure_that_is_told_once_more_is_late() -> None:
    failed = a_signal(Kind.TURN_FAILED, 5.0, error="rate_limit")
    session = failing.cleared(apply(a_session(), failed))
    assert apply(session, failed).story.state is State.IDLE


def test_prompt_after_a_cleared_failure_is_not_late() -> None:
    session = failing.cleared(apply(a_session(), a_signal(Kind.TURN_FAILED, 5.0)))
    assert apply(session, a_signal(Kind.PROMPTED, 5.001)).story.state is State.WORKING


def test_failure_compaction_would_come_back_to_is_cleared_as_well() -> None:
    session = apply(a_session(), a_signal(Kind.TURN_FAILED, 5.0, error="rate_limit"))
    session = failing.cleared(apply(session, a_signal(Kind.COMPACTING, 6.0)))
    assert session.story.reason is Reason.COMPACTING
    session = apply(session, a_signal(Kind.COMPACTED, 7.0))
    assert weigh(session, 8.0)[0].shown.state is State.IDLE


def test_refused_teardown_of_who_runs_on_is_cleared() -> None:
    session = ending.refused(a_session(), "ahead", "1 commit", 9.0, ended=False)
    assert failing.stands(session)
    assert failing.cleared(session) == a_session()


def test_refused_teardown_of_who_has_ended_frees_its_key() -> None:
    session = ending.refused(a_session(), "removal", "error", 9.0, ended=True)
    assert failing.cleared(session).closed


@pytest.mark.parametrize(
    "session",
    [
        a_session(state=State.DONE, at=5.0, record=a_record(Status.IDLE, 5.1)),
        a_session(state=State.WORKING, at=5.0, requests=(a_request(),)),
        ending.claimed(a_session(), 77, "1", 5.0),
    ],
    ids=["at rest", "blocked", "being torn down"],
)
def test_nothing_to_clear_changes_nothing(session: object) -> None:
    assert isinstance(session, type(a_session()))
    assert not failing.stands(session)
    assert failing.cleared(session) is session


def test_clearing_it_twice_is_the_same_as_once() -> None:
    session = failing.reported(a_session(state=State.FAILED, at=5.0), 8.0)
    once = failing.cleared(session)
    assert failing.cleared(once) is once
