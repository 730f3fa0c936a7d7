"""Tells other programs how the fleet stands: the snapshot on their stdin, and no waiting.

`local.yaml` names executables; each gets the newest snapshot, one run at a time, beside
the others and beside the fold. One that is missing, crashes or hangs is logged and
stepped over. The log names the program and its fate, never what it was told.

Source: README.md, "Renderers".
"""

from __future__ import annotations

import logging
import threading
from typing import TYPE_CHECKING

from flightdeck.errors import Unavailable
from flightdeck.system.clock import monotonic
from flightdeck.system.run import feed

if TYPE_CHECKING:
    from collections.abc import Sequence

_LOG = logging.getLogger(__name__)

# What killing a late renderer may take once its time is over.
_KILL_S = 0.1


class Renderers:
    """The executables at `paths`, each given `timeout_s` seconds for a snapshot."""

    def __init__(self, paths: Sequence[str], timeout_s: float = 1.0) -> None:
        self._timeout_s = timeout_s
        self._snapshot = ""
        self._feeders: dict[str, _Feeder] = {}
        self.follow(paths)

    def follow(self, paths: Sequence[str]) -> None:
        """Tell these from now on; one that is new is told how the fleet stands."""
        before = self._feeders
        self._feeders = {p: before.get(p) or _Feeder(p, self._timeout_s) for p in paths}
        for path in before.keys() - self._feeders.keys():
            before[path].stop(monotonic() + self._timeout_s)
        for path in self._feeders.keys() - before.keys() if self._snapshot else ():
            self._feeders[path].offer(self._snapshot)

    def send(self, snapshot: str) -> None:
        """Give every renderer the snapshot, a JSON text; returns at once and never raises.

        A renderer that is still busy gets it afterwards, unless a newer one comes first.
        """
        self._snapshot = snapshot
        for feeder in self._feeders.values():
            feeder.offer(snapshot)

    def close(self) -> None:
        """Let what was sent be told, for `timeout_s` seconds at most; then nothing runs."""
        stop_at = monotonic() + self._timeout_s
        for feeder in self._feeders.values():
            feeder.stop(stop_at)
        for feeder in self._feeders.values():
            feeder.join()


class _Feeder:
    """One renderer: a thread while there is something to tell, and room for one snapshot."""

    def __init__(self, path: str, timeout_s: float) -> None:
        self._path = path
        self._timeout_s = timeout_s
        self._lock = threading.Lock()
        self._waiting: str | None = None
        self._thread: threading.Thread | None = None
        self._stop_at: float | None = None
        self._fault = ""

    def offer(self, snapshot: str) -> None:
        with self._lock:
            if self._stop_at is not None:
                return
            self._waiting = snapshot
            if self._thread is None:
                self._thread = self._started()

    def stop(self, at: float) -> None:
        with self._lock:
            self._stop_at = at

    def join(self) -> None:
        thread, stop_at = self._thread, self._stop_at
        if thread is not None and stop_at is not None:
            thread.join(max(0.0, stop_at - monotonic()) + _KILL_S)

    def _started(self) -> threading.Thread | None:
        thread = threading.Thread(target=self._tell_all, name=f"renderer {self._path}", daemon=True)
        try:
            thread.start()
        except RuntimeError as error:  # the system gives no more threads
            self._note(str(error))
            return None
        return thread

    def _tell_all(self) -> None:
        while (snapshot := self._next()) is not None:
            self._tell(snapshot)

    def _next(self) -> str | None:
        """Take what waits; without anything, the next offer needs a new thread."""
        with self._lock:
            snapshot, self._waiting = self._waiting, None
            if snapshot is None:
                self._thread = None
            return snapshot

    def _tell(self, snapshot: str) -> None:
        stop_at = self._stop_at
        left = self._timeout_s if stop_at is None else min(self._timeout_s, stop_at - monotonic())
        if left <= 0:
            return
        try:
            code = feed([self._path], snapshot, timeout_s=left)
        except (Unavailable, ValueError) as error:
            self._note(str(error))
        else:
            self._note(f"'{self._path}' ended with status {code}" if code else "")

    def _note(self, fault: str) -> None:
        """Log a fault when it is news: a broken renderer is broken at every snapshot."""
        if fault and fault != self._fault:
            _LOG.warning("renderer: %s", fault)
        self._fault = fault
