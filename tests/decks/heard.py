"""The panel's ear in tests: keeps the edges a deck reports and waits for the next."""

from __future__ import annotations

import threading


class Heard:
    """An `on_key` that only queues, as the panel's does."""

    def __init__(self) -> None:
        self._edges: list[tuple[int, bool, float]] = []
        self.lost: list[int] = []
        self._came = threading.Condition()

    def __call__(self, index: int, down: bool, at: float, *, lost: bool = False) -> None:
        with self._came:
            self._edges.append((index, down, at))
            if lost:
                self.lost.append(index)
            self._came.notify_all()

    def wait(self, count: int, seconds: float = 10) -> list[tuple[int, bool]]:
        """Return the edges once there are `count`, or what there is after so many seconds."""
        with self._came:
            self._came.wait_for(lambda: len(self._edges) >= count, seconds)
            return [(index, down) for index, down, _ in self._edges]

    def times(self) -> list[float]:
        """Return when each edge happened, monotonic seconds."""
        with self._came:
            return [at for _, _, at in self._edges]
