"""What `apply` compiles of the layout, and what `reap` makes of it where no panel runs."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from flightdeck.cli import main
from flightdeck.store import plan as plans
from flightdeck.store.instance import Instance, RunningPanel

if TYPE_CHECKING:
    from pathlib import Path

    from tests.fold.world import Machine


@pytest.fixture(autouse=True)
def client(home: Path) -> None:
    (home / ".claude").mkdir()


def local(home: Path, text: str) -> None:
    (home / ".fleet").mkdir(exist_ok=True)
    (home / ".fleet" / "local.yaml").write_text(text)


def renderer(home: Path) -> Path:
    """An executable that keeps the snapshot it was given."""
    script, kept = home / "renderer", home / "kept.json"
    script.write_text(f"#!/bin/sh\ncat > '{kept}.part' && mv '{kept}.part' '{kept}'\n")
    script.chmod(0o755)
    return kept


def test_apply_keeps_a_pinned_slot_from_sessions_before_any_panel_ran(
    machine: Machine, home: Path
) -> None:
    local(home, "pins:\n  0: app Obsidian\n")
    assert main(["apply", "--yes"]) == 0
    assert plans.read(machine.folder).slots == tuple(range(1, 8))


def test_apply_installs_the_hooks_though_the_layout_has_a_problem(
    machine: Machine, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    local(home, "pins:\n  99: app Obsidian\nnonsense: 1\n")
    assert main(["apply", "--yes"]) == 0
    assert "local.yaml:3:1: unknown key 'nonsense'" in capsys.readouterr().err
    assert plans.read(machine.folder).slots == tuple(range(8))


def test_reap_tells_the_renderers_where_no_panel_runs(machine: Machine, home: Path) -> None:
    kept = renderer(home)
    local(home, f"renderers:\n  - {home / 'renderer'}\n")
    assert main(["apply", "--yes"]) == 0
    machine.starts(machine.agent(), "s-1")
    assert main(["reap"]) == 0
    assert json.loads(kept.read_text())["slots"][0]["session_id"] == "s-1"


def test_reap_leaves_the_renderers_to_a_running_panel(machine: Machine, home: Path) -> None:
    kept = renderer(home)
    local(home, f"renderers:\n  - {home / 'renderer'}\n")
    assert main(["apply", "--yes"]) == 0
    machine.starts(machine.agent(), "s-1")
    instance = Instance(machine.folder)
    instance.announce(RunningPanel(1, "recorder", "/nowhere"))
    assert main(["reap"]) == 0
    instance.release()
    assert not kept.exists()
