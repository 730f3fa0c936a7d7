"""Runs the lines of a README's shell block as a person types them, in a home of their own.

The command is the real one. A few programs are stand-ins, each for a reason:

- `python3` and `.venv/bin/python` make a venv and install into it, which takes the network;
- `claude` is the agent's client, which may not be there and would write its own settings;
- `pytest` and `.ci/test` would run these very tests, or draw the pictures anew.

`demo` and `run` end by themselves after a moment, where a person presses Ctrl-C; `run` takes
the recorder, so that no deck of the person at this machine is ever opened.
"""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

from flightdeck.store.paths import StateFolder
from tests.commands.running import spare_it_compiling
from tests.readme.pages import ROOT

if TYPE_CHECKING:
    from pathlib import Path

STAND_INS = ("bin/python3", ".venv/bin/python", "bin/claude", "bin/pytest", ".ci/test")
SHIPPED = ("layouts", "verbs", "risk", "templates")
LONGEST_S = 100

_FLIGHTDECK = """#!/bin/sh
case $1 in
demo) set -- "$@" --seconds 0.2 --no-open ;;
run) set -- "$@" --deck recorder --seconds 0.2 ;;
esac
exec '{python}' -m flightdeck "$@"
"""
_NOTED = "#!/bin/sh\necho \"$0 $*\" >>'{log}'\n"


@dataclass
class Clone:
    """A clone of the repository in a home that has Claude Code's settings, and nothing else."""

    home: Path

    def __post_init__(self) -> None:
        """Put there what a person has: the shipped files, the command, and the stand-ins."""
        self._program(".venv/bin/flightdeck", _FLIGHTDECK.format(python=sys.executable))
        for name in STAND_INS:
            self._program(name, _NOTED.format(log=self.log))
        for name in SHIPPED:
            (self.path / name).symlink_to(ROOT / name)
        spare_it_compiling(StateFolder(self.home / ".fleet"))
        (self.home / ".claude").mkdir()
        (self.home / ".claude" / "settings.json").write_text("{}\n", encoding="utf-8")
        (self.path / "bin" / "flightdeck").symlink_to(self.path / ".venv/bin/flightdeck")

    @property
    def path(self) -> Path:
        """Return the clone itself."""
        return self.home / "flightdeck"

    @property
    def log(self) -> Path:
        """Return where stand-ins note how they were called."""
        return self.home / "called"

    def run(self, line: str) -> subprocess.CompletedProcess[str]:
        """Run a line in the clone, at a terminal where somebody says yes to each question."""
        ours, theirs = pty.openpty()
        try:
            os.write(ours, b"y\n" * 4)
            return subprocess.run(
                ["/bin/sh", "-c", line],
                stdin=theirs,
                capture_output=True,
                text=True,
                cwd=self.path,
                env=self._environment(),
                timeout=LONGEST_S,
                check=False,
            )
        finally:
            os.close(ours)
            os.close(theirs)

    def _environment(self) -> dict[str, str]:
        own = {"HOME": str(self.home), "PATH": f"{self.path}/bin:{os.defpath}", "NO_COLOR": "1"}
        kept = ("FLIGHTDECK_SYSTEMCTL", "FLIGHTDECK_LAUNCHCTL", "PYTHONPATH", "LANG")
        return {name: os.environ[name] for name in kept if name in os.environ} | own

    def _program(self, name: str, text: str) -> None:
        path = self.path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        path.chmod(0o755)


def lines_of(block: str) -> list[str]:
    """Return the lines of a block, one that goes on in the next as one."""
    return block.replace("\\\n", "").splitlines()
