"""A terminal: a process of its own in which commands are run, one after the other."""

from __future__ import annotations

import json
import os
import socket
import threading
from contextlib import suppress

from flightdeck import cli
from flightdeck.commands import reap, status  # noqa: F401 - read once, for every terminal


class Terminal:
    """It runs what it is told to, and says with which exit code that ended."""

    def __init__(self) -> None:
        """Fork it; this must have no second thread yet."""
        self._line, theirs = socket.socketpair()
        self._lock = threading.Lock()
        if os.fork() == 0:
            self._line.close()
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
            with suppress(BaseException), theirs.makefile("rwb", buffering=0) as pipe:
                for order in pipe:
                    pipe.write(b"%d\n" % cli.main(json.loads(order)))
            os._exit(0)
        theirs.close()
        self._pipe = self._line.makefile("rwb", buffering=0)

    def run(self, *argv: str) -> int:
        """Run one and return its exit code."""
        with self._lock:
            self._pipe.write(json.dumps(argv).encode() + b"\n")
            return int(self._pipe.readline())
