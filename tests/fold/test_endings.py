"""Teardowns in the fold: a refusal outlives the process, and only what is read goes."""

from __future__ import annotations

import os
from functools import partial
from typing import TYPE_CHECKING

import pytest

from flightdeck.fold.folding import UNTOLD_S
from flightdeck.model import ending
from flightdeck.model.lifecycle import State
from flightdeck.system.process import start_of
from tests.fold.world import pids, view_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from flightdeck.fold.folding import Fold
    from flightdeck.model.session import Session
    from tests.fold.world import Machine


def claim(by: int | None = None) -> Callable[[Session], Session]:
    """Return the fact that this process, or another, tears a session down."""
    by = by or os.getpid()
    return partial(ending.claimed, by=by, started=start_of(by) or "", now=1.0)


def refuse(session: Session) -> Session:
    """Refuse it after its agent has ended."""
    return ending.refused(session, "status", "changed: a.txt", 2.0, ended=True)


def torn(machine: Machine, by: int | None = None) -> tuple[Fold, int]:
    """Return a fold with one session whose agent has ended under a teardown."""
    fold, pid = machine.fold(), machine.agent()
    machine.starts(pid, "s-aaaa")
    machine.step(fold)
    machine.step(fold, amend=claim(by))
    machine.says(pid, "SessionEnd", session_id="s-aaaa", reason="other")
    machine.step(fold)
    machine.kill(pid)
    return fold, pid


def test_key_stays_while_its_session_is_torn_down(machine: Machine) -> None:
    fold, pid = torn(machine)
    view = view_of(machine.step(fold, 10.0), 0)
    assert (view.pid, view.state, view.ending, view.ended) == (pid, State.IDLE, True, True)


def test_no_pass_of_anybody_wipes_a_refusal_whose_agent_has_ended(machine: Machine) -> None:
    fold, pid = torn(machine)
    machine.step(fold, amend=refuse)
    for _ in range(5):
        view = view_of(machine.step(machine.fold(), 60.0), 0)
        assert (view.pid, view.state, view.error) == (pid, State.FAILED, "teardown: status")
        assert (view.refusal, view.ended) == ("status: changed: a.txt", True)


def test_key_of_a_refusal_is_given_to_nobody_else(machine: Machine) -> None:
    fold, pid = torn(machine)
    machine.step(fold, amend=refuse)
    other = machine.agent()
    machine.starts(other, "s-bbbb")
    assert pids(machine.step(fold, 10.0))[:2] == [pid, other]


def test_reading_the_refusal_frees_the_key(machine: Machine) -> None:
    fold, _ = torn(machine)
    machine.step(fold, amend=refuse)
    outcome = machine.step(fold, 0.001, amend=ending.acknowledged)
    assert pids(outcome)[0] == 0
    machine.step(fold, 10.0)
    assert fold.sessions() == []


def test_session_that_is_torn_down_goes_at_once(machine: Machine) -> None:
    fold, _ = torn(machine)
    assert pids(machine.step(fold, 0.001, amend=ending.torn_down))[0] == 0
    machine.step(fold, 10.0)
    assert fold.sessions() == []


def test_doer_that_is_killed_leaves_a_red_key(machine: Machine) -> None:
    doer = machine.agent()
    fold, _ = torn(machine, by=doer)
    assert machine.step(fold).again == pytest.approx(machine.now + UNTOLD_S)
    machine.kill(doer)
    view = view_of(machine.step(fold, 10.0), 0)
    assert (view.state, view.error) == (State.FAILED, "teardown: cut short")


def test_doer_that_is_killed_before_the_agent_ends_leaves_nothing(machine: Machine) -> None:
    fold, pid, doer = machine.fold(), machine.agent(), machine.agent()
    machine.starts(pid, "s-aaaa")
    machine.step(fold)
    machine.step(fold, amend=claim(doer))
    machine.kill(doer)
    view = view_of(machine.step(fold, 10.0), 0)
    assert (view.pid, view.state, view.ending) == (pid, State.IDLE, False)


def test_process_with_the_pid_of_one_that_was_torn_down_is_another_session(
    machine: Machine,
) -> None:
    fold, pid = torn(machine)
    machine.step(fold, amend=refuse)
    machine.records(pid, "s-aaaa")
    view = view_of(machine.step(fold, 10.0), 0)
    assert (view.state, view.session_id) == (State.FAILED, "s-aaaa")


def test_refusal_is_shown_though_its_record_is_torn(machine: Machine) -> None:
    fold, pid = torn(machine)
    machine.step(fold, amend=refuse)
    for path in machine.folder.sessions.glob("*.json"):
        path.write_bytes(b"{")
    view = view_of(machine.step(machine.fold(), 10.0), 0)
    assert (view.pid, view.refusal, view.state) == (pid, "status: changed: a.txt", State.FAILED)
