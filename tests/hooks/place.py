"""A place hooks can be run in: a state folder, both shells, and the client's side of the pipe."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from flightdeck.install.snippets import Kind, Site, render_hook

SHELLS = [shell for shell in ("/bin/dash", "/bin/bash") if Path(shell).exists()]
if shutil.which("busybox"):
    SHELLS.append(str(shutil.which("busybox")))

SESSION = "66078404-f8e0-46c9-bbcd-288d19208686"
# Long enough for a machine under load; every wait ends as soon as the hook does.
DEADLINE_S = 30


def tool(name: str) -> str:
    """Return where a program of this machine lies."""
    found = shutil.which(name)
    assert found
    return found


def argv(shell: str, command: str) -> list[str]:
    """Return what starts `command` the way the client does, in one of `SHELLS`."""
    return [shell, *(["sh"] if shell.endswith("busybox") else []), "-c", command]


@dataclass
class Place:
    """A state folder and what hooks for it are run with."""

    root: Path
    executable: Path
    shell: str
    environ: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Make the folders and the executable hooks look for."""
        for name in ("inbox", "blocked", "asks", "queue"):
            (self.root / name).mkdir(parents=True, exist_ok=True)
        self.executable.write_text("#!/bin/sh\n")
        self.executable.chmod(0o755)

    @property
    def inbox(self) -> Path:
        return self.root / "inbox"

    def site(self) -> Site:
        tools = map(tool, ("head", "rm", "mkfifo", "mv"))
        return Site(self.executable, self.root, *tools)

    def command(self, kind: Kind = Kind.SPOOL, event: str = "Stop") -> str:
        return render_hook(kind, event, self.site())

    def argv(self) -> list[str]:
        """Return what runs the spool hook in this place's shell."""
        return argv(self.shell, self.command())

    def spooled(self) -> list[Path]:
        """Return whatever is in the inbox, hidden or not."""
        return sorted(self.inbox.iterdir())

    def client(
        self,
        command: str,
        *,
        stdin: int | IO[bytes] = subprocess.PIPE,
        environ: dict[str, str] | None = None,
    ) -> subprocess.Popen[bytes]:
        """Start `command` as a client does: a pipe on each side, a session of its own."""
        env = {"CLAUDE_PID": "4242", "CLAUDE_CODE_SESSION_ID": SESSION, **self.environ}
        return subprocess.Popen(
            argv(self.shell, command),
            stdin=stdin,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=env if environ is None else environ,
            start_new_session=True,
            bufsize=0,
        )

    def fire(
        self, payload: bytes, command: str | None = None, environ: dict[str, str] | None = None
    ) -> Ended:
        """Run a hook to its end on `payload` and say how it went, the writer's side included."""
        with self.client(command or self.command(), environ=environ) as hook:
            assert hook.stdin
            whole = feed(hook.stdin, payload)
            hook.stdin.close()
            return end_of(hook, broken=not whole)


@dataclass(frozen=True)
class Ended:
    """How a hook ended; `broken` is EPIPE at the client."""

    code: int
    out: bytes
    err: bytes
    broken: bool = False


QUIET = Ended(0, b"", b"")


def feed(pipe: IO[bytes], payload: bytes) -> bool:
    """Write all of `payload`; return whether the other side took it, or closed its end."""
    left = memoryview(payload)
    try:
        while left:
            left = left[pipe.write(left) :]
    except BrokenPipeError:
        return False
    return True


def end_of(hook: subprocess.Popen[bytes], *, broken: bool = False) -> Ended:
    """Wait for a hook that has all it will get, and say how it ended."""
    assert hook.stdout
    assert hook.stderr
    try:
        code = hook.wait(DEADLINE_S)
    finally:
        if hook.returncode is None:
            os.killpg(hook.pid, signal.SIGKILL)
    return Ended(code, hook.stdout.read(), hook.stderr.read(), broken=broken)


def is_root() -> bool:
    """Say whether permissions mean nothing here."""
    return os.geteuid() == 0
