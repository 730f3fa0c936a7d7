"""Every way a turn was seen to go under the real client, told second by second.

Hooks speak late or never, the registry record flips within 7 to 55 ms: what is shown
must be right at every moment between. Times are seconds of a hand-turned clock.
"""

from __future__ import annotations

import pytest

from flightdeck.model.lifecycle import Reason, State
from flightdeck.model.session import Status
from flightdeck.model.signal import Kind
from flightdeck.model.witness import LAG_S, QUEUED_S, STANDS_S
from tests.model.told import Told, in_a_turn

IDLE = State.IDLE
WORKING = State.WORKING
DONE = State.DONE
FAILED = State.FAILED
EMPTY = State.EMPTY


def test_turn_from_prompt_to_green() -> None:
    told = in_a_turn()
    told.hook(20.0, Kind.TURN_ENDED)
    assert told.colour(20.01) is WORKING  # Stop is a hint until the record says so
    told.record(20.055, Status.IDLE)
    shown = told.look(20.06)
    assert (shown.state, shown.since, shown.how, told.again) == (DONE, 20.0, "hook", None)


def test_record_that_is_idle_before_its_stop_is_told_does_not_turn_grey_first() -> None:
    told = in_a_turn()
    told.record(20.0, Status.IDLE)
    assert (told.colour(20.01), told.again) == (WORKING, 20.0 + STANDS_S)
    told.hook(20.05, Kind.TURN_ENDED)
    assert told.settled(20.06) is DONE


@pytest.mark.parametrize("what", ["while streaming", "while a tool runs"])
def test_escape_turns_grey_once_the_idle_has_stood(what: str) -> None:
    told = in_a_turn()
    if what == "while a tool runs":
        told.hook(12.0, Kind.TOOL_STARTED)
    told.record(20.0, Status.IDLE)
    assert (told.colour(20.001), told.again) == (WORKING, 20.0 + STANDS_S)
    shown = told.look(20.0 + STANDS_S)
    assert (shown.state, shown.since, shown.how, told.again) == (IDLE, 20.0, "registry", None)


def test_background_agent_ends_and_wakes_its_session() -> None:
    told = in_a_turn()
    told.hook(20.0, Kind.TURN_ENDED, running=True)
    told.hook(30.0, Kind.SUBAGENT_ENDED, thread="sub")
    assert told.colour(30.0) is WORKING
    told.hook(30.1, Kind.WOKEN)
    assert told.look(30.1).reason is Reason.TURN
    told.hook(32.0, Kind.TURN_ENDED)
    told.record(32.05, Status.IDLE)
    assert told.settled(32.06) is DONE


def test_background_shell_is_blue_while_it_runs_and_green_once_it_ends() -> None:
    told = in_a_turn()
    told.hook(20.0, Kind.TURN_ENDED, running=True)
    told.record(20.05, Status.SHELL)
    shown = told.look(20.06)
    assert (shown.state, shown.reason, told.again) == (WORKING, Reason.BACKGROUND, None)
    told.record(80.0, Status.IDLE)
    assert (told.colour(80.01), told.again) == (WORKING, 80.0 + STANDS_S)
    assert told.settled(80.01) is DONE


def test_idle_of_twelve_milliseconds_when_a_subagent_ends_changes_nothing() -> None:
    told = in_a_turn()
    told.hook(20.0, Kind.TURN_ENDED, running=True)
    told.record(25.0, Status.IDLE)
    assert told.colour(25.005) is WORKING
    told.record(25.012, Status.BUSY)
    assert (told.colour(25.2), told.session.story.at) == (WORKING, 20.0)


def test_model_error_is_red_until_the_next_prompt() -> None:
    told = in_a_turn()
    told.hook(20.0, Kind.TURN_FAILED, error="rate_limit")
    assert told.colour(20.01) is FAILED  # its record is still busy
    told.record(20.05, Status.IDLE)
    shown = told.look(600.0)
    assert (shown.state, shown.error, shown.since) == (FAILED, "rate_limit", 20.0)
    told.hook(601.0, Kind.PROMPTED)
    assert told.look(601.0).error == ""
    told.record(601.02, Status.BUSY)
    assert told.colour(601.03) is WORKING


