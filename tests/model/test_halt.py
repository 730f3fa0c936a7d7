"""Esc goes to whoever is at work by a witness of this moment, and to nobody else."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from flightdeck.model import ending, failing
from flightdeck.model.halt import at_work, runs_on, who
from flightdeck.model.lifecycle import Reason, State
from flightdeck.model.place import Place
from flightdeck.model.session import Record, Request, Session, Shown, Status, Story
from flightdeck.model.witness import weigh

BUSY = Record(11, "s", Status.BUSY, at=5.0)
WORKING = Session(
    "11-1",
    "claude-code",
    11,
    story=Story(State.WORKING, Reason.TURN, 5.0),
    shown=Shown(State.WORKING, Reason.TURN, "hook", 5.0),
    record=BUSY,
)

PANE = Place("tmux", tmux_socket="/s", tmux_pane="%1")
WAITING = replace(WORKING, key="12-1", requests=(Request("6-1", Reason.PERMISSION, 6.0),))


def is_at_work(session: Session) -> bool:
    return at_work([session]) == (session,)


def test_busy_session_is_at_work() -> None:
    assert is_at_work(WORKING)


def test_session_without_a_record_is_at_work_if_its_hooks_say_so() -> None:
    assert is_at_work(replace(WORKING, record=None))


@pytest.mark.parametrize("status", [Status.IDLE, Status.SHELL, Status.WAITING])
def test_record_that_is_not_busy_is_believed_over_the_hooks(status: Status) -> None:
    assert not is_at_work(replace(WORKING, record=replace(BUSY, status=status)))


@pytest.mark.parametrize("state", [s for s in State if s is not State.WORKING])
def test_session_that_shows_anything_but_work_is_left_alone(state: State) -> None:
    assert not is_at_work(replace(WORKING, shown=Shown(state)))
    assert not is_at_work(replace(WORKING, shown=Shown(state), record=None))


def test_background_work_alone_is_left_alone() -> None:
    shown = Shown(State.WORKING, Reason.BACKGROUND, "hook", 5.0)
    assert not is_at_work(replace(WORKING, shown=shown))


def test_compaction_is_work() -> None:
    shown = Shown(State.WORKING, Reason.COMPACTING, "hook", 5.0)
    assert is_at_work(replace(WORKING, shown=shown))


@pytest.mark.parametrize("thread", ["", "ag-1"])
def test_session_that_waits_for_an_answer_is_left_alone(thread: str) -> None:
    request = Request("6-1", Reason.PERMISSION, 6.0, thread=thread)
    assert not is_at_work(replace(WORKING, requests=(request,)))


def test_session_whose_dialog_was_answered_in_its_terminal_is_at_work() -> None:
    request = Request("4-1", Reason.PERMISSION, 4.0)
    assert is_at_work(replace(WORKING, requests=(request,)))


def test_session_that_has_ended_is_left_alone() -> None:
    assert not is_at_work(replace(WORKING, closed=True))


def test_hooks_that_say_nothing_of_work_are_not_enough() -> None:
    assert not is_at_work(replace(WORKING, record=None, story=Story(State.DONE, at=6.0)))


@pytest.mark.parametrize(
    "told", [{"entrypoint": "sdk-cli"}, {"record": replace(BUSY, entrypoint="sdk-cli")}]
)
def test_run_without_a_terminal_hears_no_key(told: dict[str, Any]) -> None:
    assert not is_at_work(replace(WORKING, **told))


def test_agents_in_one_window_are_sent_one_esc() -> None:
    outer = replace(WORKING, place=PANE)
    inner, other = replace(outer, key="12-1"), replace(WORKING, key="13-1")
    elsewhere = replace(outer, key="14-1", place=replace(PANE, tmux_pane="%2"))
    assert at_work([outer, inner, other, elsewhere]) == (outer, other, elsewhere)


def test_windows_nobody_can_tell_apart_are_each_named() -> None:
    other = replace(WORKING, key="12-1")
    assert at_work([WORKING, other]) == (WORKING, other)


@pytest.mark.parametrize("first", [True, False])
def test_window_in_which_somebody_waits_is_sent_none(*, first: bool) -> None:
    inner, waiting = replace(WORKING, place=PANE), replace(WAITING, place=PANE)
    both = [waiting, inner] if first else [inner, waiting]
    assert at_work(both) == ()
    assert at_work([replace(waiting, closed=True), inner]) == (inner,)


def test_request_of_a_run_without_a_terminal_is_shown_in_no_window() -> None:
    inner = replace(WAITING, place=PANE, entrypoint="sdk-cli")
    outer = replace(WORKING, place=PANE)
    assert at_work([outer, inner]) == (outer,)


@pytest.mark.parametrize("over", ["a reported failure", "a refused teardown"])
def test_red_over_a_turn_keeps_no_esc_from_it(over: str) -> None:
    red = failing.reported(WORKING, 6.0)
    if over == "a refused teardown":
        red = ending.refused(WORKING, "ahead", "1 commit", 6.0, ended=False)
    red = weigh(red, 7.0)[0]
    assert red.shown.state is State.FAILED
    assert is_at_work(red)
    assert not is_at_work(weigh(replace(red, record=replace(BUSY, status=Status.IDLE)), 60.0)[0])


@pytest.mark.parametrize(
    ("now", "runs"),
    [
        (WORKING, True),
        (replace(WORKING, record=replace(BUSY, status=Status.IDLE)), False),
        (replace(WORKING, record=replace(BUSY, at=6.0)), False),
        (replace(WORKING, record=None), False),
        (None, False),
    ],
    ids=["as it was", "idle", "another turn", "no record", "gone"],
)
def test_turn_runs_on_while_its_record_is_as_it_was(now: Session | None, runs: bool) -> None:
    assert runs_on(now, BUSY) is runs


def test_nobody_can_tell_that_a_turn_runs_on_without_a_record_before() -> None:
    assert not runs_on(WORKING, None)


def test_agent_is_named_by_its_process_and_folder() -> None:
    assert who(replace(WORKING, cwd="/R")) == "process 11 in /R"
