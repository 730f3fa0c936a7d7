"""Whose the verbs that wait are, and what becomes of those that are nobody's any more.

A verb is for one process under one session id. Where that process has ended, goes by
another id, said goodbye, has moved or is being torn down, it must reach nobody else, so it is
taken out of the queue; so is one that has expired. A reaper without a panel does so too.

Source: verbs/README.md, "How a verb gets there".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from flightdeck.model import ending, waking
from flightdeck.store import queue

if TYPE_CHECKING:
    from collections.abc import Iterable

    from flightdeck.model.session import Session
    from flightdeck.model.staged import Staged
    from flightdeck.store.paths import StateFolder

    Owned = tuple[tuple[str, Staged], ...]

# What was left by whoever was killed is in nobody's way.
SWEEP_S = 60.0


class Queueing:
    """The queue as the fold sees it, look by look."""

    def __init__(self, folder: StateFolder) -> None:
        self._folder = folder
        self._queue = queue.Queue(folder)
        self._nobodys: list[Staged] = []
        self._swept_at = -SWEEP_S

    def look(self, sessions: Iterable[Session], now: float) -> Owned:
        """Return the verbs that wait at `now`, epoch seconds, each after its session's key."""
        standing = self._queue.standing()
        self._nobodys = []
        if not standing:
            return ()
        takers = {(s.session_id, s.pid): s.key for s in sessions if _takes(s)}
        owned: list[tuple[str, Staged]] = []
        for staged in standing:
            key = takers.get((staged.session_id, staged.pid))
            if key is None or staged.expired(now):
                self._nobodys.append(staged)
            else:
                owned.append((key, staged))
        return tuple(owned)

    def clear(self, now: float) -> None:
        """Take out what the last look found to be nobody's; never raises.

        Only once that look is written down: a verb that is gone is told by nothing else.
        """
        for staged in self._nobodys:
            queue.discard(self._folder, staged)
        if not 0 <= now - self._swept_at < SWEEP_S:
            self._swept_at = now
            queue.sweep(self._folder, now, frozenset())


def due(asked: Iterable[float | None], owned: Owned) -> float | None:
    """Return the first of the times that were `asked` for and those one of `owned` expires at."""
    times = [at for at in asked if at is not None]
    return min([*times, *(staged.until for _, staged in owned if staged.until)], default=None)


def _takes(session: Session) -> bool:
    gone = session.closed or ending.has_ended(session) or waking.has_moved(session)
    return not gone and not ending.under_way(session)
