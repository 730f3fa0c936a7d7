"""One pass of the fold: nothing lost, nothing twice, nothing written that did not change."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from flightdeck.errors import Unavailable
from flightdeck.fold import folding
from flightdeck.fold.folding import Unsaved
from flightdeck.model import transition
from flightdeck.model.lifecycle import State
from flightdeck.model.signal import Kind
from flightdeck.store import inbox, lock, snapshot
from tests.fold.world import NOBODY, pids, view_of

if TYPE_CHECKING:
    from flightdeck.model.session import Session
    from flightdeck.model.signal import Signal
    from tests.fold.world import Machine


def a_session(machine: Machine, name: str = "s") -> int:
    pid = machine.agent()
    machine.starts(pid, name)
    return pid


def test_events_become_a_session_a_slot_and_a_snapshot(machine: Machine) -> None:
    pid = a_session(machine)
    machine.says(pid, "UserPromptSubmit", session_id="s", prompt="go")
    outcome = machine.step(machine.fold())
    assert view_of(outcome, 0).state is State.WORKING
    assert machine.snapshot()["slots"][0]["state"] == "working"
    assert json.loads(outcome.snapshot or "") == machine.snapshot()
    assert list(machine.folder.inbox.iterdir()) == []


def test_unchanged_fleet_writes_nothing(machine: Machine) -> None:
    fold = machine.fold()
    a_session(machine)
    machine.step(fold)
    before = {p: p.stat().st_mtime_ns for p in machine.folder.root.rglob("*")}
    assert [machine.step(fold).snapshot for _ in range(5)] == [None] * 5
    assert {p: p.stat().st_mtime_ns for p in machine.folder.root.rglob("*")} == before


def test_event_that_changes_nothing_writes_no_snapshot(machine: Machine) -> None:
    fold, pid = machine.fold(), a_session(machine)
    machine.says(pid, "UserPromptSubmit", session_id="s")
    machine.step(fold)
    before = machine.folder.slots.stat().st_mtime_ns
    machine.says(pid, "Notification", notification_type="idle_prompt")
    assert machine.step(fold).snapshot is None
    assert machine.folder.slots.stat().st_mtime_ns == before


def test_snapshot_somebody_removed_is_written_again(machine: Machine) -> None:
    fold = machine.fold()
    machine.step(fold)
    machine.folder.slots.unlink()
    machine.step(fold)
    assert machine.snapshot()["schema"] == "flightdeck.status/1"


def test_another_folders_work_is_taken_over(machine: Machine) -> None:
    first, second = machine.fold(), machine.fold()
    pid = a_session(machine)
    machine.step(first)
    machine.says(pid, "UserPromptSubmit", session_id="s")
    machine.step(second)
    assert view_of(machine.step(first), 0).state is State.WORKING


def test_pass_while_another_holds_the_lock_is_unavailable_and_loses_nothing(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(folding, "PATIENCE_S", 0.01)
    fold, pid = machine.fold(), a_session(machine)
    with lock.held(machine.folder.lock, patience_s=1), pytest.raises(Unavailable):
        machine.step(fold)
    assert pids(machine.step(fold))[0] == pid


def test_amended_session_is_kept(machine: Machine) -> None:
    fold = machine.fold()
    a_session(machine)

    def seen(session: Session) -> Session:
        return replace(session, seen=True)

    machine.step(fold)
    fold.step(machine.now, NOBODY, seen)
    assert view_of(machine.step(machine.fold()), 0).seen


def test_watched_are_the_registries(machine: Machine) -> None:
    fold, pid = machine.fold(), machine.agent()
    machine.starts(pid, "s", transcript_path="/elsewhere/projects/p/s.jsonl")
    machine.step(fold)
    assert [str(path) for path in fold.watched()] == [
        str(machine.registry),
        "/elsewhere/sessions",
    ]


def test_outcome_says_when_to_fold_again(machine: Machine) -> None:
    fold, pid = machine.fold(), a_session(machine)
    machine.says(pid, "UserPromptSubmit", session_id="s")
    machine.step(fold)
    machine.records(pid, "s", "idle", statusUpdatedAt=int((machine.now + 2) * 1000))
    outcome = machine.step(fold, 2.01)
    assert view_of(outcome, 0).state is State.WORKING
    assert outcome.again is not None
    assert 0 < outcome.again - machine.now < 0.2


# A crash or a full disk in the middle.


class CrashError(Exception):
    """The machine went down here."""


@pytest.mark.parametrize("where", ["inbox.remove", "snapshot.write", "files.save"])
def test_crash_in_a_pass_loses_no_event_and_folds_them_again_harmlessly(
    machine: Machine, monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    fold, (a, b) = machine.fold(), (a_session(machine, "a"), a_session(machine, "b"))
    machine.says(a, "PermissionRequest", tool_name="Bash", tool_input={})

    def crash(*_: object) -> None:
        raise CrashError

    target: object = {
        "inbox.remove": inbox,
        "snapshot.write": snapshot,
        "files.save": fold.files,
    }[where]
    with monkeypatch.context() as patch:
        patch.setattr(target, where.partition(".")[2], crash)
        with pytest.raises(CrashError):
            machine.step(fold)
    for again in (fold, machine.fold()):
        outcome = machine.step(again)
        assert pids(outcome)[:3] == [a, b, 0]
        assert view_of(outcome, 0).state is State.BLOCKED
        assert len(view_of(outcome, 0).pending) == 1


def test_event_that_trips_over_a_bug_is_dropped_and_ends_nobody(
    machine: Machine, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    fold, pid = machine.fold(), a_session(machine)

    def trips(session: Session, signal: Signal) -> Session:
        raise LookupError("what a tool was given")

    monkeypatch.setitem(transition._RULES, Kind.TURN_ENDED, trips)
    machine.says(pid, "Stop", session_id="s")
    machine.says(pid, "UserPromptSubmit", session_id="s")
    assert view_of(machine.step(fold), 0).state is State.WORKING
    assert list(machine.folder.inbox.iterdir()) == []
    assert "dropped: LookupError" in caplog.text
    assert "given" not in caplog.text


FULL_DISK = """
import resource, signal, sys
from flightdeck.errors import Unavailable
from flightdeck.fold.opening import fold_once, open_fold
from flightdeck.store.paths import StateFolder
fold = open_fold(StateFolder.from_environment())
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))
try:
    fold_once(fold)
