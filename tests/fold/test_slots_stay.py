"""Keys: the lowest free one, then that one until its process ends, whatever happens."""

from __future__ import annotations

import os
import signal
from typing import TYPE_CHECKING

import pytest

from flightdeck.model.lifecycle import State
from flightdeck.model.plan import PanelPlan
from tests.fold.world import pids, view_of

if TYPE_CHECKING:
    from flightdeck.fold.folding import Fold
    from tests.fold.world import Machine


@pytest.fixture
def fold(machine: Machine) -> Fold:
    return machine.fold()


def some(machine: Machine, fold: Fold, how_many: int) -> list[int]:
    """Start sessions one after another and return their pids."""
    agents = [machine.agent() for _ in range(how_many)]
    for pid in agents:
        machine.starts(pid, f"s-{pid}")
    machine.step(fold)
    return agents


def test_sessions_take_the_lowest_free_slot_in_their_order(machine: Machine, fold: Fold) -> None:
    agents = some(machine, fold, 3)
    assert pids(machine.step(fold))[:4] == [*agents, 0]


def test_killed_process_frees_its_slot_and_no_other(machine: Machine, fold: Fold) -> None:
    a, b, c = some(machine, fold, 3)
    machine.kill(b)
    assert pids(machine.step(fold))[:3] == [a, 0, c]


def test_next_session_takes_the_freed_slot(machine: Machine, fold: Fold) -> None:
    a, b, c = some(machine, fold, 3)
    machine.kill(b)
    machine.step(fold)
    (d,) = some(machine, fold, 1)
    assert pids(machine.step(fold))[:4] == [a, d, c, 0]


def test_zombie_frees_its_slot(machine: Machine, fold: Fold) -> None:
    a, b = some(machine, fold, 2)
    machine.kill(a, reap=False)
    assert pids(machine.step(fold))[:2] == [0, b]


def test_stopped_process_keeps_its_slot(machine: Machine, fold: Fold) -> None:
    (a,) = some(machine, fold, 1)
    os.kill(a, signal.SIGSTOP)
    assert pids(machine.step(fold))[0] == a


def test_pinned_slots_are_left_out(machine: Machine) -> None:
    fold = machine.fold(PanelPlan(slots=(1, 3)))
    agents = some(machine, fold, 2)
    outcome = machine.step(fold)
    assert {view.slot: view.pid for view in outcome.fleet.slots} == {1: agents[0], 3: agents[1]}


def test_sessions_without_a_slot_are_counted_and_so_are_those_that_wait(machine: Machine) -> None:
    fold = machine.fold(PanelPlan(slots=(0, 1)))
    agents = some(machine, fold, 4)
    machine.says(agents[3], "PermissionRequest", tool_name="Bash", tool_input={})
    fleet = machine.step(fold).fleet
    assert (fleet.overflow, fleet.overflow_blocked) == (2, 1)
    assert machine.snapshot()["overflow"] == 2


def test_oldest_session_without_a_slot_takes_the_first_that_falls_free(machine: Machine) -> None:
    fold = machine.fold(PanelPlan(slots=(0,)))
    a, b, _ = some(machine, fold, 3)
    machine.kill(a)
    assert pids(machine.step(fold)) == [b]


def test_closed_session_frees_its_slot_while_its_process_ends(machine: Machine, fold: Fold) -> None:
    a, b = some(machine, fold, 2)
    machine.says(a, "SessionEnd", session_id=f"s-{a}", reason="prompt_input_exit")
    assert pids(machine.step(fold))[:2] == [0, b]


def test_clear_keeps_the_key_and_changes_the_session(machine: Machine, fold: Fold) -> None:
    a, b = some(machine, fold, 2)
    machine.says(a, "SessionEnd", session_id=f"s-{a}", reason="clear")
    machine.says(a, "SessionStart", session_id="s-new", source="clear")
    outcome = machine.step(fold)
    assert pids(outcome)[:2] == [a, b]
    assert view_of(outcome, 0).session_id == "s-new"


def test_resume_inside_a_session_keeps_the_key(machine: Machine, fold: Fold) -> None:
    a, b = some(machine, fold, 2)
    machine.says(a, "SessionEnd", session_id=f"s-{a}", reason="resume")
    machine.says(a, "SessionStart", session_id="s-older", source="resume")
    outcome = machine.step(fold)
    assert (pids(outcome)[:2], view_of(outcome, 0).session_id) == ([a, b], "s-older")


def test_key_stays_when_another_process_folds(machine: Machine, fold: Fold) -> None:
    a, b, c = some(machine, fold, 3)
    machine.kill(a)
    machine.step(machine.fold())
    (d,) = some(machine, machine.fold(), 1)
    assert pids(machine.step(fold))[:3] == [d, b, c]


# Resumed in another terminal: the old process was killed and told nobody.


