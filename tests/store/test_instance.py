"""One panel at a time, by a kernel lock: a pid in a file proves nothing."""

from __future__ import annotations

import fcntl
import itertools
import json
import os
import subprocess
import sys

import pytest

from flightdeck.errors import Refused
from flightdeck.store import instance as instances
from flightdeck.store.instance import Instance, RunningPanel, forget_dead, running_panel
from flightdeck.store.paths import StateFolder
from flightdeck.system import clock

PANEL = RunningPanel(4711, "recorder", "/somewhere/control.sock")
HOLDER = """
import os, time
from flightdeck.store.instance import Instance, RunningPanel
from flightdeck.store.paths import StateFolder
Instance(StateFolder.from_environment()).announce(RunningPanel(os.getpid(), "browser", "/c"))
print("held", flush=True)
time.sleep(600)
"""


@pytest.fixture
def folder() -> StateFolder:
    folder = StateFolder.from_environment()
    folder.create()
    return folder


def a_holder() -> subprocess.Popen[bytes]:
    holder = subprocess.Popen([sys.executable, "-c", HOLDER], stdout=subprocess.PIPE)
    assert holder.stdout
    assert holder.stdout.readline() == b"held\n"
    return holder


def test_second_panel_is_refused_and_the_first_is_named(folder: StateFolder) -> None:
    with a_holder() as holder:
        with pytest.raises(Refused, match=rf"running already \(pid {holder.pid}, browser deck\)"):
            Instance(folder)
        holder.kill()


def test_panel_that_has_not_yet_said_who_it_is_refuses_too(folder: StateFolder) -> None:
    first = Instance(folder)
    with pytest.raises(Refused, match="a panel is running already"):
        Instance(folder)
    first.release()


def test_killed_panel_does_not_stand_in_the_way(folder: StateFolder) -> None:
    with a_holder() as holder:
        holder.kill()
    assert running_panel(folder) is None
    Instance(folder).release()


def test_pid_of_an_unrelated_living_process_is_no_panel(folder: StateFolder) -> None:
    folder.panel_pid.write_text(f'{{"pid": {os.getppid()}, "deck": "x", "control": ""}}')
    assert running_panel(folder) is None
    Instance(folder).release()


def test_running_panel_is_what_it_announced(folder: StateFolder) -> None:
    instance = Instance(folder)
    instance.announce(RunningPanel(1, "a much longer name than the next", ""))
    instance.announce(PANEL)
    assert running_panel(folder) == PANEL
    instance.release()


def test_first_line_is_the_pid_in_digits_for_hooks_to_read(folder: StateFolder) -> None:
    instance = Instance(folder)
    instance.announce(PANEL)
    assert folder.panel_pid.read_bytes().splitlines()[0] == b"4711"
    instance.release()


def test_panel_that_announced_itself_in_one_line_of_json_is_read(folder: StateFolder) -> None:
    instance = Instance(folder)
    words = {"pid": PANEL.pid, "deck": PANEL.deck, "control": PANEL.control}
    folder.panel_pid.write_text(json.dumps(words))
    assert running_panel(folder) == PANEL
    instance.release()


def test_no_panel_is_none(folder: StateFolder) -> None:
    assert running_panel(folder) is None


def test_released_panel_leaves_nothing(folder: StateFolder) -> None:
    Instance(folder).release()
    assert not folder.panel_pid.exists()


@pytest.mark.parametrize(
    "words", ["", "12", "12\n", "torn {", '{"pid": Infinity, "deck": "x", "control": ""}']
)
def test_panel_whose_words_cannot_be_read_runs_all_the_same(
    folder: StateFolder, words: str
) -> None:
    instance = Instance(folder)
    folder.panel_pid.write_text(words)
    assert running_panel(folder) == RunningPanel(0, "", "")
    instance.release()


def test_somebody_who_only_looks_is_not_taken_for_a_panel(
    folder: StateFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    looking = os.open(folder.panel_pid, os.O_RDWR | os.O_CREAT)
    fcntl.flock(looking, fcntl.LOCK_SH)
    monkeypatch.setattr(clock, "pause", lambda _: os.close(looking))
    Instance(folder).release()


def test_somebody_who_looks_for_ever_does_not_hang_a_panel(
    folder: StateFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    looking = os.open(folder.panel_pid, os.O_RDWR | os.O_CREAT)
    fcntl.flock(looking, fcntl.LOCK_SH)
    hours = itertools.count(0.0, 3600.0)
    monkeypatch.setattr(clock, "monotonic", lambda: next(hours))
    with pytest.raises(Refused, match="its pid is not known"):
        Instance(folder)
    os.close(looking)


def test_what_a_killed_panel_left_is_removed(folder: StateFolder) -> None:
    with a_holder() as holder:
        assert not forget_dead(folder)
        holder.kill()
    assert folder.panel_pid.exists()
    assert forget_dead(folder)
    assert not folder.panel_pid.exists()
    assert not forget_dead(folder)


def test_panel_that_starts_while_the_dead_is_removed_can_be_seen(
    folder: StateFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder.panel_pid.write_text("left by a killed one")
    take = instances._take

    def removed_meanwhile(handle: int, state: StateFolder) -> None:
        monkeypatch.undo()
        folder.panel_pid.unlink()
        take(handle, state)

    monkeypatch.setattr(instances, "_take", removed_meanwhile)
    instance = Instance(folder)
    assert instance.stands()
    instance.release()


def test_folder_in_the_place_of_the_lock_is_left_alone(folder: StateFolder) -> None:
    folder.panel_pid.mkdir()
    assert not forget_dead(folder)
    assert folder.panel_pid.is_dir()


def test_pipe_in_the_place_of_the_lock_hangs_nobody(folder: StateFolder) -> None:
    os.mkfifo(folder.panel_pid)
    assert running_panel(folder) is None
    instance = Instance(folder)
    assert running_panel(folder) == RunningPanel(0, "", "")
    instance.release()
