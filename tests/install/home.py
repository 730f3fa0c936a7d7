"""One person's home folder as `install` sees it."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

from flightdeck.install.record import Records
from flightdeck.install.target import Target
from flightdeck.store.paths import StateFolder

if TYPE_CHECKING:
    from pathlib import Path


@dataclass
class Home:
    """Everything below one temporary folder."""

    path: Path

    def __post_init__(self) -> None:
        """Make the home, and nothing in it."""
        self.path.mkdir()

    @property
    def environ(self) -> dict[str, str]:
        """What the person's shell exports."""
        return {"HOME": str(self.path), "PATH": f"{self.path}/bin:{os.defpath}"}

    @property
    def state(self) -> StateFolder:
        return StateFolder(self.path / ".fleet")

    @property
    def records(self) -> Records:
        return Records(self.state)

    @property
    def config(self) -> Path:
        return self.path / ".claude"

    @property
    def target(self) -> Target:
        return Target(self.config)

    @property
    def file(self) -> Path:
        return self.config / "settings.json"

    def write(self, text: str) -> None:
        """Put `text` into the settings file."""
        self.config.mkdir(exist_ok=True)
        self.file.write_bytes(text.encode())

    def text(self) -> str:
        """Return what the settings file holds."""
        return self.file.read_bytes().decode()

    def install_client(
        self, answer: str = "2.1.332 (Claude Code)", place: str = "bin/claude"
    ) -> Path:
        """Put a client there that answers `--version`."""
        path = self.path / place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"#!/bin/sh\necho '{answer}'\n")
        path.chmod(0o755)
        return path

    def tree(self) -> set[str]:
        """Return every path below the home."""
        return {str(path.relative_to(self.path)) for path in self.path.rglob("*")}
