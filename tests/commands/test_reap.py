"""`flightdeck reap`: the truth does not depend on a running panel."""

from __future__ import annotations

import json
import os
import signal
from typing import TYPE_CHECKING

from flightdeck.cli import main
from flightdeck.model.plan import PanelPlan
from flightdeck.store import plan as plans
from flightdeck.store.instance import Instance
from tests.hooks.place import QUIET, Place
from tests.hooks.waiting import Waiting, ask, let_panel_live

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

    from tests.fold.world import Machine


def test_waiting_events_are_folded(machine: Machine, capsys: pytest.CaptureFixture[str]) -> None:
    machine.starts(machine.agent(), "s")
    assert main(["reap"]) == 0
    assert capsys.readouterr().out == "1 live, 0 without a slot\n"
    assert machine.snapshot()["slots"][0]["state"] == "idle"


def test_slots_of_the_dead_are_freed(machine: Machine, capsys: pytest.CaptureFixture[str]) -> None:
    a, b = machine.agent(), machine.agent()
    machine.starts(a, "a")
    machine.starts(b, "b")
    assert main(["reap"]) == 0
    machine.kill(a)
    assert main(["reap"]) == 0
    assert capsys.readouterr().out.endswith("1 live, 0 without a slot\n")
    assert [row["pid"] for row in machine.snapshot()["slots"][:2]] == [None, b]


def test_torn_record_is_named_on_the_way(
    machine: Machine, capsys: pytest.CaptureFixture[str]
) -> None:
    (machine.folder.sessions / "s-aaaa.json").write_text('{"session_id": "s-aa')
    assert main(["reap"]) == 0
    assert capsys.readouterr().out == "0 live, 0 without a slot\n"
    assert (machine.folder.sessions / "s-aaaa.json").read_text() == '{"session_id": "s-aa'


def a_renderer(machine: Machine) -> Path:
    """Let one renderer write down what it is told, and return where."""
    path, out = machine.home / "renderer", machine.home / "told"
    path.write_text(f"#!/bin/sh\ncat >>'{out}'\n", encoding="utf-8")
    path.chmod(0o755)
    plans.write(machine.folder, PanelPlan(renderers=(str(path),)))
    return out


def test_renderers_are_told_what_changed_and_only_that(
    machine: Machine, capsys: pytest.CaptureFixture[str]
) -> None:
    out = a_renderer(machine)
    machine.starts(machine.agent(), "s")
    assert [main(["reap"]) for _ in range(3)] == [0, 0, 0]
    assert json.loads(out.read_bytes()) == machine.snapshot()
    assert capsys.readouterr().out.count("1 live") == 3


def test_renderers_are_left_to_a_running_panel(machine: Machine) -> None:
    out, instance = a_renderer(machine), Instance(machine.folder)
    machine.starts(machine.agent(), "s")
    assert main(["reap"]) == 0
    assert not out.exists()
    instance.release()


def a_waiting_hook(machine: Machine, pid: int) -> Waiting:
    """Start a permission hook beside a panel of this pid, and let it come to wait."""
    place = Place(machine.folder.root, machine.executable(), "/bin/sh")
    let_panel_live(place, pid)
    hook = ask(place).send()
    hook.request()
    return hook


def test_hook_that_waits_for_a_panel_that_was_killed_is_let_go(
    machine: Machine, capsys: pytest.CaptureFixture[str]
) -> None:
    # The pid of the killed one belongs to a living process by now.
    with a_waiting_hook(machine, os.getpid()) as hook:
        assert main(["reap"]) == 0
        assert hook.end() == QUIET
    assert list(machine.folder.asks.iterdir()) == []
    assert not machine.folder.panel_pid.exists()
    assert capsys.readouterr().err == ""


def test_hook_that_waits_for_a_living_panel_is_left_alone(machine: Machine) -> None:
    instance = Instance(machine.folder)
    with a_waiting_hook(machine, os.getpid()) as hook:
        assert main(["reap"]) == 0
        assert hook.process.poll() is None
        assert hook.fifo.exists()
    assert machine.folder.panel_pid.exists()
    instance.release()


def test_fifo_of_a_killed_hook_is_cleared_beside_a_living_panel(machine: Machine) -> None:
    instance = Instance(machine.folder)
    with a_waiting_hook(machine, os.getpid()) as hook:
        hook.signal(signal.SIGKILL)
    assert main(["reap"]) == 0
    assert list(machine.folder.asks.iterdir()) == []
    instance.release()


def test_pass_leaves_its_time_behind(machine: Machine) -> None:
    assert main(["reap"]) == 0
    first = machine.folder.reaped.stat().st_mtime_ns
    os.utime(machine.folder.reaped, (1, 1))
    assert main(["reap"]) == 0
    assert machine.folder.reaped.stat().st_mtime_ns >= first
    assert machine.folder.reaped.stat().st_mode & 0o777 == 0o600