def test_compaction_after_an_error_says_what_it_does_and_then_the_error_again() -> None:
    told = in_a_turn()
    told.hook(20.0, Kind.TURN_FAILED, error="rate_limit")
    told.record(20.05, Status.IDLE)
    told.hook(30.0, Kind.COMPACTING)
    told.record(30.01, Status.BUSY)
    shown = told.look(31.0)
    assert (shown.state, shown.reason, shown.error) == (WORKING, Reason.COMPACTING, "")
    told.record(35.0, Status.IDLE)
    told.hook(35.01, Kind.COMPACTED)
    assert (told.settled(35.02), told.look(36.0).error) == (FAILED, "rate_limit")


def test_failed_session_that_runs_on_without_a_prompt_is_blue_and_then_green() -> None:
    told = in_a_turn()
    told.hook(20.0, Kind.TURN_FAILED)
    told.record(20.05, Status.IDLE)
    told.record(21.0, Status.BUSY)  # a queued prompt: its hook came when it was typed
    assert (told.colour(21.01), told.again) == (WORKING, 21.0 + STANDS_S)
    assert told.settled(21.01) is WORKING
    told.hook(25.0, Kind.TURN_ENDED)
    told.record(25.05, Status.IDLE)
    assert told.settled(25.06) is DONE


def test_shell_a_failed_turn_left_running_does_not_hide_the_failure() -> None:
    told = in_a_turn()
    told.hook(20.0, Kind.TURN_FAILED)
    told.record(20.05, Status.SHELL)
    assert told.settled(30.0) is FAILED


def test_clear_keeps_the_session_and_turns_it_grey() -> None:
    told = in_a_turn()
    told.hook(20.0, Kind.TURN_ENDED)
    told.record(20.05, Status.IDLE)
    assert told.colour(21.0) is DONE
    told.hook(30.0, Kind.LEFT)
    assert told.colour(30.05) is IDLE
    told.hook(30.1, Kind.STARTED)
    assert told.settled(30.2) is IDLE


def test_compaction_by_hand_is_blue_and_then_what_it_was() -> None:
    told = in_a_turn()
    told.hook(20.0, Kind.TURN_ENDED)
    told.record(20.05, Status.IDLE)
    told.hook(30.0, Kind.COMPACTING)
    told.record(30.02, Status.BUSY)
    assert (told.colour(34.0), told.look(34.0).reason) == (WORKING, Reason.COMPACTING)
    told.hook(35.0, Kind.COMPACTED)
    told.hook(35.0, Kind.COMPACTED)  # SessionStart and PostCompact both say so
    told.record(35.05, Status.IDLE)
    assert told.settled(35.1) is DONE


def test_compaction_given_up_is_what_it_was_before() -> None:
    told = Told()
    told.hook(1.0, Kind.TURN_ENDED)
    told.hook(30.0, Kind.COMPACTING)
    told.record(32.0, Status.IDLE)
    assert told.settled(32.01) is DONE


def test_turn_interrupted_while_it_compacts_is_grey() -> None:
    told = in_a_turn()
    told.hook(15.0, Kind.COMPACTING)
    told.record(17.0, Status.IDLE)
    assert told.settled(17.01) is IDLE


def test_compaction_in_mid_turn_never_leaves_blue() -> None:
    told = in_a_turn()
    told.hook(15.0, Kind.COMPACTING)
    assert told.colour(15.0) is WORKING
    told.hook(18.0, Kind.COMPACTED)
    assert (told.colour(18.0), told.look(18.0).reason) == (WORKING, Reason.TURN)


def test_resumed_session_is_grey_and_then_blue() -> None:
    told = Told()
    told.hook(5.0, Kind.STARTED)
    told.record(5.2, Status.IDLE)
    assert told.settled(5.3) is IDLE
    told.hook(9.0, Kind.PROMPTED)
    assert told.colour(9.001) is WORKING


