"""One permission hook that waits, from the moment its FIFO is seen until it is let go.

Whoever calls sees to it that only one thread does at a time.

Source: templates/hooks/wait.sh.j2.
"""

from __future__ import annotations

import contextlib
import math
import os
from typing import TYPE_CHECKING

from flightdeck.store import asks
from flightdeck.system import clock, pipes

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from flightdeck.store.asks import Fifo

# How long a hook no request is known of is held: its event may not have been folded yet.
GRACE_S = 1.0
# A hook whose event is there comes to read within a few milliseconds.
OPENING_S = 5.0


class Lease:
    """A FIFO of a hook, and its write end once the hook reads.

    `request` is the request it waits with, "" while none is known; `deadline` is when it
    is let go, in seconds of `clock.monotonic`.
    """

    def __init__(self, fifo: Fifo) -> None:
        self.fifo = fifo
        self.request = ""
        self.handle: int | None = None
        self.deadline = math.inf
        self.given = False
        self.taken = False
        self.over = False
        self._whole = False
        self._opening_until = -math.inf

    @property
    def held(self) -> bool:
        """Say whether its request can be answered."""
        return self.handle is not None and self.request != ""

    def opening(self, now: float) -> bool:
        """Say whether its hook has to come and read any moment."""
        return self.handle is None and now < self._opening_until

    def claim(self, wanted: Mapping[str, float], known: Collection[str], now: float) -> None:
        """Take in which requests are `known`, and until when those `wanted` are held."""
        if not self.request:
            self.request = self.fifo.request(known)
            if self.request:
                self._opening_until = now + OPENING_S
        if self.request:
            self.deadline = wanted.get(self.request, -math.inf)

    def open(self, now: float) -> int | None:
        """Take the write end if its hook reads, and return it.

        Raises:
            FileNotFoundError: the FIFO is gone, or another one stands in its place.
        """
        try:
            self.handle = asks.open_end(self.fifo)
        except FileNotFoundError:
            raise
        except OSError:  # out of handles, for a while
            return None
        if self.handle is None and self.fifo.abandoned(clock.now()):
            asks.remove(self.fifo)
            raise FileNotFoundError(self.fifo.path)
        if self.handle is not None and not self.request:
            self.deadline = now + GRACE_S
        return self.handle

    def look_again(self, now: float) -> float:
        """Return when there is something to do for it unless its hook ends before."""
        if self.handle is None:
            return now + asks.RETRY_S if self.opening(now) else math.inf
        return math.inf if self.given else self.deadline

    def fits(self, line: str) -> bool:
        """Say whether `line` is one line that the FIFO takes at once."""
        if self.handle is None or "\n" in line:
            return False
        return len(line.encode()) < pipes.capacity(self.handle)

    def give(self, line: str) -> bool:
        """Write the answer, whole or for nothing; return whether it is on its way."""
        assert self.handle is not None  # noqa: S101 - only a held one is answered
        self.given = True
        data = line.encode() + b"\n"
        with contextlib.suppress(OSError):  # its hook has gone
            self._whole = os.write(self.handle, data) == len(data)
        return self._whole

    def end(self) -> None:
        """Let its hook go. What of an answer was not read by now nobody will read."""
        self.over = True
        handle, self.handle = self.handle, None
        if handle is None:
            return
        if self.given:
            unread = asks.take_back(self.fifo, handle)
            self.taken = self._whole and not unread
        asks.remove(self.fifo)
        os.close(handle)