except Unavailable:
    sys.exit(7)
"""


def test_full_disk_loses_nothing(machine: Machine) -> None:
    pid = a_session(machine)
    assert subprocess.run([sys.executable, "-c", FULL_DISK], check=False).returncode == 7
    assert len(list(machine.folder.inbox.iterdir())) == 1
    assert pids(machine.step(machine.fold()))[0] == pid


def test_state_the_disk_has_no_room_for_is_known_all_the_same(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    fold, pid = machine.fold(), a_session(machine)
    machine.step(fold)
    machine.says(pid, "PermissionRequest", tool_name="Bash", tool_input={})

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(fold.files, "save", full)
        for _ in range(2):
            with pytest.raises(Unsaved, match="No space left") as caught:
                machine.step(fold)
            assert view_of(caught.value.outcome, 0).state is State.BLOCKED
    assert view_of(machine.step(fold), 0).state is State.BLOCKED
    assert machine.snapshot()["slots"][0]["state"] == "blocked"


FOLDER = """
import sys
from flightdeck.fold.opening import fold_once, open_fold
from flightdeck.store.paths import StateFolder
fold = open_fold(StateFolder.from_environment())
print("ready", flush=True)
for _ in range(150):
    fold_once(fold)
"""


def test_two_that_fold_at_once_lose_no_event_and_move_no_key(machine: Machine) -> None:
    agents = [a_session(machine, f"s-{n}") for n in range(4)]
    machine.step(machine.fold())
    both = [
        subprocess.Popen([sys.executable, "-c", FOLDER], stdout=subprocess.PIPE) for _ in range(2)
    ]
    for one in both:
        assert one.stdout
        assert one.stdout.readline() == b"ready\n"
    for n in range(50):
        for pid in agents:
            machine.spool(pid, "CwdChanged", json.dumps({"new_cwd": f"/c{n}"}).encode())
    assert [one.wait() for one in both] == [0, 0]
    for one in both:
        assert one.stdout
        one.stdout.close()
    outcome = machine.step(machine.fold())
    assert pids(outcome)[:4] == agents
    assert {view.cwd for view in outcome.fleet.slots[:4]} == {"/c49"}


def test_state_folder_that_is_gone_is_an_error_and_comes_back(machine: Machine) -> None:
    fold = machine.fold()
    machine.folder.root.rename(machine.home / "moved")
    with pytest.raises(FileNotFoundError):
        machine.step(fold)
    machine.folder.create()
    pid = a_session(machine)
    assert pids(machine.step(fold))[0] == pid
    assert list(machine.folder.inbox.iterdir()) == []


def test_hook_registered_twice_makes_one_session_and_counts_nothing_twice(
    machine: Machine,
) -> None:
    fold, pid = machine.fold(), machine.agent()
    request = {"session_id": "s", "tool_name": "Bash", "tool_input": {"command": "make"}}
    for _ in range(2):
        machine.starts(pid, "s")
        machine.says(pid, "PermissionRequest", **request)
    outcome = machine.step(fold)
    assert [len(view.pending) for view in outcome.fleet.slots if view.key] == [1]
    for _ in range(2):
        machine.says(pid, "Stop", session_id="s", background_tasks=[])
    outcome = machine.step(fold)
    assert [view.state for view in outcome.fleet.slots if view.key] == [State.DONE]
    assert len(list(machine.folder.sessions.iterdir())) == 1
