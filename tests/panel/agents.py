"""Agents to be torn down: real processes, which end on SIGTERM or do not."""

from __future__ import annotations

import subprocess
import threading
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from flightdeck.panel.teardown import Subject
from flightdeck.system.process import alive, start_of
from tests.fold.world import until

if TYPE_CHECKING:
    from pathlib import Path

SLEEP = ("/bin/sleep", "600")


@dataclass
class Agents:
    """Starts processes and waits for each as a shell does, so that none stays a zombie."""

    started: list[subprocess.Popen[bytes]] = field(default_factory=list)

    def run(self, *argv: str, cwd: Path | None = None) -> int:
        """Start a program and return its pid."""
        child = subprocess.Popen(argv, cwd=cwd, stdin=subprocess.DEVNULL, start_new_session=True)
        self.started.append(child)
        threading.Thread(target=child.wait, daemon=True).start()
        return child.pid

    def subject(self, cwd: Path, *argv: str) -> Subject:
        """Start an agent that works in `cwd`, and stands there if it can."""
        pid = self.run(*(argv or SLEEP), cwd=cwd if cwd.is_dir() else None)
        return Subject(str(cwd), pid, start_of(pid) or "")

    def alive(self, subject: Subject) -> bool:
        """Say whether the agent runs."""
        return alive(subject.pid, subject.started)

    def end(self) -> None:
        """End whatever still runs."""
        for child in self.started:
            child.kill()
        until(lambda: all(child.poll() is not None for child in self.started), "their end")