@pytest.mark.parametrize("session_id", ["s-cccc", "s-aaaa"])
def test_resumed_session_uses_one_slot(machine: Machine, fold: Fold, session_id: str) -> None:
    old = machine.agent()
    machine.starts(old, "s-aaaa")
    machine.step(fold)
    machine.kill(old)
    new = machine.agent()
    machine.starts(new, session_id, source="resume")
    assert pids(machine.step(fold)) == [new, 0, 0, 0, 0, 0, 0, 0]


def test_session_resumed_under_its_old_id_is_where_it_is_now(machine: Machine, fold: Fold) -> None:
    old, new = machine.agent(), machine.agent()
    body = b'{"session_id": "s-aaaa", "source": "startup"}'
    terminal = "w0t0p0:AAAAAAAA-0000-0000-0000-00000000000"
    machine.spool(
        old, "SessionStart", body, TERM_PROGRAM="iTerm.app", ITERM_SESSION_ID=terminal + "1"
    )
    machine.step(fold)
    machine.kill(old)
    machine.spool(
        new, "SessionStart", body, TERM_PROGRAM="iTerm.app", ITERM_SESSION_ID=terminal + "2"
    )
    view = view_of(machine.step(fold), 0)
    assert (view.pid, view.place.window[-1]) == (new, "2")


def test_fork_that_reports_the_originals_id_gets_a_slot_of_its_own(
    machine: Machine, fold: Fold
) -> None:
    original, fork = machine.agent(), machine.agent()
    body = b'{"session_id": "s-aaaa", "source": "resume"}'
    machine.spool(original, "SessionStart", body, TMUX="/t,1,0", TMUX_PANE="%1")
    machine.spool(fork, "SessionStart", body, TMUX="/t,1,0", TMUX_PANE="%2")
    outcome = machine.step(fold)
    shown = [(view.pid, view.place.tmux_pane) for view in outcome.fleet.slots[:2]]
    assert shown == [(original, "%1"), (fork, "%2")]


# A record that cannot be read must not move a key, its own least of all.


def torn(machine: Machine, pid: int) -> None:
    """Cut the record of one session short."""
    (path,) = machine.folder.sessions.glob(f"{pid}-*.json")
    path.write_bytes(path.read_bytes()[:20])


def test_torn_record_moves_no_key_and_is_left_alone(machine: Machine, fold: Fold) -> None:
    agents = some(machine, fold, 3)
    torn(machine, agents[1])
    before = {p.name: p.read_bytes() for p in machine.folder.sessions.iterdir()}
    assert pids(machine.step(machine.fold()))[:3] == agents
    assert {p.name: p.read_bytes() for p in machine.folder.sessions.iterdir()} == before
    assert pids(machine.step(machine.fold()))[:3] == agents


def test_session_of_a_torn_record_goes_on_under_its_key(machine: Machine, fold: Fold) -> None:
    a, b = some(machine, fold, 2)
    torn(machine, a)
    machine.step(machine.fold())
    machine.says(a, "UserPromptSubmit", session_id=f"s-{a}", prompt="go on")
    outcome = machine.step(machine.fold())
    assert pids(outcome)[:2] == [a, b]
    assert view_of(outcome, 0).state is State.WORKING
    assert [p.name for p in machine.folder.sessions.glob("*.new.json")]


def test_waiting_request_of_a_torn_record_still_waits(machine: Machine, fold: Fold) -> None:
    (a,) = some(machine, fold, 1)
    machine.says(a, "PermissionRequest", tool_name="Bash", tool_input={"command": "ls"})
    machine.step(fold)
    torn(machine, a)
    view = view_of(machine.step(machine.fold()), 0)
    assert (view.state, view.pending[0].tool) == (State.BLOCKED, "Bash")


def test_dead_session_of_a_torn_record_frees_its_slot(machine: Machine, fold: Fold) -> None:
    a, b = some(machine, fold, 2)
    torn(machine, a)
    machine.kill(a)
    assert pids(machine.step(machine.fold()))[:2] == [0, b]


def test_torn_record_and_torn_snapshot_cost_one_session_at_most(
    machine: Machine, fold: Fold
) -> None:
    a, b = some(machine, fold, 2)
    torn(machine, a)
    machine.folder.slots.write_bytes(b'{"slots": [')
    assert pids(machine.step(machine.fold()))[:2] == [0, b]
    assert machine.snapshot()["slots"][1]["pid"] == b


def test_lost_record_comes_back_on_the_slot_the_snapshot_showed(
    machine: Machine, fold: Fold
) -> None:
    a, b = some(machine, fold, 2)
    machine.kill(a)
    (path,) = machine.folder.sessions.glob(f"{b}-*.json")
    path.unlink()
    machine.says(b, "UserPromptSubmit", session_id=f"s-{b}", prompt="")
    assert pids(machine.step(machine.fold()))[:2] == [0, b]


@pytest.mark.parametrize("name", ["sessions/9-9.json", "slots.json", "compiled/panel.json"])
def test_pipe_in_the_place_of_a_file_hangs_nobody(machine: Machine, name: str) -> None:
    machine.fold()
    os.mkfifo(machine.folder.root / name)
    pid = machine.agent()
    machine.starts(pid, "s")
    assert pids(machine.step(machine.fold()))[0] == pid
