"""The state table of README.md as hooks tell it, row by row, then the rules that cut across it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from flightdeck.model.lifecycle import Reason, State
from flightdeck.model.place import Place
from flightdeck.model.settling import TWIN_S
from flightdeck.model.signal import Kind
from flightdeck.model.transition import NUDGE_LAG_S, apply
from tests.factories import a_request, a_session, a_signal, facts

if TYPE_CHECKING:
    from flightdeck.model.session import Session

ANY_STATE = list(State)
NOT_FAILED = [state for state in State if state is not State.FAILED]
NOT_WORKING = [State.IDLE, State.DONE, State.EMPTY]
# Said by no story of their own: they leave the one that stands.
SILENT = [Kind.NUDGED, Kind.SUBAGENT_ENDED, Kind.MOVED, Kind.COMPACTED]


def told(session: Session) -> tuple[State, Reason | None]:
    return session.story.state, session.story.reason


def waiting(session: Session) -> list[str]:
    return [request.request_id for request in session.requests]


@pytest.mark.parametrize("before", ANY_STATE)
@pytest.mark.parametrize(
    ("kind", "after"),
    [
        (Kind.STARTED, (State.IDLE, None)),
        (Kind.PROMPTED, (State.WORKING, Reason.TURN)),
        (Kind.DELIVERED, (State.WORKING, Reason.TURN)),
        (Kind.WOKEN, (State.WORKING, Reason.TURN)),
        (Kind.TURN_FAILED, (State.FAILED, None)),
        (Kind.INTERRUPTED, (State.IDLE, None)),
        (Kind.COMPACTING, (State.WORKING, Reason.COMPACTING)),
        (Kind.LEFT, (State.IDLE, None)),
        (Kind.CLOSED, (State.EMPTY, None)),
        (Kind.TOOL_STARTED, (State.WORKING, Reason.TURN)),
        (Kind.TOOL_ENDED, (State.WORKING, Reason.TURN)),
        (Kind.ANSWERED, (State.WORKING, Reason.TURN)),
    ],
)
def test_signal_alone_decides_the_state(
    before: State, kind: Kind, after: tuple[State, Reason | None]
) -> None:
    assert told(apply(a_session(state=before), a_signal(kind))) == after


@pytest.mark.parametrize("before", ANY_STATE)
@pytest.mark.parametrize("kind", SILENT)
def test_signal_that_tells_no_state_leaves_the_one_that_stands(before: State, kind: Kind) -> None:
    assert apply(a_session(state=before), a_signal(kind)).story == a_session(state=before).story


@pytest.mark.parametrize("before", NOT_FAILED)
@pytest.mark.parametrize(
    ("left", "after"),
    [
        ({}, (State.DONE, None)),
        ({"running": True}, (State.WORKING, Reason.BACKGROUND)),
        ({"untold": True}, (State.WORKING, Reason.BACKGROUND)),
    ],
)
def test_turn_is_done_only_with_nothing_left_running(
    before: State, left: dict[str, bool], after: tuple[State, Reason | None]
) -> None:
    assert told(apply(a_session(state=before), a_signal(Kind.TURN_ENDED, **left))) == after


@pytest.mark.parametrize("left", [{}, {"running": True}])
def test_failure_survives_the_end_of_the_turn(left: dict[str, bool]) -> None:
    failed = apply(a_session(), a_signal(Kind.TURN_FAILED, error="rate_limit"))
    assert apply(failed, a_signal(Kind.TURN_ENDED, 2.0, **left)).story == failed.story


@pytest.mark.parametrize("kind", [Kind.PROMPTED, Kind.STARTED, Kind.ASKED])
def test_failure_ends_with_the_next_prompt_request_or_start(kind: Kind) -> None:
    failed = a_session(state=State.FAILED)
    assert apply(failed, a_signal(kind)).story.state is not State.FAILED


@pytest.mark.parametrize("kind", [Kind.TOOL_STARTED, Kind.TOOL_ENDED, Kind.ASKED])
def test_subagent_that_goes_on_does_not_mend_a_failed_turn(kind: Kind) -> None:
    failed = a_session(state=State.FAILED)
    assert apply(failed, a_signal(kind, thread="sub")).story.state is State.FAILED


def test_failure_carries_the_clients_own_word() -> None:
    assert apply(a_session(), a_signal(Kind.TURN_FAILED, error="overloaded")).story.error == (
        "overloaded"
    )


@pytest.mark.parametrize("kind", [Kind.TOOL_STARTED, Kind.TOOL_ENDED, Kind.ASKED])
@pytest.mark.parametrize("before", NOT_WORKING)
def test_subagent_at_work_is_background_work(before: State, kind: Kind) -> None:
    after = apply(a_session(state=before), a_signal(kind, thread="sub"))
    assert told(after) == (State.WORKING, Reason.BACKGROUND)


@pytest.mark.parametrize("kind", [Kind.TOOL_STARTED, Kind.TOOL_ENDED, Kind.ASKED])
def test_subagent_of_a_running_turn_leaves_the_turn_as_it_is(kind: Kind) -> None:
    turn = a_session(state=State.WORKING, reason=Reason.TURN)
    assert apply(turn, a_signal(kind, thread="sub")).story == turn.story


@pytest.mark.parametrize("kind", [Kind.TOOL_STARTED, Kind.TOOL_ENDED, Kind.ASKED])
def test_turn_does_not_begin_anew_with_each_tool(kind: Kind) -> None:
    turn = a_session(state=State.WORKING, reason=Reason.TURN)
    assert apply(turn, a_signal(kind, 9.0)).story.at == turn.story.at


@pytest.mark.parametrize("kind", [Kind.TOOL_STARTED, Kind.TOOL_ENDED, Kind.ASKED])
def test_main_thread_at_work_says_a_turn_goes_on_over_background_work(kind: Kind) -> None:
    background = a_session(state=State.WORKING, reason=Reason.BACKGROUND)
    assert told(apply(background, a_signal(kind))) == (State.WORKING, Reason.TURN)


@pytest.mark.parametrize(
    ("before", "reason"),
    [(State.WORKING, Reason.TURN), (State.DONE, None), (State.IDLE, None), (State.FAILED, None)],
)
def test_compaction_returns_to_what_it_came_in(before: State, reason: Reason | None) -> None:
    compacting = apply(a_session(state=before, reason=reason), a_signal(Kind.COMPACTING, 1.0))
    twice = apply(compacting, a_signal(Kind.COMPACTING, 2.0))
    assert told(apply(twice, a_signal(Kind.COMPACTED, 3.0))) == (before, reason)


def test_failure_keeps_its_word_through_a_compaction() -> None:
    session = apply(a_session(), a_signal(Kind.TURN_FAILED, 1.0, error="rate_limit"))
    for at, kind in [(2.0, Kind.COMPACTING), (3.0, Kind.COMPACTED)]:
        session = apply(session, a_signal(kind, at))
    assert session.story.error == "rate_limit"


def test_interruption_is_told_by_the_transcript() -> None:
    assert apply(a_session(), a_signal(Kind.INTERRUPTED)).story.how == "transcript"


def test_work_the_registry_may_not_know_of_is_remembered() -> None:
    assert apply(a_session(), a_signal(Kind.TURN_ENDED, untold=True)).story.untold


@pytest.mark.parametrize("kind", [Kind.STARTED, Kind.PROMPTED, Kind.WOKEN, Kind.ASKED])
def test_closed_session_that_speaks_again_is_open(kind: Kind) -> None:
    assert not apply(a_session(state=State.EMPTY), a_signal(kind)).closed


@pytest.mark.parametrize("kind", [Kind.STARTED, Kind.LEFT])
def test_new_conversation_forgets_the_title_of_the_old_one(kind: Kind) -> None:
    assert apply(a_session(title="old"), a_signal(kind)).title == ""


def test_new_conversation_brings_its_own_title() -> None:
    started = a_signal(Kind.STARTED, facts=facts(title="new"))
    assert apply(a_session(title="old"), started).title == "new"


# What hooks say of the session beside what happened.


def test_facts_an_event_does_not_name_stay_as_they_were() -> None:
    before = a_session(session_id="s", cwd="/R", title="t", permission_mode="auto")
    after = apply(before, a_signal(Kind.MOVED))
    assert (after.session_id, after.cwd, after.title, after.permission_mode) == (
        "s",
        "/R",
        "t",
        "auto",
    )


def test_facts_an_event_names_are_taken() -> None:
    place = Place("app", program="xterm")
    named = facts(place, session_id="s2", cwd="/R2", title="t2", entrypoint="cli")
    after = apply(a_session(stale=True), a_signal(Kind.MOVED, facts=named))
    assert (after.session_id, after.cwd, after.title) == ("s2", "/R2", "t2")
    assert (after.place, after.entrypoint, after.stale) == (place, "cli", False)


@pytest.mark.parametrize(("before", "after"), [("/R", "/R"), ("", "/R/.claude/worktrees/agent-1")])
def test_folder_of_a_sub_agent_is_not_where_its_session_is(before: str, after: str) -> None:
    """A sub-agent in a worktree of its own must not rename its session, nor move a rule."""
    elsewhere = facts(cwd="/R/.claude/worktrees/agent-1")
    signal = a_signal(Kind.TOOL_STARTED, facts=elsewhere, thread="agent-1")
    assert apply(a_session(cwd=before), signal).cwd == after


def test_window_found_gone_stays_so_while_the_session_speaks_from_the_same_place() -> None:
    place = Place("app", program="xterm")
    after = apply(a_session(place=place, stale=True), a_signal(Kind.MOVED, facts=facts(place)))
    assert after.stale


def test_first_hook_announces_the_session() -> None:
    assert apply(a_session(), a_signal(Kind.MOVED)).announced


# What an operator has seen is no longer seen once it is something else.


@pytest.mark.parametrize("kind", [Kind.PROMPTED, Kind.TURN_FAILED, Kind.ASKED, Kind.NUDGED])
def test_what_happens_next_has_not_been_seen(kind: Kind) -> None:
    done = a_session(state=State.DONE, seen=True)
    assert not apply(done, a_signal(kind, 60.0)).seen


def test_the_same_end_told_twice_stays_seen() -> None:
    done = a_session(state=State.DONE, seen=True)
    assert apply(done, a_signal(Kind.TURN_ENDED)).seen


# Late and out of order.


@pytest.mark.parametrize("kind", [k for k in Kind if k is not Kind.NUDGED])
def test_signal_that_comes_late_changes_nothing_of_the_story(kind: Kind) -> None:
    session = a_session(state=State.DONE, at=5.0, requests=(a_request(since=4.5, thread="sub"),))
    assert apply(session, a_signal(kind, 4.0)).story == session.story


@pytest.mark.parametrize("kind", [Kind.STARTED, Kind.LEFT, Kind.CLOSED, Kind.TURN_ENDED])
def test_signal_settles_nothing_that_was_asked_after_it(kind: Kind) -> None:
    session = a_session(requests=(a_request(since=2.0),))
    assert waiting(apply(session, a_signal(kind, 1.0))) == ["r1"]


def test_facts_of_an_earlier_conversation_that_come_late_are_dropped() -> None:
    late = a_signal(Kind.TURN_ENDED, 4.0, facts=facts(session_id="old", title="old"))
    after = apply(a_session(at=5.0, session_id="new"), late)
    assert (after.session_id, after.title, after.announced) == ("new", "", True)


def test_request_told_after_the_turn_that_asked_it_has_ended_does_not_wait() -> None:
    assert not waiting(apply(a_session(state=State.DONE, at=5.0), a_signal(Kind.ASKED, 4.0)))


@pytest.mark.parametrize("thread", ["", "sub"])
@pytest.mark.parametrize("kind", [Kind.PROMPTED, Kind.WOKEN, Kind.STARTED, Kind.ASKED])
def test_signal_that_comes_late_does_not_open_a_closed_session(kind: Kind, thread: str) -> None:
    closed = a_session(state=State.EMPTY, at=5.0)
    after = apply(closed, a_signal(kind, 4.0, thread=thread))
    assert (after.closed, waiting(after)) == (True, [])


def test_tool_that_is_told_late_is_not_the_last_one() -> None:
    session = apply(a_session(), a_signal(Kind.TOOL_ENDED, 5.0))
    assert apply(session, a_signal(Kind.TOOL_ENDED, 4.0)).tool_at == 5.0


# Every pair has an answer.


@pytest.mark.parametrize("state", ANY_STATE)
@pytest.mark.parametrize("kind", Kind)
def test_every_pair_of_state_and_signal_has_an_answer(state: State, kind: Kind) -> None:
    assert apply(a_session(state=state), a_signal(kind)).story.state in State


# A reminder of a dialog, which comes six seconds late.


def test_reminder_waits_where_no_request_is_known() -> None:
    session = a_session(state=State.WORKING, at=0.0)
    after = apply(session, a_signal(Kind.NUDGED, 6.4, reason=None))
    assert [(r.reason, r.how) for r in after.requests] == [(Reason.INPUT, "notification")]


def test_reminder_of_a_known_request_adds_none() -> None:
    session = a_session(requests=(a_request(),))
    assert waiting(apply(session, a_signal(Kind.NUDGED, 6.4))) == ["r1"]


@pytest.mark.parametrize("lag", [0.0, NUDGE_LAG_S - 0.1])
def test_reminder_says_nothing_new_to_a_session_seen_at_work_since(lag: float) -> None:
    session = apply(a_session(), a_signal(Kind.TOOL_STARTED, 10.0))
    assert not waiting(apply(session, a_signal(Kind.NUDGED, 10.0 + lag)))


def test_reminder_does_not_open_a_closed_session() -> None:
    assert not waiting(apply(a_session(state=State.EMPTY), a_signal(Kind.NUDGED, 60.0)))


def test_request_takes_the_place_of_the_reminder_that_stood_for_it() -> None:
    reminded = apply(a_session(), a_signal(Kind.NUDGED, 60.0))
    assert waiting(apply(reminded, a_signal(Kind.ASKED, 61.0, request_id="r2"))) == ["r2"]


@pytest.mark.parametrize(("apart", "count"), [(TWIN_S / 2, 1), (TWIN_S * 2, 2)])
def test_same_request_told_twice_at_once_is_one(apart: float, count: int) -> None:
    session = apply(a_session(), a_signal(Kind.ASKED, 1.0))
    assert len(waiting(apply(session, a_signal(Kind.ASKED, 1.0 + apart)))) == count


@pytest.mark.parametrize(("first", "second"), [(False, True), (True, False)])
def test_same_request_whose_hook_does_otherwise_is_another(first: bool, second: bool) -> None:
    session = apply(a_session(), a_signal(Kind.ASKED, 1.0, waits=first))
    session = apply(session, a_signal(Kind.ASKED, 1.01, waits=second))
    assert [request.waits for request in session.requests] == [first, second]


def test_same_request_after_the_hook_of_the_first_has_ended_is_another() -> None:
    session = apply(a_session(), a_signal(Kind.ASKED, 1.0, waits=True))
    ended = replace(session.requests[0], ended=True)
    session = apply(replace(session, requests=(ended,)), a_signal(Kind.ASKED, 1.01, waits=True))
    assert len(waiting(session)) == 2


def test_both_hooks_of_one_request_wait_alike() -> None:
    session = apply(a_session(), a_signal(Kind.ASKED, 1.0, waits=True))
    assert len(waiting(apply(session, a_signal(Kind.ASKED, 1.01, waits=True)))) == 1


def test_same_event_folded_twice_is_one_request() -> None:
    asked = a_signal(Kind.ASKED, 1.0)
    assert len(waiting(apply(apply(a_session(), asked), asked))) == 1
