"""An agent as a shell that is told what to run: that is its child, as a client's tool is."""

from __future__ import annotations

import os
import shlex
import subprocess
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tests.commands.running import FLIGHTDECK

if TYPE_CHECKING:
    from tests.fold.world import Machine

_KEPT = ("PATH", "HOME", "FLEET_HOME", "CLAUDE_CONFIG_DIR", "PYTHONPATH")


@dataclass(frozen=True)
class Said:
    """How a command ended, and what it said."""

    code: int
    out: str
    err: str


class Shell:
    """A shell that runs, one at a time, what it is told; `names` are added to its environment."""

    def __init__(self, machine: Machine, **names: str) -> None:
        self._errors = machine.home / "errors"
        kept = {name: os.environ[name] for name in _KEPT if name in os.environ}
        self._process = subprocess.Popen(
            ["/bin/sh"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=kept | names,
            text=True,
            bufsize=1,
        )
        self.pid = self._process.pid

    def tells(self, line: str) -> str:
        """Give it a line, and return the next one it prints."""
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.write(f"{line}\n")
        self._process.stdin.flush()
        return self._process.stdout.readline().rstrip("\n")

    def opens(self) -> int:
        """Let it run another shell, which takes over from it, and return that one's pid."""
        # It says so itself: a shell reads ahead what is meant for the one it runs.
        return int(self.tells("/bin/sh -c 'echo $$; exec /bin/sh'"))

    def runs(self, *words: str, cut_loose: bool = False, **names: str) -> Said:
        """Let it run `flightdeck` with these words and return what came of it.

        What is `cut_loose` has lost its parent when it begins.
        """
        given = [f"{name}={shlex.quote(value)}" for name, value in names.items()]
        errors, out = shlex.quote(str(self._errors)), shlex.quote(f"{self._errors}.out")
        line = f"{shlex.join([*FLIGHTDECK, *words])} >{out} 2>{errors} </dev/null"
        line = self._cut_loose(line) if cut_loose else f"{line}; echo $?"
        code = int(self.tells(f"{'export ' if given else ''}{' '.join(given)}\n{line}"))
        return Said(code, _text(f"{self._errors}.out"), _text(str(self._errors)))

    def _cut_loose(self, line: str) -> str:
        """Let it begin once the shell between it and us has ended."""
        fifo = shlex.quote(f"{self._errors}.fifo")
        waiting = f"/bin/sh -c {shlex.quote(f'read go <{fifo}; {line}; echo $?')} &"
        return f"mkfifo {fifo}; /bin/sh -c {shlex.quote(waiting)}; echo go >{fifo}"

    def end(self) -> None:
        """End it, and whatever took over from it."""
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.close()
        self._process.kill()
        self._process.wait()
        self._process.stdout.close()


def _text(path: str) -> str:
    with open(path, encoding="utf-8") as stream:  # noqa: PTH123 - a path as the shell has it
        return stream.read()
