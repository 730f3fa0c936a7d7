"""What a teardown does to a session: who does it, what refused it, and until when that stays."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from flightdeck.model import ending, witness
from flightdeck.model.lifecycle import Reason, State
from flightdeck.model.session import Session, Status, Story, Teardown
from tests.factories import a_record, a_request, a_session

ME = (77, "start")


def claimed(**more: Any) -> Session:
    return ending.claimed(a_session(**more), *ME, 10.0)


def refused(*, ended: bool, **more: Any) -> Session:
    return ending.refused(claimed(**more), "ignored", "a file: .env", 20.0, ended=ended)


def asked() -> Session:
    words = "it was asked to end and still runs"
    return ending.refused(claimed(), "agent", words, 20.0, ended=False, asked=True)


def shown(session: Session, now: float = 100.0) -> tuple[State, str, str]:
    weighed, _ = witness.weigh(session, now)
    return weighed.shown.state, weighed.shown.how, weighed.shown.error


def test_teardown_has_one_doer() -> None:
    session = claimed()
    assert ending.under_way(session)
    assert ending.claimed(session, 88, "other", 11.0) is session


def test_refused_one_can_be_tried_again() -> None:
    session = ending.claimed(refused(ended=True), 88, "other", 30.0)
    assert session.teardown == Teardown(30.0, 88, "other", ended=True)


@pytest.mark.parametrize("state", [State.IDLE, State.WORKING, State.DONE])
def test_key_shows_what_its_agent_does_while_it_is_asked_to_end(state: State) -> None:
    assert shown(claimed(state=state, at=5.0))[0] is state


def test_key_of_an_agent_that_has_ended_is_calm_while_its_worktree_is_looked_at() -> None:
    session = ending.outlived(claimed(state=State.WORKING, at=5.0), 12.0)
    assert session is not None
    assert shown(session) == (State.IDLE, "teardown", "")


@pytest.mark.parametrize("ended", [True, False])
@pytest.mark.parametrize("state", [State.IDLE, State.WORKING, State.DONE, State.FAILED])
def test_refusal_is_red_and_names_its_check(state: State, *, ended: bool) -> None:
    session = refused(ended=ended, state=state, at=5.0)
    assert shown(session) == (State.FAILED, "teardown", "teardown: ignored")
    assert ending.refusal(session) == "ignored: a file: .env"


def test_agent_that_waits_is_amber_before_it_is_red() -> None:
    session = refused(ended=False, requests=(a_request(),))
    assert shown(session)[0] is State.BLOCKED
    assert shown(replace(session, requests=()))[0] is State.FAILED


def test_agent_that_ended_waits_for_nobody() -> None:
    assert shown(refused(ended=True, requests=(a_request(),)))[0] is State.FAILED


@pytest.mark.parametrize(
    ("story", "over"),
    [
        (Story(State.WORKING, Reason.TURN, 21.0), True),
        (Story(State.WORKING, Reason.TURN, 19.0), False),
        (Story(State.WORKING, Reason.BACKGROUND, 21.0), False),
        (Story(State.DONE, at=21.0), False),
    ],
)
def test_turn_that_begins_after_a_refusal_is_the_operators_answer_to_it(
    story: Story, *, over: bool
) -> None:
    session, _ = witness.weigh(replace(refused(ended=False), story=story), 100.0)
    assert (session.teardown is None) == over
    assert (session.shown.state is State.FAILED) != over


def test_idle_record_does_not_overrule_a_refusal() -> None:
    session = refused(ended=False, record=a_record(Status.IDLE, at=50.0))
    assert shown(session)[0] is State.FAILED


def test_nothing_overtakes_the_refusal_of_an_agent_that_has_ended() -> None:
    session = replace(refused(ended=True), story=Story(State.WORKING, Reason.TURN, 21.0))
    assert shown(session)[0] is State.FAILED


def test_reading_it_acknowledges_it() -> None:
    assert ending.acknowledged(refused(ended=False)) == a_session()
    assert ending.acknowledged(refused(ended=True)).closed
    for session in (a_session(), claimed()):
        assert ending.acknowledged(session) is session


@pytest.mark.parametrize(
    ("session", "stays"),
    [
        (a_session(), False),
        (claimed(), True),
        (refused(ended=True), True),
        (refused(ended=False), False),
        (asked(), True),
        (ending.torn_down(claimed()), False),
        (ending.given_up(claimed()), False),
    ],
    ids=[
        "any",
        "under way",
        "refused too late",
        "refused in time",
        "asked to end",
        "torn down",
        "given up",
    ],
)
def test_only_a_teardown_keeps_the_key_of_a_process_that_has_gone(
    session: Session, *, stays: bool
) -> None:
    left = ending.outlived(session, 30.0)
    assert (left is not None) == stays
    assert ending.kept(replace(session, closed=True)).closed != stays
    if left is not None:
        assert ending.outlived(left, 40.0) is left
        assert left.requests == ()


def test_agent_that_ends_long_after_it_was_asked_leaves_its_key_red_until_it_is_read() -> None:
    left = ending.outlived(asked(), 40.0)
    assert left is not None
    assert shown(left) == (State.FAILED, "teardown", "teardown: agent")
    assert ending.acknowledged(left).closed


def test_agent_that_was_asked_to_end_and_works_on_is_red_no_more() -> None:
    session = replace(asked(), story=Story(State.WORKING, Reason.TURN, 21.0))
    assert shown(session)[0] is State.WORKING


def test_session_without_a_teardown_has_no_refusal() -> None:
    assert [ending.refusal(s) for s in (a_session(), claimed())] == ["", ""]


def test_doer_that_ends_over_it_leaves_a_running_agent_alone() -> None:
    assert ending.cut_short(claimed(), 30.0) == a_session()


def test_doer_that_ends_after_the_agent_has_leaves_a_reason() -> None:
    gone = ending.outlived(claimed(), 12.0)
    assert gone is not None
    session = ending.cut_short(gone, 30.0)
    assert shown(session) == (State.FAILED, "teardown", "teardown: cut short")
    assert ending.has_ended(session)
