"""The permission hooks the panel holds: who can be answered, and answering them.

A hook waits at its FIFO for as long as the panel holds the write end. Let go, it ends
and prints nothing; should the panel die, the kernel lets it go. Which are held, and for
how long, is said by whoever calls `sync`; an answer is given by `answer` and nowhere else.

Source: templates/hooks/wait.sh.j2; README.md, "Row 3: verdicts".
"""

from __future__ import annotations

import contextlib
import logging
import math
import threading
from typing import TYPE_CHECKING

from flightdeck.panel.lease import Lease
from flightdeck.store import asks
from flightdeck.system import clock, process
from flightdeck.system.pipes import Readers

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping
    from pathlib import Path

_LOG = logging.getLogger(__name__)
# The hook prints a line and ends: a fifth of a millisecond, unless the machine is stuck.
ANSWER_S = 1.0
_JOIN_S = 2.0
# After a fault of our own: what the log says once a second can still be read.
_FAULT_S = 1.0


class Leases:
    """All of them, those in the folder `asks/`; `changed` is called when `held` differs.

    Every method may be called from any thread, and so is `changed`.
    """

    def __init__(self, folder: Path, changed: Callable[[], None] = lambda: None) -> None:
        self.changed = changed
        self._folder = folder
        self._lock = threading.Condition()
        self._leases: dict[tuple[int, int], Lease] = {}
        self._readers = Readers()
        self._thread: threading.Thread | None = None
        self._planned = math.inf
        self._closed = False

    def sync(self, wanted: Mapping[str, float], release: Collection[str] = ()) -> None:
        """Hold the hooks of the requests `wanted`, each until its deadline, and no others.

        Deadlines are in seconds of `clock.monotonic`. `release` are requests that are
        known and not to be held: their hooks go at once. A hook no request is known of
        goes a moment later, because its event may not have been folded yet.
        """
        with self._changing():
            if self._closed:
                return
            self._look()
            now = clock.monotonic()
            known = [*wanted, *release]
            for lease in list(self._leases.values()):
                if not lease.given:
                    lease.claim(wanted, known, now)
                self._advance(lease, now)
            self._have_thread_see_to_it(now)

    def held(self) -> frozenset[str]:
        """Return the requests that can be answered now."""
        with self._lock:
            return self._held()

    def opening(self, request_id: str) -> bool:
        """Say whether the hook of a request has to come and read any moment."""
        with self._lock:
            lease = self._of(request_id)
            return lease is not None and lease.opening(clock.monotonic())

    def answer(self, request_id: str, line: str) -> bool:
        """Give the hook of a request its answer, once; return whether it took it.

        Blocks until it is known, a second at most. What was not taken by then is taken
        back: after False the hook prints nothing.
        """
        with self._changing():
            now = clock.monotonic()
            lease = self._of(request_id)
            if lease is None or lease.given or now >= lease.deadline or not lease.fits(line):
                return False
            if lease.give(line):
                self._lock.wait_for(lambda: lease.over, ANSWER_S)
            self._end(lease)
            return lease.taken

    def release_all(self) -> None:
        """Let every hook go."""
        with self._changing():
            for lease in list(self._leases.values()):
                if lease.handle is not None:
                    self._end(lease)
                lease.deadline = -math.inf

    def close(self) -> None:
        """Let every hook go and hold none any more; may be called twice.

        Called once `panel.pid` is gone: hooks that come later do not wait, and those that
        are about to are let go here.
        """
        self.release_all()
        with self._lock:
            closed, self._closed = self._closed, True
            thread = self._thread
        if closed:
            return
        self._readers.wake()
        if thread is not None:
            thread.join(_JOIN_S)
        self._readers.close()
        asks.sweep(self._folder, panel_alive=False)

    def _of(self, request_id: str) -> Lease | None:
        return next((one for one in self._leases.values() if one.request == request_id), None)

    def _held(self) -> frozenset[str]:
        return frozenset(lease.request for lease in self._leases.values() if lease.held)

    @contextlib.contextmanager
    def _changing(self) -> Iterator[None]:
        """Have the lock, and tell when what is held has become other."""
        with self._lock:
            before = self._held()
            try:
                yield
            finally:
                differs = self._held() != before
        if differs:
            self.changed()

    def _look(self) -> None:
        """Take up hooks that are new; forget those that went before they came to read."""
        there = {fifo.inode: fifo for fifo in asks.standing(self._folder)}
        for inode in there.keys() - self._leases.keys():
            self._leases[inode] = Lease(there[inode])
        for inode, lease in list(self._leases.items()):
            if lease.handle is None and inode not in there:
                self._end(lease)

    def _advance(self, lease: Lease, now: float) -> None:
        """Do for it what is due."""
        if lease.handle is None:
            try:
                handle = lease.open(now)
            except FileNotFoundError:
                self._end(lease)
                return
            if handle is None:
                return
            self._readers.add(handle)
        if not lease.given and now >= lease.deadline:
            self._end(lease)

    def _end(self, lease: Lease) -> None:
        if self._leases.pop(lease.fifo.inode, None) is None:
            return
        if lease.handle is not None:
            self._readers.remove(lease.handle)
        lease.end()
        self._lock.notify_all()

    def _have_thread_see_to_it(self, now: float) -> None:
        if not self._leases:
            return
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="leases", daemon=True)
            self._thread.start()
        elif self._next(now) < self._planned:
            self._readers.wake()

    def _next(self, now: float) -> float:
        """Return when there is something to do although no hook ends; inf: never."""
        times = [lease.look_again(now) for lease in self._leases.values()]
        if self._readers.look_s is not None and self._leases:
            times.append(now + self._readers.look_s)
        return min(times, default=math.inf)

    def _run(self) -> None:
        while not self._closed:
            try:
                self._turn()
            except Exception:
                _LOG.exception("leases: every hook is let go")
                self.release_all()
                clock.pause(_FAULT_S)

    def _turn(self) -> None:
        with self._lock:
            now = clock.monotonic()
            self._planned = self._next(now)
            patience = None if self._planned == math.inf else max(0.0, self._planned - now)
        gone = self._readers.wait(patience)
        with self._changing():
            if self._closed:
                return
            for lease in list(self._leases.values()):
                if self._hook_is_gone(lease, gone):
                    self._end(lease)
                else:
                    self._advance(lease, clock.monotonic())

    def _hook_is_gone(self, lease: Lease, told: Collection[int]) -> bool:
        """Say so if it was told and is so, or by a look where nobody may tell."""
        handle = lease.handle
        if handle is not None and handle in told and self._readers.gone(handle):
            return True
        return self._readers.look_s is not None and not process.takes_signals(lease.fifo.pid)
