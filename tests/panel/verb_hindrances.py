"""What stands in the way for a while: the latch, and a disk that takes nothing of the panel."""

from __future__ import annotations

import resource
import threading
import time
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from flightdeck.store import latch

if TYPE_CHECKING:
    from collections.abc import Callable

    from flightdeck.store.paths import StateFolder

_FOR_EVER = float("inf")


@dataclass
class Hindrances:
    """`latched` and `full` are from when until when each stood, for certain, epoch seconds."""

    folder: StateFolder
    panel: Callable[[], int]
    latched: list[tuple[float, float]] = field(default_factory=list)
    full: list[tuple[float, float]] = field(default_factory=list)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def halt(self) -> None:
        with self._lock:
            if latch.put(self.folder):
                self.latched.append((time.time(), _FOR_EVER))

    def lift(self) -> None:
        with self._lock:
            _end(self.latched)
            latch.lift(self.folder)

    def fill(self) -> None:
        """From now on the panel cannot write a byte."""
        with self._lock:
            _end(self.full)
            self.full.append((time.time(), _FOR_EVER))
            self._limit(0)

    def free(self) -> None:
        with self._lock:
            self._limit(resource.RLIM_INFINITY)
            _end(self.full)

    def _limit(self, size: int) -> None:
        with suppress(OSError):  # it may have been killed
            _, hard = resource.prlimit(self.panel(), resource.RLIMIT_FSIZE)
            resource.prlimit(self.panel(), resource.RLIMIT_FSIZE, (size, hard))


def _end(spans: list[tuple[float, float]]) -> None:
    if spans and spans[-1][1] == _FOR_EVER:
        spans[-1] = spans[-1][0], time.time()
