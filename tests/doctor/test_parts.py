"""What single parts say beyond what is broken in `test_sabotage`."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING

import pytest

from flightdeck.doctor import brakes, client, drawing, hooks, layout, registry, sessions
from flightdeck.faces import raster
from flightdeck.model.finding import Level

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from flightdeck.doctor.machine import Machine
    from flightdeck.model.finding import Finding
    from tests.doctor.desk import Desk


def found(desk: Desk, look: Callable[[Machine], Iterable[Finding]]) -> list[tuple[Level, str, str]]:
    return [(one.level, one.what, one.mend) for one in look(desk.looked_at())]


def test_configuration_folder_that_is_no_whole_path_is_doubted(desk: Desk) -> None:
    desk.environ.setenv("CLAUDE_CONFIG_DIR", "claude")
    (level, what, hint), _ = found(desk, client.look)
    assert level is Level.WARNING
    assert what.startswith("CLAUDE_CONFIG_DIR is 'claude', not a whole path")
    assert hint == "set CLAUDE_CONFIG_DIR to a whole path, or unset it"


def test_client_too_old_for_permissions_is_to_be_updated(desk: Desk) -> None:
    desk.program("claude", "echo 2.0.42")
    ((level, what, hint),) = found(desk, client.look)
    assert (level, hint) == (Level.WARNING, "claude update")
    assert "2.0.45 or later" in what


def test_client_by_another_name_is_the_same(desk: Desk) -> None:
    other = desk.home / "other"
    other.mkdir()
    (other / "claude").symlink_to(desk.bin / "claude")
    desk.environ.setenv("PATH", f"{os.environ['PATH']}::{other}")
    what = f"claude 2.1.332 at {desk.bin / 'claude'}"
    assert found(desk, client.look) == [(Level.OK, what, "")]


def test_hooks_of_no_client_are_not_looked_for(desk: Desk) -> None:
    (desk.bin / "claude").unlink()
    desk.environ.setenv("CLAUDE_CONFIG_DIR", str(desk.home / "none"))
    assert found(desk, hooks.look) == []


def test_gates_are_counted(desk: Desk) -> None:
    desk.folder.gate.mkdir()
    for count, told in ((1, "1 gate closed"), (2, "2 gates closed")):
        (desk.folder.gate / f"s-{count}").touch()
        assert found(desk, brakes.look) == [(Level.OK, f"not halted; {told}", "")]


def test_latch_that_holds_something_is_to_be_looked_into(desk: Desk) -> None:
    desk.folder.halt.mkdir()
    assert found(desk, brakes.look)[0][2] == "flightdeck halt --off"
    (desk.folder.halt / "mine").touch()
    assert found(desk, brakes.look)[0][2] == f"look into {desk.folder.halt}, then remove it"


@pytest.mark.parametrize(("count", "told"), [(1, "1 record of"), (2, "2 records of")])
def test_records_of_running_agents_are_counted(desk: Desk, count: int, told: str) -> None:
    for number in range(count):
        path = desk.machine.records(desk.machine.agent(), f"s-{number}", "idle")
        os.utime(path, (time.time() - 60, time.time() - 60))
    assert found(desk, registry.look) == [(Level.OK, f"{told} running agents", "")]


def test_record_that_is_being_written_or_left_by_a_dead_agent_is_no_fault(desk: Desk) -> None:
    desk.machine.records(desk.machine.agent(), "s-1", "pondering")
    dead = desk.machine.agent()
    path = desk.machine.records(dead, "s-2", "pondering")
    os.utime(path, (time.time() - 60, time.time() - 60))
    desk.machine.kill(dead)
    assert found(desk, registry.look) == [(Level.OK, "1 record of running agents", "")]


def test_sessions_beyond_the_slots_are_counted(desk: Desk) -> None:
    for number in range(9):
        desk.machine.starts(desk.machine.agent(), f"s-{number}")
    told = "8 sessions on the panel, 1 without a slot"
    assert found(desk, sessions.look) == [(Level.OK, told, "")]


def test_layout_that_ships_may_be_named_in_public(desk: Desk) -> None:
    (finding,) = layout.look(desk.looked_at())
    assert finding.public[0] == finding.what == "layout xl for stream-deck-xl"


def test_faces_of_ones_own_are_tried(desk: Desk) -> None:
    own = desk.folder.templates / "faces"
    own.mkdir(parents=True)
    file = own / "key.svg.j2"
    file.write_text("{% extends 'shipped/faces/key.svg.j2' %}\n")
    told = f"faces are drawn by {raster.backend()}, from templates of your own"
    assert found(desk, drawing.look) == [(Level.OK, told, "")]
    file.write_text("<svg>{{ nothing }}</svg>\n")
    level, what, _ = found(desk, drawing.look)[0]
    assert level is Level.FAILURE
    assert what.startswith(f"{file}:1:")


def test_machine_that_draws_nothing_says_what_to_install(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(raster, "_fault", lambda name: f"no {name} here")
    ((level, what, hint),) = found(desk, drawing.look)
    assert level is Level.FAILURE
    assert what.startswith("no rasteriser: no cairo here")
    assert hint.startswith("pip install resvg-py")
