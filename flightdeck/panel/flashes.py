"""Words that stand on a key for a moment: why a press could not act.

Knows positions and times, no key and no face; time is an argument.

Source: README.md, "The visual language".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from flightdeck.model.deck import Position

_LONGEST = 18


class Flashes:
    """Which word stands where, and until when."""

    def __init__(self) -> None:
        self._standing: dict[Position, tuple[str, float]] = {}

    def add(self, position: Position, problem: str, until: float) -> None:
        """Show `problem` there until then, monotonic seconds; too long a one points at the log."""
        self._standing[position] = (problem if len(problem) <= _LONGEST else "see log", until)

    def words(self, now: float) -> dict[Position, str]:
        """Return what stands at `now`, monotonic seconds, and forget what is over."""
        self._standing = {p: (w, until) for p, (w, until) in self._standing.items() if until > now}
        return {position: word for position, (word, _) in self._standing.items()}

    def ends(self) -> list[float]:
        """Return when each of them is over, monotonic seconds."""
        return [until for _, until in self._standing.values()]
