"""Verbs that wait: shown with their session, and gone once they are nobody's."""

from __future__ import annotations

import itertools
import os
from functools import partial
from typing import TYPE_CHECKING

import pytest

from flightdeck.cli import main
from flightdeck.model import ending, failing
from flightdeck.model.lifecycle import State
from flightdeck.model.plan import PanelPlan
from flightdeck.model.staged import Staged
from flightdeck.store import files, queue
from flightdeck.system.process import start_of
from tests.fold.world import view_of

if TYPE_CHECKING:
    from pathlib import Path

    from flightdeck.fold.folding import Fold, Outcome
    from flightdeck.store.paths import StateFolder
    from tests.fold.world import Machine

_tokens = itertools.count(1)


def stage(
    machine: Machine, pid: int, session_id: str = "s-1", verb: str = "test", for_s: float = 0.0
) -> Staged:
    """Put a verb into the queue that expires after `for_s`, or never."""
    until_s = machine.now + for_s if for_s else 0.0
    staged = Staged(verb, f"{next(_tokens):016x}", session_id, pid, machine.now, until_s)
    queue.put(machine.folder, staged, '{"decision": "block"}', "Run the tests.")
    return staged


def an_agent(machine: Machine, plan: PanelPlan | None = None) -> tuple[Fold, int]:
    """Return a fold that knows one session, and its pid."""
    fold, pid = machine.fold(plan), machine.agent()
    machine.starts(pid, "s-1")
    machine.step(fold)
    return fold, pid


def queued(outcome: Outcome, slot: int = 0) -> str:
    return view_of(outcome, slot).queued


def waiting(machine: Machine) -> list[str]:
    """Return what lies in the queue under any name."""
    return sorted(os.listdir(machine.folder.queue))  # noqa: PTH208 - names are all


def test_verb_of_a_conversation_that_moved_to_the_background_is_dropped(machine: Machine) -> None:
    fold, pid = an_agent(machine)
    machine.records(pid, "s-1", "idle")
    stage(machine, pid)
    assert queued(machine.step(fold)) == "test"
    machine.records(pid, "s-1", "idle", parkedJobId="f17e65a5")
    assert (queued(machine.step(fold)), waiting(machine)) == ("", [])


def test_verb_that_waits_shows_at_the_next_look_without_any_event(machine: Machine) -> None:
    fold, pid = an_agent(machine)
    assert queued(machine.step(fold, 0.01)) == ""
    staged = stage(machine, pid)
    outcome = machine.step(fold, 0.01)
    assert (queued(outcome), machine.snapshot()["slots"][0]["queued"]) == ("test", "test")
    assert outcome.fleet.staged == ((fold.sessions()[0].key, staged),)


def test_verb_somebody_took_shows_no_more_at_the_next_look(machine: Machine) -> None:
    fold, pid = an_agent(machine)
    staged = stage(machine, pid)
    machine.step(fold, 0.01)
    assert queue.withdraw(machine.folder, staged)
    outcome = machine.step(fold, 0.01)
    assert (outcome.fleet.staged, queued(outcome)) == ((), "")
    assert machine.snapshot()["slots"][0]["queued"] is None


def test_another_verb_in_its_place_shows_at_the_next_look(machine: Machine) -> None:
    fold, pid = an_agent(machine)
    first = stage(machine, pid)
    machine.step(fold, 0.01)
    assert queue.withdraw(machine.folder, first)
    stage(machine, pid, verb="diff")
    assert queued(machine.step(fold, 0.01)) == "diff"


def test_every_session_has_its_own(machine: Machine) -> None:
    fold, one, other = machine.fold(), machine.agent(), machine.agent()
    machine.starts(one, "s-1")
    machine.starts(other, "s-2")
    machine.step(fold)
    stage(machine, other, "s-2", "diff")
    stage(machine, one, "s-1", "test")
    outcome = machine.step(fold)
    assert [queued(outcome, slot) for slot in (0, 1, 2)] == ["test", "diff", ""]


def test_session_without_a_slot_has_its_verb_too(machine: Machine) -> None:
    fold, pid = an_agent(machine, PanelPlan(slots=()))
    staged = stage(machine, pid)
    assert machine.step(fold).fleet.staged == ((fold.sessions()[0].key, staged),)


