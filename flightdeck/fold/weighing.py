"""When each session is weighed again: at every change, when its rules ask for it, and rarely.

Source: README.md, "How a key gets its colour".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from flightdeck.model import witness

if TYPE_CHECKING:
    from collections.abc import Mapping

    from flightdeck.model.session import Session

# How long the weighing of a session nothing has happened to is believed.
WEIGHED_S = 0.5
# The same for one that waits for nobody: no rule turns on its time without naming it.
QUIET_S = 5.0

# When a session was weighed, until when that is believed, and when it asked to be weighed
# again; epoch seconds. A clock that was turned back makes all of it untrue.
_Due = tuple[float, float, float | None]
_NEVER: _Due = (0.0, 0.0, None)


class Weighing:
    """Remembers of each session when it was weighed."""

    def __init__(self) -> None:
        self._due: dict[str, _Due] = {}

    def forget(self) -> None:
        """Weigh every session the next time: another process may have written."""
        self._due = {}

    def weigh(
        self, sessions: dict[str, Session], known: Mapping[str, Session], now: float
    ) -> float | None:
        """Weigh what is not as it is `known` or is due, and return when the first is due.

        `now` and what is returned are seconds since the epoch; None: at the next event.
        """
        due: dict[str, _Due] = {}
        for key, session in sessions.items():
            since, until, again = self._due.get(key, _NEVER)
            if session is not known.get(key) or not since <= now < until:
                weighed, again = witness.weigh(session, now)
                # Where nothing changed the object stays: that is how rest is known.
                if weighed is not session and weighed != session:
                    sessions[key] = weighed
                until = now + (WEIGHED_S if session.requests else QUIET_S)
                since, until = now, until if again is None else min(until, again)
            due[key] = (since, until, again)
        self._due = due
        return min((again for _, _, again in due.values() if again is not None), default=None)
