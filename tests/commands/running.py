"""A `flightdeck run` in a process of its own, as a person starts it."""

from __future__ import annotations

import functools
import json
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from flightdeck.fold.judging import compile_rules
from flightdeck.store.instance import running_panel
from flightdeck.store.paths import StateFolder
from tests.fold.world import DEADLINE_S, until

if TYPE_CHECKING:
    from tests.fold.world import Machine

FLIGHTDECK = (sys.executable, "-m", "flightdeck")


@functools.cache
def _compiled() -> tempfile.TemporaryDirectory[str]:
    """Return a folder that holds what any panel with the shipped rules alone compiles."""
    there = tempfile.TemporaryDirectory()
    folder = StateFolder(Path(there.name))
    folder.create()
    compile_rules(folder)
    return there


def spare_it_compiling(folder: StateFolder) -> None:
    """Put the compiled rules there, as any panel but the first ever finds them."""
    shutil.copytree(
        StateFolder(Path(_compiled().name)).compiled, folder.compiled, dirs_exist_ok=True
    )


class Running:
    """The panel on the recorder deck, recording into a folder."""

    def __init__(self, machine: Machine, *words: str) -> None:
        self.machine = machine
        self.frames = machine.home / "frames"
        spare_it_compiling(machine.folder)
        argv = [*FLIGHTDECK, "run", "--deck", "recorder", "--record", str(self.frames), *words]
        self.process = subprocess.Popen(
            argv, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        self.said = ""

    def begun(self) -> Running:
        """Wait until its first picture is painted."""
        until(lambda: self.names().keys() >= {(1, 1), (4, 8)} or self.process.poll(), "a panel")
        assert self.process.poll() is None, self.process.communicate()
        return self

    def names(self) -> dict[tuple[int, int], str]:
        """Return what every key shows now, in the words of a screen reader."""
        log = self.frames / "frames.jsonl"
        lines = log.read_text(encoding="utf-8").splitlines() if log.exists() else []
        rows: list[dict[str, Any]] = [json.loads(line) for line in lines if line.endswith("}")]
        return {(row["row"], row["column"]): row["name"] for row in rows}

    def shows(self, column: int, state: str) -> None:
        """Wait until a key of the top row shows a state."""
        until(
            lambda: self.names().get((1, column), "").startswith(state),
            f"{state} on key 1.{column}, it is {self.names().get((1, column))}",
        )

    def listens(self) -> bool:
        """Say whether a press would find it."""
        panel = running_panel(self.machine.folder)
        return panel is not None and bool(panel.control)

    def end(self, number: int = signal.SIGTERM) -> int:
        """Send a signal and return how it ended."""
        self.process.send_signal(number)
        out, err = self.process.communicate(timeout=DEADLINE_S)
        self.said = out + err
        return self.process.returncode

    def stop(self) -> None:
        """End it however it can be ended."""
        if self.process.poll() is None:
            self.process.kill()
        self.process.communicate()


def log_of(folder: Path) -> str:
    """Return the panel's log."""
    return (folder / "panel.log").read_text(encoding="utf-8")