def test_verb_outlives_everything_that_leaves_its_session_what_it_is(machine: Machine) -> None:
    fold, pid = an_agent(machine)
    stage(machine, pid)
    machine.says(pid, "UserPromptSubmit", session_id="s-1")
    machine.says(pid, "PermissionRequest", session_id="s-1", tool_name="Bash", tool_input={})
    assert queued(machine.step(fold)) == "test"
    machine.says(pid, "Stop", session_id="s-1")
    assert queued(machine.step(machine.fold(), 3600.0)) == "test"


def test_other_process_under_the_same_id_has_none(machine: Machine) -> None:
    """anthropics/claude-code#39355: a fork goes by the id of whom it was forked from."""
    fold, pid = an_agent(machine)
    fork = machine.agent()
    machine.starts(fork, "s-1", source="resume")
    stage(machine, fork)
    outcome = machine.step(fold)
    assert [queued(outcome, slot) for slot in (0, 1)] == ["", "test"]
    assert pid == view_of(outcome, 0).pid


# What is nobody's.


def test_verb_of_a_process_that_has_ended_is_discarded(machine: Machine) -> None:
    fold, pid = an_agent(machine)
    stage(machine, pid)
    machine.kill(pid)
    outcome = machine.step(fold, 6.0)
    assert (outcome.fleet.staged, waiting(machine)) == ((), [])


@pytest.mark.parametrize("source", ["clear", "resume"])
def test_verb_of_a_conversation_that_was_left_is_discarded(machine: Machine, source: str) -> None:
    fold, pid = an_agent(machine)
    stage(machine, pid)
    machine.step(fold)
    machine.says(pid, "SessionEnd", session_id="s-1", reason=source)
    machine.starts(pid, "s-2", source=source)
    outcome = machine.step(fold)
    assert (outcome.fleet.staged, queued(outcome), waiting(machine)) == ((), "", [])


def test_verb_of_who_said_goodbye_is_discarded(machine: Machine) -> None:
    fold, pid = an_agent(machine)
    stage(machine, pid)
    machine.says(pid, "SessionEnd", session_id="s-1", reason="prompt_input_exit")
    assert machine.step(fold).fleet.staged == ()
    assert waiting(machine) == []


def test_verb_of_who_is_being_torn_down_is_discarded(machine: Machine) -> None:
    fold, pid = an_agent(machine)
    stage(machine, pid)
    own = start_of(os.getpid()) or ""
    claim = partial(ending.claimed, by=os.getpid(), started=own, now=1.0)
    assert queued(machine.step(fold, amend=claim)) == ""
    assert waiting(machine) == []


def test_verb_of_who_has_ended_under_a_refused_teardown_is_discarded(machine: Machine) -> None:
    fold, pid = an_agent(machine)
    stage(machine, pid)
    refuse = partial(ending.refused, check="removal", words="error", now=1.0, ended=True)
    outcome = machine.step(fold, amend=refuse)
    assert (view_of(outcome, 0).state, queued(outcome)) == (State.FAILED, "")
    assert waiting(machine) == []


def test_verb_of_who_was_only_refused_a_teardown_waits_on(machine: Machine) -> None:
    fold, pid = an_agent(machine)
    stage(machine, pid)
    refuse = partial(ending.refused, check="ahead", words="1 commit", now=1.0, ended=False)
    assert queued(machine.step(fold, amend=refuse)) == "test"


@pytest.mark.parametrize(("session_id", "other"), [("s-2", False), ("s-1", True)])
def test_verb_for_nobody_is_discarded(machine: Machine, session_id: str, other: bool) -> None:
    fold, pid = an_agent(machine)
    stage(machine, machine.agent() if other else pid, session_id)
    assert machine.step(fold).fleet.staged == ()
    assert waiting(machine) == []


def test_verb_for_nobody_is_discarded_at_rest_as_well(machine: Machine) -> None:
    fold, _ = an_agent(machine)
    machine.step(fold, 0.1)
    stage(machine, machine.agent(), "s-9")
    assert machine.step(fold, 0.1).snapshot is None
    assert waiting(machine) == []


