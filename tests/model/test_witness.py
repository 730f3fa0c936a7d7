"""What one look weighs: which request the registry ends, since when, and when to look again."""

from __future__ import annotations

from dataclasses import replace

import pytest

from flightdeck.model.lifecycle import Reason, State
from flightdeck.model.session import Shown, Status
from flightdeck.model.signal import Kind
from flightdeck.model.witness import ANSWER_LAG_S, CLEARS_S, FAILURE_LAG_S, LAG_S, STANDS_S, weigh
from tests.factories import a_record, a_request, a_session
from tests.model.told import Told, in_a_turn

SUB = a_request("sub", since=10.0, thread="one")
MAIN = a_request("main", since=10.0)


def test_nothing_but_the_hooks_shows_what_they_told() -> None:
    session, again = weigh(a_session(state=State.DONE, at=5.0), 9.0)
    assert (session.shown, again) == (Shown(State.DONE, since=5.0), None)


@pytest.mark.parametrize("status", [Status.BUSY, Status.SHELL, Status.IDLE])
def test_record_that_stopped_waiting_after_the_request_ends_it(status: Status) -> None:
    session = a_session(state=State.WORKING, requests=(MAIN,), record=a_record(status, 12.0))
    assert not weigh(session, 12.0 + STANDS_S)[0].requests


@pytest.mark.parametrize("status", Status)
def test_record_older_than_the_request_says_nothing_of_it(status: Status) -> None:
    session = a_session(state=State.WORKING, requests=(MAIN,), record=a_record(status, 9.0))
    assert weigh(session, 60.0)[0].shown.state is State.BLOCKED


@pytest.mark.parametrize(("confirmed", "left"), [(True, 0), (False, 1)])
def test_busy_record_ends_a_subagents_request_only_once_its_dialog_was_seen(
    confirmed: bool, left: int
) -> None:
    request = replace(SUB, seen_waiting=confirmed)
    session = a_session(requests=(request,), record=a_record(Status.BUSY, 12.0))
    assert len(weigh(session, 13.0)[0].requests) == left


@pytest.mark.parametrize("status", [Status.IDLE, Status.SHELL])
def test_session_that_runs_no_subagent_ends_their_requests(status: Status) -> None:
    session = a_session(requests=(SUB,), record=a_record(status, 12.0))
    assert not weigh(session, 13.0)[0].requests


@pytest.mark.parametrize(
    ("record_at", "now", "seen"),
    [
        (10.0, 10.0, True),
        (9.9, 10.0 + ANSWER_LAG_S - 0.01, False),
        (9.9, 10.0 + ANSWER_LAG_S, True),
    ],
)
def test_dialog_is_seen_when_it_opens_after_the_request_or_stands_beside_it(
    record_at: float, now: float, seen: bool
) -> None:
    session = a_session(requests=(SUB,), record=a_record(Status.WAITING, record_at))
    assert weigh(session, now)[0].requests[0].seen_waiting is seen


def test_oldest_request_says_for_what_and_since_when() -> None:
    plan = a_request("plan", since=8.0, reason=Reason.PLAN)
    shown = weigh(a_session(requests=(MAIN, plan)), 11.0)[0].shown
    assert (shown.reason, shown.since) == (Reason.PLAN, 8.0)


def test_next_request_is_blocked_since_it_was_asked() -> None:
    told = Told()
    told.hook(10.0, Kind.ASKED)
    assert told.look(10.1).since == 10.0
    told.hook(20.0, Kind.TOOL_ENDED)
    told.hook(30.0, Kind.ASKED)
    assert told.look(30.1).since == 30.0


def test_turn_that_ends_between_two_looks_is_done_since_its_own_end() -> None:
    told = Told()
    told.hook(10.0, Kind.TURN_ENDED)
    assert told.look(10.1).since == 10.0
    told.hook(20.0, Kind.PROMPTED)
    told.hook(21.0, Kind.TURN_ENDED)
    assert told.look(21.1).since == 21.0


def test_turn_is_working_since_its_first_word() -> None:
    told = Told()
    told.hook(10.0, Kind.PROMPTED)
    assert told.look(10.1).since == 10.0
    told.hook(12.0, Kind.PROMPTED)
    assert told.look(12.1).since == 10.0


def test_what_was_seen_stays_so_while_the_state_stays() -> None:
    told = Told(a_session(state=State.DONE, seen=True))
    told.colour(9.0)
    assert told.session.seen


def test_what_was_seen_is_unseen_once_the_registry_says_otherwise() -> None:
    told = Told(a_session(state=State.DONE, seen=True))
    told.record(8.0, Status.WAITING)
    told.colour(9.0)
    assert not told.session.seen


