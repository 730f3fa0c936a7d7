"""A permission hook that waits, and the panel's end of its FIFO, held by hand."""

from __future__ import annotations

import os
import signal
import subprocess
from dataclasses import dataclass
from typing import TYPE_CHECKING

from flightdeck.install.snippets import Kind
from flightdeck.model.event import is_whole
from tests.fold.world import until
from tests.hooks.place import Ended, Place, argv, end_of, feed

if TYPE_CHECKING:
    from pathlib import Path
    from types import TracebackType

EVENT = "PermissionRequest"
PAYLOAD = b'{"hook_event_name":"PermissionRequest","tool_name":"Bash"}\n'
ANSWER = '{"hookSpecificOutput":{"decision":{"behavior":"allow"}}}'


def wait_command(place: Place) -> str:
    """Return the permission hook of a place."""
    return place.command(Kind.WAIT, EVENT)


def let_panel_live(place: Place, pid: int | None = None) -> None:
    """Let `panel.pid` say that a panel runs; this process is one that lives."""
    (place.root / "panel.pid").write_text(f"{pid or os.getpid()}\n{{}}\n")


def asks_of(place: Place) -> list[str]:
    """Return whatever is in `asks/`."""
    return sorted(path.name for path in (place.root / "asks").iterdir())


def processes(*which: str) -> list[str]:
    """Return what `ps` says of processes, a line each."""
    done = subprocess.run(["ps", *which], capture_output=True, text=True, check=False)
    return [line.strip() for line in done.stdout.splitlines()] or [""]


@dataclass
class Waiting:
    """A permission hook as a client runs it, from its start until the block ends."""

    place: Place
    process: subprocess.Popen[bytes]

    @property
    def pid(self) -> int:
        return self.process.pid

    @property
    def fifo(self) -> Path:
        return self.place.root / "asks" / f"{self.pid}.fifo"

    @property
    def event(self) -> Path:
        return self.place.inbox / f"{self.pid}.{EVENT}.ev"

    def send(self, payload: bytes = PAYLOAD) -> Waiting:
        """Give it its payload, as the client does; the pipe stays open."""
        assert self.process.stdin
        feed(self.process.stdin, payload)
        return self

    def request(self) -> str:
        """Wait until its event can be folded, and return what its request is called."""
        until(lambda: self.event.exists() and is_whole(self.event.read_bytes()), "the event")
        return f"{self.event.stat().st_mtime_ns}-{self.pid}"

    def hold(self) -> int:
        """Take the write end of its FIFO as soon as it reads."""
        until(self.fifo.exists, "the FIFO")
        return os.open(self.fifo, os.O_WRONLY)

    def reads(self) -> bool:
        """Say whether it has become the `head` that waits."""
        return processes("-p", str(self.pid), "-o", "comm=")[-1].endswith("head")

    def end(self) -> Ended:
        """Wait for its end and say how it was."""
        return end_of(self.process)

    def signal(self, number: int) -> None:
        """Send a signal to all of it, as the client does."""
        os.killpg(self.pid, number)

    def stop(self) -> None:
        """Have it waiting and stopped: it reads nothing until it is told to go on."""
        until(self.reads)
        self.signal(signal.SIGSTOP)
        until(lambda: processes("-p", str(self.pid), "-o", "stat=")[-1].startswith("T"))

    def __enter__(self) -> Waiting:
        """Nothing to do: it runs."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        """Leave no process behind, whatever the test found."""
        if self.process.poll() is None:
            self.signal(signal.SIGKILL)
        self.process.__exit__(kind, error, at)


def ask(place: Place, command: str = "", environ: dict[str, str] | None = None) -> Waiting:
    """Start the permission hook of a place; it has no payload yet."""
    return Waiting(place, place.client(command or wait_command(place), environ=environ))


def ask_inside(place: Place, wrapper: str) -> Waiting:
    """Start it inside a line of sh that ends by running `"$@"`."""
    process = subprocess.Popen(
        ["/bin/sh", "-c", wrapper, "sh", *argv(place.shell, wait_command(place))],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=place.root,
        start_new_session=True,
        bufsize=0,
    )
    return Waiting(place, process)
