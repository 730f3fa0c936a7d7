"""A request the panel answered: what is shown until the client's own record follows.

The record still says `waiting` for up to 0.6 s, no hook tells of an answer before its
tool has run, and a denial that interrupts fires no hook at all.
"""

from __future__ import annotations

import pytest

from flightdeck.model.lifecycle import Reason, State
from flightdeck.model.session import Status
from flightdeck.model.signal import Kind
from flightdeck.model.witness import DECISION_LAG_S, STANDS_S, unanswered
from tests.factories import a_request, a_session
from tests.model.told import Told, asking, in_a_turn

IDLE = State.IDLE
WORKING = State.WORKING
BLOCKED = State.BLOCKED
DONE = State.DONE
ASKED_AT = Kind.ASKED.value + "@15.0"


def left(told: Told) -> list[str]:
    return [request.request_id for request in told.session.requests]


@pytest.mark.parametrize("moments", [(), (18.01, 18.3, 18.6)])
def test_answered_request_turns_blue_at_once_and_stays_so_while_the_record_lags(
    moments: tuple[float, ...],
) -> None:
    told = asking()
    told.hook(18.0, Kind.DECIDED, request_id=ASKED_AT)
    for now in (18.0, *moments):
        assert told.colour(now) is WORKING
    told.record(18.65, Status.BUSY)
    assert told.settled(18.66) is WORKING
    told.hook(48.0, Kind.TOOL_ENDED)
    assert told.colour(48.0) is WORKING
    told.hook(50.0, Kind.TURN_ENDED)
    told.record(50.02, Status.IDLE)
    assert told.settled(50.03) is DONE


def test_tool_that_ends_before_the_record_has_followed_changes_nothing() -> None:
    told = asking()
    told.hook(18.0, Kind.DECIDED, request_id=ASKED_AT)
    told.hook(18.02, Kind.TOOL_ENDED)
    assert told.colour(18.021) is WORKING
    told.record(18.05, Status.BUSY)
    assert told.settled(18.06) is WORKING


def test_dialog_that_stands_long_after_the_answer_is_amber_again() -> None:
    told = asking()
    told.hook(18.0, Kind.DECIDED, request_id=ASKED_AT)
    assert (told.colour(18.0), told.again) == (WORKING, 18.0 + DECISION_LAG_S)
    assert told.settled(18.0) is BLOCKED


def test_request_that_opens_right_after_the_answer_is_amber() -> None:
    told = asking()
    told.hook(18.0, Kind.DECIDED, request_id=ASKED_AT)
    told.hook(18.02, Kind.ASKED, request_id="next", fingerprint="other")
    assert told.colour(18.021) is BLOCKED  # the record still waits for the first
    told.record(18.025, Status.BUSY)
    told.colour(18.026)
    told.record(18.04, Status.WAITING, Reason.PERMISSION)
    assert told.settled(18.041) is BLOCKED
    assert told.settled(60.0) is BLOCKED
    assert left(told) == ["next"]


def test_dialog_whose_hook_has_not_spoken_yet_is_amber_all_the_same() -> None:
    told = asking()
    told.hook(18.0, Kind.DECIDED, request_id=ASKED_AT)
    told.record(18.038, Status.BUSY)
    assert told.colour(18.04) is WORKING
    told.record(18.082, Status.WAITING, Reason.PERMISSION)
    assert (told.colour(18.083), told.look(18.084).how) == (BLOCKED, "registry")
    told.hook(18.09, Kind.ASKED, request_id="next")
    assert (told.colour(18.091), told.look(18.092).how) == (BLOCKED, "hook")
    assert told.settled(60.0) is BLOCKED


def test_same_call_asked_again_right_after_the_answer_is_a_request_of_its_own() -> None:
    told = asking()
    told.hook(18.0, Kind.DECIDED, request_id=ASKED_AT)
    told.hook(18.1, Kind.ASKED, request_id="again")
    assert (told.colour(18.1), left(told)) == (BLOCKED, ["again"])


