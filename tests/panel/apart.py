"""The same panel in a process that can be killed, and the smithy that forks such processes.

Forked from a process that has everything imported and no thread, a panel stands within
milliseconds. It is spoken to over a socket, one line each way.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.panel.station import Ahead, Station

if TYPE_CHECKING:
    from types import TracebackType


class Smithy:
    """Makes panels, each in a process of its own, until the block ends."""

    def __enter__(self) -> Smithy:
        """Start it."""
        self._folder = tempfile.TemporaryDirectory(prefix="fd-")
        self._path = str(Path(self._folder.name) / "s")
        self._listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._listening.bind(self._path)
        self._listening.listen(4)
        self._listening.settimeout(60)
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.panel.apart", self._path], stdin=subprocess.PIPE
        )
        return self

    def panel(self, home: Path, ahead: Ahead) -> Apart:
        """Return a panel of that home that runs."""
        order = [str(home), ahead.by_s, os.environ["CLAUDE_CONFIG_DIR"]]
        assert self._process.stdin
        self._process.stdin.write(json.dumps(order).encode() + b"\n")
        self._process.stdin.flush()
        line, _ = self._listening.accept()
        return Apart(line)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        """End it; whom it made ends with the socket."""
        assert self._process.stdin
        self._process.stdin.close()
        self._process.wait()
        self._listening.close()
        self._folder.cleanup()


class Apart:
    """One panel of the smithy's: what a `Station` can, and being killed."""

    def __init__(self, line: socket.socket) -> None:
        line.settimeout(60)
        self._line = line.makefile("rwb", buffering=0)
        self._socket = line
        self.pid = int(self._line.readline())
        self.come_of: list[str] = []
        self.answered: list[str] = []

    def press(self, what: str, at: float) -> None:
        """Let a key go down at that time of the clock."""
        self._do("press", what, at)

    def rule(self, what: str, request_id: str, at: float) -> None:
        """Give a verdict as a terminal does."""
        self._do("rule", what, request_id, at)

    def touch(self, index: int) -> None:
        """Press a key that is none of the verdict row's."""
        self._do("touch", index)

    def halt(self, *, on: bool) -> None:
        """Turn the latch."""
        self._do("halt", on)

    def put_on(self, by_s: float) -> None:
        """Let its clock be ahead by so much."""
        self._do("put on", by_s)

    def settle(self) -> None:
        """Wait until what has happened so far is on its keys."""
        self.come_of, self.answered = self._do("settle")

    def stop(self) -> None:
        """End it as a signal does."""
        self.come_of, self.answered = self._do("stop")
        self._gone()

    def kill(self) -> None:
        """SIGKILL, and wait until nothing of it is left."""
        os.kill(self.pid, signal.SIGKILL)
        self._gone()

    def _gone(self) -> None:
        while self._socket.recv(4096):
            pass
        self._line.close()
        self._socket.close()

    def _do(self, what: str, *about: Any) -> Any:
        self._line.write(json.dumps([what, *about]).encode() + b"\n")
        answer = json.loads(self._line.readline())
        assert not answer[0], answer[0]
        return answer[1:]


def _smith(path: str) -> None:
    """Fork a panel for each line that comes in."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    for order in sys.stdin:
        if os.fork() == 0:
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
            try:
                _serve(path, *json.loads(order))
            finally:
                os._exit(0)


def _serve(path: str, home: str, ahead_s: float, config: str) -> None:
    """Be a panel that does what it is told, until it is told to stop or nobody is there."""
    os.environ |= {"CLAUDE_CONFIG_DIR": config, "HOME": home}
    line = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    line.connect(path)
    ahead = Ahead(ahead_s)
    with ahead.patched(), line.makefile("rwb", buffering=0) as pipe:
        station = Station(Path(home))
        pipe.write(b"%d\n" % os.getpid())
        for order in pipe:
            what, *about = json.loads(order)
            try:
                _obey(station, ahead, what, about)
                answer = ["", station.come_of, station.answered]
            except BaseException as error:  # whoever told it must hear of it
                answer = [repr(error), [], []]
            pipe.write(json.dumps(answer).encode() + b"\n")
            if what == "stop":
                return


def _obey(station: Station, ahead: Ahead, what: str, about: list[Any]) -> None:
    match what:
        case "halt":
            station.halt(on=about[0])
        case "put on":
            ahead.by_s = about[0]
            station.panel.wake()
        case _:
            getattr(station, what)(*about)


if __name__ == "__main__":
    _smith(sys.argv[1])