def test_verb_is_discarded_after_it_is_written_that_nothing_waits(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    fold, pid = an_agent(machine)
    stage(machine, pid)
    machine.step(fold)
    told: list[object] = []
    discard = queue.discard

    def discarded(folder: StateFolder, staged: Staged) -> None:
        told.append(machine.snapshot()["slots"][0]["queued"])
        discard(folder, staged)

    monkeypatch.setattr(queue, "discard", discarded)
    machine.says(pid, "SessionEnd", session_id="s-1", reason="clear")
    machine.starts(pid, "s-2", source="clear")
    machine.step(fold)
    assert (told, waiting(machine)) == ([None], [])


def test_reaper_discards_without_a_panel(machine: Machine) -> None:
    _, pid = an_agent(machine)
    stage(machine, pid)
    machine.kill(pid)
    assert main(["reap"]) == 0
    assert waiting(machine) == []


def test_what_lies_there_and_is_no_verb_is_left_alone(machine: Machine) -> None:
    fold, pid = an_agent(machine)
    (machine.folder.queue / f"s-1.{pid}").write_text("{}\n")
    (machine.folder.queue / "notes").write_text("mine")
    assert machine.step(fold).fleet.staged == ()
    assert waiting(machine) == ["notes", f"s-1.{pid}"]


# What expires.


def test_fold_asks_to_be_folded_again_when_a_verb_expires(machine: Machine) -> None:
    fold, pid = an_agent(machine)
    staged = stage(machine, pid, for_s=300.0)
    assert machine.step(fold, 1.0).again == staged.until
    assert machine.step(fold, 0.1).again == staged.until


def test_first_to_expire_says_when(machine: Machine) -> None:
    fold, one, other = machine.fold(), machine.agent(), machine.agent()
    machine.starts(one, "s-1")
    machine.starts(other, "s-2")
    machine.step(fold)
    stage(machine, one, "s-1", for_s=300.0)
    first = stage(machine, other, "s-2", for_s=200.0)
    assert machine.step(fold).again == first.until


def test_verb_that_never_expires_asks_for_nothing(machine: Machine) -> None:
    fold, pid = an_agent(machine)
    stage(machine, pid)
    assert machine.step(fold).again is None


def test_expired_verb_is_discarded_at_that_very_moment(machine: Machine) -> None:
    fold, pid = an_agent(machine)
    staged = stage(machine, pid, for_s=1.0)
    assert queued(machine.step(fold, 0.9)) == "test"
    outcome = fold.step(
        staged.until, {"running": False, "pid": None, "deck": None, "problem": None}
    )
    assert (queued(outcome), waiting(machine), outcome.again) == ("", [], None)
    assert machine.snapshot()["slots"][0]["queued"] is None


# What was left behind.


def test_what_killed_processes_left_is_swept(machine: Machine) -> None:
    fold, pid = an_agent(machine)
    staged = stage(machine, pid)
    left = machine.folder.queue / ".s-1.7.abc"
    left.write_text("a prompt")
    queue.write_prompt(machine.folder, staged.token, "a prompt")
    machine.step(fold, 0.1)
    assert left.exists()
    machine.step(fold, 120.0)
    assert waiting(machine) == [f"s-1.{pid}"]


def test_fleet_at_rest_opens_no_file_of_the_queue(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    fold, pid = an_agent(machine)
    stage(machine, pid)
    machine.step(fold, 0.01)
    monkeypatch.setattr(files, "read", _opened)
    for _ in range(3):
        assert queued(machine.step(fold, 0.01)) == "test"


def _opened(path: Path, most: int = -1) -> bytes:
    raise AssertionError(path)


# What was delivered.


def test_drained_verb_keeps_its_session_at_work(machine: Machine) -> None:
    fold, pid = an_agent(machine)
    machine.says(pid, "UserPromptSubmit", session_id="s-1")
    machine.says(pid, "Drained", session_id="s-1", stop_hook_active=False)
    assert view_of(machine.step(fold), 0).state is State.WORKING
    machine.says(pid, "Stop", session_id="s-1", stop_hook_active=True)
    assert view_of(machine.step(fold), 0).state is State.DONE


def test_view_tells_what_runs_under_a_reported_failure(machine: Machine) -> None:
    fold, pid = an_agent(machine)
    machine.says(pid, "UserPromptSubmit", session_id="s-1")
    machine.step(fold, amend=lambda session: failing.reported(session, machine.now))
    view = view_of(machine.step(fold), 0)
    assert (view.state, view.doing) == (State.FAILED, State.WORKING)


def test_reported_failure_outlives_a_torn_record(machine: Machine) -> None:
    fold, _ = an_agent(machine)
    machine.step(fold, amend=lambda session: failing.reported(session, machine.now))
    (record,) = machine.folder.sessions.iterdir()
    record.write_bytes(b"{")
    view = view_of(machine.step(machine.fold()), 0)
    assert (view.state, view.how) == (State.FAILED, "reported")
