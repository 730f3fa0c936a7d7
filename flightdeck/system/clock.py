"""The only place that asks what time it is; rules get time as an argument."""

from __future__ import annotations

import time


def now() -> float:
    """Return seconds since the epoch: for what is written down and compared across processes."""
    return time.time()  # noqa: TID251 - this module is its door


def monotonic() -> float:
    """Return seconds that never run backwards: for presses, flashes and deadlines."""
    return time.monotonic()  # noqa: TID251 - this module is its door


def pause(seconds: float) -> None:
    """Do nothing for so long; for retries against other programs only."""
    time.sleep(seconds)  # noqa: TID251 - this module is its door


def monotonic_ns() -> int:
    """Return nanoseconds that never run backwards."""
    return time.monotonic_ns()
