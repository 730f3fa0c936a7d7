"""The panel as doctor sees it: a real one, in a process of its own."""

from __future__ import annotations

import os
import signal
import time
from typing import TYPE_CHECKING

import pytest

from flightdeck.doctor import panel
from flightdeck.model.finding import Level
from flightdeck.store.instance import Instance, RunningPanel
from tests.commands.running import Running
from tests.doctor.desk import Fault
from tests.fold.world import until

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.doctor.desk import Desk


@pytest.fixture
def running(desk: Desk) -> Iterator[Running]:
    one = Running(desk.machine).begun()
    yield one
    one.process.send_signal(signal.SIGCONT)
    one.stop()


def test_panel_is_well_until_it_is_old_or_stopped(
    desk: Desk, running: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    until(running.listens)
    pid = running.process.pid
    assert desk.faults() == set()

    old = time.time() - 10
    monkeypatch.setattr(panel, "_installed_at", lambda: old)
    os.utime(desk.folder.panel_pid, (old - 60, old - 60))
    what = f"the panel (pid {pid}) was started before flightdeck was installed anew"
    hint = f"kill {pid} && flightdeck run"
    assert desk.faults() == {Fault("panel", Level.WARNING, what, hint)}
    os.utime(desk.folder.panel_pid)

    monkeypatch.setattr(panel, "_ANSWER_S", 0.2)
    running.process.send_signal(signal.SIGSTOP)
    what = f"the panel (pid {pid}) does not answer: no press from a terminal arrives"
    (fault,) = desk.faults()
    assert fault == Fault("panel", Level.FAILURE, what, f"kill -9 {pid} && flightdeck run")

    desk.runs(fault.hint.partition(" && ")[0])
    running.process.wait()
    anew = Running(desk.machine).begun()
    until(anew.listens)
    found = desk.faults()
    anew.stop()
    assert found == set()


def test_panel_that_shows_an_older_layout_says_so(desk: Desk, running: Running) -> None:
    until(running.listens)
    layout = desk.folder.root / "layouts/xl.yaml"
    layout.parent.mkdir()
    layout.write_text("device: stream-deck-xl\nrowz:\n")
    until((desk.folder.compiled / "fault").exists, "the panel has seen the edit")
    found = {fault.part: fault for fault in desk.faults()}
    assert set(found) == {"layout", "panel"}
    assert found["panel"].what.startswith("the panel shows what its files said before: ")
    assert found["panel"].hint == "flightdeck validate"
    layout.unlink()


def test_panel_that_is_only_starting_is_a_warning(desk: Desk) -> None:
    instance = Instance(desk.folder)
    instance.announce(RunningPanel(4242, "", ""))
    (fault,) = desk.faults("panel")
    instance.release()
    assert fault.what == "a panel is only starting, or hangs (pid 4242)"


def test_time_of_the_installation_is_told_where_there_is_one() -> None:
    installed = panel._installed_at()
    assert installed is None or 0 < installed < time.time()


def test_installation_without_a_record_says_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.metadata.files", lambda name: None)
    assert panel._installed_at() is None