def test_second_request_behind_a_seen_one_is_unseen() -> None:
    told = Told()
    told.hook(10.0, Kind.ASKED)
    told.colour(10.1)
    told.session = replace(told.session, seen=True)
    told.hook(11.0, Kind.ASKED, fingerprint="other", request_id="r2")
    told.colour(11.1)
    assert not told.session.seen


@pytest.mark.parametrize(
    ("later", "state"), [(FAILURE_LAG_S, State.FAILED), (FAILURE_LAG_S + 0.1, State.WORKING)]
)
def test_record_of_a_failing_turn_may_trail_its_failure(later: float, state: State) -> None:
    failed = a_session(state=State.FAILED, at=10.0, record=a_record(Status.BUSY, 10.0 + later))
    assert weigh(failed, 20.0)[0].shown.state is state


def test_waiting_record_that_trails_a_tool_result_is_asked_again() -> None:
    told = Told()
    told.hook(9.0, Kind.PROMPTED)
    told.record(10.0, Status.WAITING)
    told.hook(12.0, Kind.TOOL_ENDED)
    assert (told.colour(12.0), told.again) == (State.WORKING, 12.0 + ANSWER_LAG_S)
    assert told.settled(12.0) is State.BLOCKED


def test_stop_under_a_waiting_record_is_not_green_while_it_is_weighed() -> None:
    told = Told()
    told.record(10.0, Status.WAITING)
    told.hook(12.0, Kind.TURN_ENDED)
    assert told.colour(12.0) is State.WORKING


def test_escape_that_leaves_a_shell_running_is_background_and_then_grey() -> None:
    told = Told()
    told.hook(10.0, Kind.PROMPTED)
    told.record(15.0, Status.SHELL)
    assert told.look(15.1).reason is Reason.BACKGROUND
    told.record(30.0, Status.IDLE)
    assert told.settled(30.0) is State.IDLE


@pytest.mark.parametrize("kind", [Kind.LEFT, Kind.STARTED])
def test_client_that_is_busy_with_a_clear_is_not_at_work(kind: Kind) -> None:
    told = in_a_turn()
    told.hook(20.0, kind)
    told.record(20.02, Status.BUSY)
    assert (told.colour(20.03), told.again) == (State.IDLE, 20.02 + STANDS_S)
    told.record(20.11, Status.IDLE)
    assert told.colour(20.12) is State.IDLE


def test_client_that_stays_busy_after_a_clear_is_at_work() -> None:
    told = in_a_turn()
    told.hook(20.0, Kind.LEFT)
    told.record(20.02, Status.BUSY)
    assert told.settled(20.03 + STANDS_S) is State.WORKING


def test_prompt_just_after_a_clear_is_at_work_at_once() -> None:
    told = in_a_turn()
    told.hook(20.0, Kind.STARTED)
    told.hook(20.2, Kind.PROMPTED)
    told.record(20.21, Status.BUSY)
    assert told.colour(20.22) is State.WORKING


def test_client_that_becomes_busy_later_is_at_work_at_once() -> None:
    told = in_a_turn()
    told.hook(20.0, Kind.LEFT)
    told.record(20.0 + CLEARS_S, Status.BUSY)
    assert told.colour(20.01 + CLEARS_S) is State.WORKING


def test_flicker_of_busy_over_green_is_asked_again_before_it_is_written_down() -> None:
    told = Told(a_session(state=State.DONE, at=10.0))
    told.record(12.0, Status.BUSY)
    assert (told.colour(12.01), told.again) == (State.WORKING, 12.0 + STANDS_S)
    told.record(12.05, Status.IDLE)
    assert told.settled(12.06) is State.DONE


def test_clock_that_was_turned_back_does_not_make_every_hook_late() -> None:
    told = Told(a_session(state=State.WORKING, at=5000.0, requests=(a_request(since=5000.0),)))
    assert told.colour(1000.0) is State.BLOCKED
    told.hook(1001.0, Kind.TURN_ENDED)
    assert told.colour(1001.1) is State.DONE


def test_record_from_before_the_clock_was_turned_back_is_believed() -> None:
    told = Told(a_session(state=State.WORKING, at=5000.0))
    told.record(5000.1, Status.IDLE)
    assert told.settled(1000.0) is State.IDLE


def test_time_a_little_ahead_is_left_alone() -> None:
    session = a_session(state=State.WORKING, at=10.0 + LAG_S)
    assert weigh(session, 10.0)[0].story.at == 10.0 + LAG_S


def test_rest_no_hook_ever_told_of_stands_on_the_word_of_the_record() -> None:
    session = a_session(record=a_record(Status.IDLE, at=5.0))
    assert weigh(session, 9.0)[0].shown == Shown(State.IDLE, how="registry", since=5.0)