def test_request_beside_the_answered_one_still_waits() -> None:
    told = in_a_turn()
    for name in ("a", "b"):
        told.hook(15.0, Kind.ASKED, request_id=name, tool="Read", fingerprint=name, alone=False)
    told.record(15.007, Status.WAITING, Reason.PERMISSION)
    told.hook(18.0, Kind.DECIDED, request_id="a")
    # The record waits for the second all along: it never says busy in between.
    assert told.colour(18.0) is BLOCKED
    told.hook(18.06, Kind.TOOL_ENDED, tool="Read", fingerprint="a", alone=False)
    for now in (18.061, 18.2, 30.0):
        assert (told.settled(now), left(told)) == (BLOCKED, ["b"])
    told.hook(31.0, Kind.DECIDED, request_id="b")
    assert told.colour(31.0) is WORKING
    told.record(31.025, Status.BUSY)
    assert told.settled(31.03) is WORKING


def test_answer_to_a_subagents_request_is_background_work_again() -> None:
    told = in_a_turn()
    told.hook(20.0, Kind.TURN_ENDED, running=True)
    told.hook(25.0, Kind.ASKED, request_id="sub", thread="one")
    told.hook(28.0, Kind.DECIDED, request_id="sub")
    assert told.look(28.0).reason is Reason.BACKGROUND


def test_interrupted_turn_is_idle_at_once_and_stays_so() -> None:
    told = asking()
    told.hook(18.0, Kind.DECIDED, request_id=ASKED_AT, interrupt=True)
    for now in (18.0, 18.03, 18.05):
        assert (told.colour(now), told.look(now).how) == (IDLE, "deck")
    told.record(18.05, Status.IDLE)
    assert told.settled(18.06) is IDLE
    told.hook(30.0, Kind.PROMPTED)
    told.record(30.02, Status.BUSY)
    assert told.settled(30.03) is WORKING


def test_interruption_ends_what_else_its_thread_was_asking_and_no_subagents_request() -> None:
    requests = (
        a_request("a"),
        a_request("b", tool="Read", fingerprint="b"),
        a_request("sub", thread="one"),
    )
    told = Told(a_session(state=WORKING, reason=Reason.TURN, requests=requests))
    told.hook(5.0, Kind.DECIDED, request_id="a", interrupt=True)
    assert left(told) == ["sub"]


def test_interruption_of_a_subagent_leaves_the_turn_of_the_main_thread() -> None:
    requests = (a_request("main"), a_request("sub", thread="one"))
    told = Told(a_session(state=WORKING, reason=Reason.TURN, requests=requests))
    told.hook(5.0, Kind.DECIDED, request_id="sub", interrupt=True)
    assert (left(told), told.session.story.state) == (["main"], WORKING)


@pytest.mark.parametrize("interrupt", [False, True])
def test_answer_to_a_request_that_is_gone_changes_nothing(interrupt: bool) -> None:
    told = asking()
    before = told.session
    told.hook(18.0, Kind.DECIDED, request_id="another", interrupt=interrupt)
    assert told.session == before


def test_answer_is_believed_although_the_clock_was_turned_back() -> None:
    told = asking()
    told.hook(12.0, Kind.DECIDED, request_id=ASKED_AT)
    assert left(told) == []


# What still counts as unanswered; the verdict row shows nothing else.


def test_request_counts_until_a_record_says_it_is_over() -> None:
    told = asking()
    assert unanswered(told.session) == told.session.requests
    told.record(20.0, Status.BUSY)
    assert (unanswered(told.session), len(told.session.requests)) == ((), 1)
    told.record(20.0, Status.IDLE)  # it may be a flicker
    assert len(unanswered(told.session)) == 1
    told.look(20.0 + STANDS_S)
    assert unanswered(told.session) == ()


def test_without_a_record_every_request_counts() -> None:
    requests = (a_request("a"), a_request("b"))
    assert unanswered(a_session(requests=requests)) == requests


def test_what_was_offered_goes_with_the_request() -> None:
    told = in_a_turn()
    told.hook(15.0, Kind.ASKED, tier="high", rule="git/push", suggestions='["offered"]')
    (request,) = told.session.requests
    assert (request.tier, request.rule, request.suggestions) == ("high", "git/push", '["offered"]')
    told.hook(18.0, Kind.DECIDED, request_id=request.request_id)
    assert "offered" not in repr(told.session)
