"""Every way a request was seen to be asked and answered, told second by second.

Hooks speak late or never, the registry record flips within 7 to 55 ms: what is shown
must be right at every moment between. Times are seconds of a hand-turned clock.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from flightdeck.model.lifecycle import Reason, State
from flightdeck.model.session import Status
from flightdeck.model.signal import Kind
from flightdeck.model.witness import ANSWER_LAG_S, STANDS_S
from tests.model.told import Told, asking, in_a_turn

IDLE = State.IDLE
WORKING = State.WORKING
BLOCKED = State.BLOCKED
DONE = State.DONE
EMPTY = State.EMPTY


@pytest.mark.parametrize("answer", ["escape", "no"])
def test_refused_dialog_turns_grey(answer: str) -> None:
    told = asking()
    told.record(20.0, Status.IDLE)
    assert told.colour(20.001) is BLOCKED, answer
    assert told.again is not None
    assert told.settled(20.001) is IDLE
    assert not told.session.requests


def test_yes_in_the_terminal_is_blue_at_once_while_the_tool_runs_for_minutes() -> None:
    told = asking()
    told.record(20.0, Status.BUSY)
    assert (told.colour(20.001), told.again) == (WORKING, 20.0 + STANDS_S)
    assert told.settled(20.001) is WORKING
    assert not told.session.requests
    told.hook(620.0, Kind.TOOL_ENDED)
    assert told.colour(620.0) is WORKING


@pytest.mark.parametrize("reason", [Reason.QUESTION, Reason.PLAN])
def test_question_and_plan_are_blocked_for_their_own_reason_until_answered(reason: Reason) -> None:
    told = asking(tool="AskUserQuestion", reason=reason)
    shown = told.look(15.5)
    assert (shown.reason, shown.since, shown.how) == (reason, 15.0, "hook")
    told.record(20.0, Status.BUSY)
    assert told.colour(20.001) is WORKING
    told.hook(20.1, Kind.TOOL_ENDED, tool="AskUserQuestion", fingerprint="with answers")
    told.hook(25.0, Kind.TURN_ENDED)
    told.record(25.05, Status.IDLE)
    assert told.settled(25.06) is DONE


def test_deck_answer_that_lets_the_turn_go_on_is_blue() -> None:
    told = asking()
    told.record(15.5, Status.BUSY)
    assert told.settled(15.51) is WORKING


def test_permission_held_by_a_hook_while_the_terminal_shows_none_stays_amber() -> None:
    told = in_a_turn()
    told.hook(15.0, Kind.ASKED, thread="sub")
    for now in (15.01, 15.5, 30.0, 120.0):
        assert (told.colour(now), told.again) == (BLOCKED, None)


def test_subagent_asks_while_the_main_thread_has_stopped() -> None:
    told = in_a_turn()
    told.hook(20.0, Kind.TURN_ENDED, running=True)
    assert told.look(20.01).reason is Reason.BACKGROUND
    told.hook(25.0, Kind.ASKED, thread="sub")
    assert told.colour(25.0) is BLOCKED
    told.record(25.02, Status.WAITING, Reason.PERMISSION)
    assert told.colour(25.03) is BLOCKED
    told.record(30.0, Status.BUSY)
    assert (told.colour(30.001), told.look(30.001).reason) == (WORKING, Reason.BACKGROUND)
    assert told.settled(30.001) is WORKING
    assert not told.session.requests


def test_main_thread_stops_while_its_subagent_asks() -> None:
    told = in_a_turn()
    told.hook(15.0, Kind.ASKED, thread="sub")
    told.hook(16.0, Kind.TURN_ENDED, running=True)
    assert told.colour(16.01) is BLOCKED


def test_subagent_killed_without_a_word_asks_no_longer_once_the_session_is_idle() -> None:
    told = in_a_turn()
    told.hook(15.0, Kind.ASKED, thread="sub")
    told.record(20.0, Status.IDLE)
    assert told.colour(20.01) is BLOCKED
    assert told.settled(20.01) is IDLE


def test_idle_flicker_does_not_answer_a_request() -> None:
    told = asking()
    told.record(16.0, Status.IDLE)
    assert told.colour(16.005) is BLOCKED
    told.record(16.012, Status.WAITING, Reason.PERMISSION)
    assert told.settled(16.3) is BLOCKED


def test_servers_question_is_blocked_until_it_is_answered() -> None:
    told = in_a_turn()
    told.hook(15.0, Kind.ASKED, tool="mcp:lab", fingerprint="", alone=False, reason=Reason.INPUT)
    told.record(15.05, Status.WAITING, Reason.INPUT)
    assert (told.colour(15.06), told.look(15.06).reason) == (BLOCKED, Reason.INPUT)
    told.hook(20.0, Kind.ANSWERED, tool="mcp:lab")
    assert (told.colour(20.0), told.again) == (WORKING, 20.0 + ANSWER_LAG_S)
    told.record(20.03, Status.BUSY)
    assert told.settled(20.04) is WORKING


def test_answer_to_one_of_two_requests_leaves_the_other_amber() -> None:
    told = in_a_turn()
    for name in ("a", "b"):
        told.hook(15.0, Kind.ASKED, request_id=name, tool="Read", fingerprint=name, alone=False)
    told.record(15.007, Status.WAITING, Reason.PERMISSION)
    assert told.colour(15.01) is BLOCKED
    told.hook(18.0, Kind.TOOL_ENDED, tool="Read", fingerprint="a", alone=False)
    shown = told.look(18.01)
    assert (shown.state, [r.request_id for r in told.session.requests]) == (BLOCKED, ["b"])


def test_record_that_is_busy_between_two_dialogs_does_not_drop_the_second() -> None:
    told = asking()
    told.hook(15.2, Kind.ASKED, request_id="second", fingerprint="other")
    told.record(18.0, Status.BUSY)
    told.colour(18.005)
    told.record(18.01, Status.WAITING, Reason.PERMISSION)
    assert told.settled(18.02) is BLOCKED
    assert told.settled(60.0) is BLOCKED


def test_late_reminder_of_an_answered_dialog_does_not_turn_amber() -> None:
    told = asking()
    told.record(21.39, Status.BUSY)  # answered in the moment the reminder was sent
    assert told.settled(21.4) is WORKING
    told.hook(21.41, Kind.NUDGED)
    assert told.colour(21.42) is WORKING
    assert told.settled(21.42) is WORKING


def test_late_reminder_of_a_refused_dialog_does_not_stay_amber() -> None:
    told = asking()
    told.record(21.39, Status.IDLE)
    told.hook(21.41, Kind.NUDGED)
    assert told.settled(21.42) is IDLE


def test_hooks_registered_twice_tell_one_story() -> None:
    told = Told()
    for at, kind in [(1.0, Kind.STARTED), (10.0, Kind.PROMPTED), (15.0, Kind.ASKED)]:
        told.hook(at, kind)
        told.hook(at + 0.004, kind)
    assert len(told.session.requests) == 1
    for at, kind in [(20.0, Kind.TOOL_ENDED), (25.0, Kind.TURN_ENDED)]:
        told.hook(at, kind)
        told.hook(at + 0.004, kind)
    assert told.settled(25.01) is DONE


def test_client_that_never_asks_hooks_is_amber_from_its_reminder_on() -> None:
    told = Told()
    told.hook(10.0, Kind.PROMPTED)
    told.hook(21.4, Kind.NUDGED)
    assert (told.colour(21.5), told.look(21.5).how) == (BLOCKED, "notification")
    told.hook(30.0, Kind.TOOL_ENDED)
    assert told.colour(30.0) is WORKING


def test_client_that_never_asks_hooks_is_amber_at_once_where_it_keeps_a_record() -> None:
    told = in_a_turn()
    told.record(15.0, Status.WAITING, Reason.PERMISSION)
    shown = told.look(15.01)
    assert (shown.state, shown.reason, shown.how) == (BLOCKED, Reason.PERMISSION, "registry")


def test_without_a_registry_hooks_alone_tell_the_turn() -> None:
    told = Told()
    seen = []
    for at, kind in [
        (1.0, Kind.STARTED),
        (2.0, Kind.PROMPTED),
        (3.0, Kind.ASKED),
        (4.0, Kind.TOOL_ENDED),
        (5.0, Kind.TURN_ENDED),
        (6.0, Kind.CLOSED),
    ]:
        told.hook(at, kind)
        seen.append(told.colour(at))
        assert told.again is None
    assert seen == [IDLE, WORKING, BLOCKED, WORKING, DONE, EMPTY]


def test_without_a_registry_the_transcript_ends_an_interrupted_turn() -> None:
    told = Told()
    told.hook(2.0, Kind.PROMPTED)
    told.hook(3.0, Kind.ASKED)
    told.hook(8.0, Kind.INTERRUPTED)
    shown = told.look(8.1)
    assert (shown.state, shown.since, shown.how) == (IDLE, 8.0, "transcript")


# "No" and Esc: the client ends the hook and says idle; both together need not stand.


def ended(told: Told) -> None:
    """Let the hooks of all requests end by themselves."""
    requests = tuple(replace(r, ended=True) for r in told.session.requests)
    told.session = replace(told.session, requests=requests)


def test_idle_is_believed_at_once_where_the_hook_has_ended_with_the_dialog() -> None:
    told = asking()
    ended(told)
    told.record(18.0, Status.IDLE)
    assert told.colour(18.001) is IDLE
    assert not told.session.requests


def test_hook_that_ends_after_the_idle_makes_it_believed_at_once() -> None:
    told = asking()
    told.record(18.0, Status.IDLE)
    assert told.colour(18.001) is BLOCKED
    ended(told)
    assert told.colour(18.02) is IDLE


def test_hook_that_ends_alone_settles_nothing() -> None:
    told = asking()
    ended(told)
    assert told.settled(40.0) is BLOCKED


def test_ended_hook_of_a_subagent_says_nothing_of_the_turn() -> None:
    told = in_a_turn()
    told.hook(15.0, Kind.ASKED, request_id="sub", thread="one")
    ended(told)
    told.record(18.0, Status.IDLE)
    assert told.colour(18.001) is BLOCKED


def test_flicker_that_was_believed_is_mended_by_the_next_record() -> None:
    told = asking()
    ended(told)
    told.record(18.0, Status.IDLE)
    assert told.colour(18.001) is IDLE
    told.record(18.012, Status.BUSY)
    assert told.colour(18.013) is WORKING
