"""A desk where everything is well, for as long as nobody breaks anything on it.

The hooks and the timer are those `apply` has put there; client, tmux and service manager
are scripts that answer as the real ones do.
"""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from flightdeck.cli import main
from flightdeck.doctor.machine import Machine as Looked
from flightdeck.doctor.visit import visit
from flightdeck.model.finding import Level
from tests.commands.running import spare_it_compiling
from tests.install.managers import Stub

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    import pytest

    from tests.fold.world import Machine

_FLIGHTDECK = "flightdeck "
_NOT_OURS = ("TMUX", "XDG_CONFIG_HOME", "FLIGHTDECK_RASTER")


@dataclass(frozen=True)
class Fault:
    """A finding that is not ok, as it is told."""

    part: str
    level: Level
    what: str
    hint: str


class Desk:
    """A home with hooks, a timer, a client and a project, looked at from that project."""

    def __init__(self, machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
        """Sit down at what stands in the home of `machine`."""
        self.machine, self.environ = machine, monkeypatch
        self.home, self.folder = machine.home, machine.folder
        self.bin, self.root = self.home / "bin", self.home / "machine"
        self.project, self.platform = self.home / "app", "linux"
        for name in _NOT_OURS:
            monkeypatch.delenv(name, raising=False)
        monkeypatch.setenv("HOME", str(self.home))
        monkeypatch.setenv("FLEET_HOME", str(self.folder.root))
        monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(self.settings.parent))
        monkeypatch.setenv("PATH", str(self.bin), prepend=":")
        monkeypatch.setenv("FLIGHTDECK_SYSTEMCTL", str(self.home / "stub/systemctl"))
        monkeypatch.setattr(sys, "platform", "linux")

    def furnish(self) -> None:
        """Install everything there."""
        self.folder.create()
        for folder in (self.bin, self.root, self.project, self.settings.parent):
            folder.mkdir(parents=True)
        self.program("claude", "echo '2.1.332 (Claude Code)'")
        self.program("tmux", "echo 'tmux 3.3a'")
        Stub("systemctl", self.home / "stub", self.home / ".config/systemd/user")
        spare_it_compiling(self.folder)
        self.runs("flightdeck apply --yes")

    @property
    def settings(self) -> Path:
        """The user's settings file."""
        return self.home / ".claude/settings.json"

    def program(self, name: str, does: str) -> Path:
        """Put a script on PATH."""
        path = self.bin / name
        path.write_text(f"#!/bin/sh\n{does}\n")
        path.chmod(0o755)
        return path

    def edit(self, change: Callable[[dict[str, Any]], object], file: Path | None = None) -> None:
        """Change what a settings file says."""
        path = file or self.settings
        path.parent.mkdir(parents=True, exist_ok=True)
        content = json.loads(path.read_text()) if path.exists() else {}
        change(content)
        path.write_text(json.dumps(content, indent=2) + "\n")

    def replaces(self, old: str, new: str, file: Path | None = None) -> None:
        """Change what a file says by its text."""
        path = file or self.settings
        text = path.read_text()
        assert old in text
        path.write_text(text.replace(old, new))

    def looked_at(self) -> Looked:
        """Return this desk as doctor is given it."""
        return Looked(os.environ, self.project, self.folder, self.platform, self.root)

    def faults(self, *parts: str) -> set[Fault]:
        """Return what a visit finds, of some parts or of all, that is not as it should be."""
        told = visit(self.looked_at())
        return {
            Fault(one.part, finding.level, finding.what, finding.mend)
            for one in told
            for finding in one.findings
            if finding.level is not Level.OK and (not parts or one.part in parts)
        }

    def runs(self, line: str) -> None:
        """Do what a hint says: `flightdeck` itself here, anything else in a shell."""
        for command in line.split(" && "):
            if command.startswith(_FLIGHTDECK):
                words = shlex.split(command.removeprefix(_FLIGHTDECK))
                consent = ["--yes"] if words == ["apply"] else []
                assert main([*words, *consent]) == 0, command
            else:
                subprocess.run(["/bin/sh", "-c", command], check=True)