def test_stop_another_hook_refuses_never_turns_green() -> None:
    told = in_a_turn()
    told.hook(20.0, Kind.TURN_ENDED)
    for now in (20.01, 21.0, 27.0):
        assert told.colour(now) is WORKING
    told.hook(27.1, Kind.TURN_ENDED)
    told.record(27.15, Status.IDLE)
    assert told.settled(27.16) is DONE


def test_queued_prompt_runs_on_after_the_first_stop() -> None:
    told = in_a_turn()
    told.hook(12.0, Kind.PROMPTED)  # typed while busy: told when it is queued
    told.hook(16.0, Kind.TURN_ENDED)
    told.record(16.05, Status.IDLE)  # for the moment between the two turns
    assert (told.colour(16.06), told.again) == (WORKING, 16.05 + QUEUED_S)
    told.record(16.1, Status.BUSY)
    shown = told.look(16.11)
    assert (shown.state, shown.how) == (WORKING, "registry")
    assert told.settled(16.11) is WORKING
    told.hook(22.0, Kind.TURN_ENDED)
    told.record(22.05, Status.IDLE)
    assert told.settled(22.06) is DONE


def test_prompt_that_joined_the_running_turn_delays_green_by_a_moment() -> None:
    told = in_a_turn()
    told.hook(12.0, Kind.PROMPTED)
    told.hook(16.0, Kind.TURN_ENDED)
    told.record(16.05, Status.IDLE)
    assert told.colour(16.04 + QUEUED_S) is WORKING
    assert told.colour(16.05 + QUEUED_S) is DONE


def test_escape_in_a_turn_no_hook_announced_is_grey_not_the_green_before_it() -> None:
    told = in_a_turn()
    told.hook(16.0, Kind.TURN_ENDED)
    told.record(16.1, Status.BUSY)
    assert told.settled(16.2) is WORKING
    told.record(20.0, Status.IDLE)
    assert told.settled(20.01) is IDLE


def test_reminder_a_minute_after_the_end_leaves_green_as_it_was() -> None:
    told = in_a_turn()
    told.hook(20.0, Kind.TURN_ENDED)
    told.record(20.05, Status.IDLE)
    before = told.look(21.0)
    assert told.look(86.0) == before


def test_session_no_hook_ever_announced_shows_what_its_record_says() -> None:
    told = Told()
    told.record(5.0, Status.IDLE)
    assert told.colour(6.0) is IDLE
    told.record(7.0, Status.BUSY)
    assert (told.colour(7.01), told.look(7.01).how) == (WORKING, "registry")
    told.record(9.0, Status.IDLE)
    assert told.settled(9.01) is IDLE


def test_record_that_disagrees_for_long_is_believed_though_it_is_older() -> None:
    told = Told()
    told.record(9.99, Status.IDLE)
    told.hook(10.0, Kind.PROMPTED)
    assert (told.colour(10.5), told.again) == (WORKING, 10.0 + LAG_S)
    assert told.settled(10.5) is IDLE


def test_busy_record_older_than_the_start_is_believed_only_after_a_while() -> None:
    told = Told()
    told.record(9.9, Status.BUSY)
    told.hook(10.0, Kind.STARTED)
    assert (told.colour(10.1), told.again) == (IDLE, 10.0 + LAG_S)
    assert told.settled(10.1) is WORKING


def test_session_that_left_is_empty_whatever_its_record_still_says() -> None:
    told = in_a_turn()
    told.hook(20.0, Kind.CLOSED)
    for status in Status:
        told.record(20.1, status)
        assert (told.settled(21.0), told.again) == (EMPTY, None)


def test_work_the_registry_knows_nothing_of_is_blue_though_its_record_is_idle() -> None:
    told = in_a_turn()
    told.hook(20.0, Kind.TURN_ENDED, running=True, untold=True)
    told.record(20.05, Status.IDLE)
    assert (told.colour(600.0), told.again) == (WORKING, None)
    told.hook(601.0, Kind.TURN_ENDED)
    assert told.settled(601.1) is DONE
