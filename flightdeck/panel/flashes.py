"""Words that stand on a key for a moment: why a press could not act.

Knows positions and times, no face; time is an argument.

Source: README.md, "The visual language".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from flightdeck.model.layout import SlotBinding
from flightdeck.model.verdict import NOTHING

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from flightdeck.model.arming import Arm
    from flightdeck.model.deck import Position
    from flightdeck.model.fleet import Fleet
    from flightdeck.model.layout import Layout

_LONGEST = 18
# What a slot says while nobody can tell whether its colour still holds.
NOT_CURRENT = "not current"


class Flashes:
    """Which word stands where, and until when."""

    def __init__(self) -> None:
        self._standing: dict[Position, tuple[str, float]] = {}

    def add(self, position: Position, problem: str, until: float) -> None:
        """Show `problem` there until then, monotonic seconds; too long a one points at the log."""
        self._standing[position] = (problem if len(problem) <= _LONGEST else "see log", until)

    def drop(self, positions: Collection[Position]) -> None:
        """Take back what stands on these keys: they mean something else by now."""
        self._standing = {p: told for p, told in self._standing.items() if p not in positions}

    def words(self, now: float) -> dict[Position, str]:
        """Return what stands at `now`, monotonic seconds, and forget what is over."""
        self._standing = {p: (w, until) for p, (w, until) in self._standing.items() if until > now}
        return {position: word for position, (word, _) in self._standing.items()}

    def ends(self) -> list[float]:
        """Return when each of them is over, monotonic seconds."""
        return [until for _, until in self._standing.values()]


def standing(
    words: Mapping[Position, str], arms: Iterable[Arm], layout: Layout, fleet: Fleet | None
) -> dict[Position, str]:
    """Return what stands on keys, of `words` what is still true and covers nothing.

    What a second press does is not to be covered by a word about the first. Where there is
    no `fleet`, because nothing can be folded, every slot says so.
    """
    covers = {arm.by for arm in arms}
    # What was said a moment ago would be a lie by now.
    untrue = {NOTHING} if fleet is not None and fleet.asks else set()
    told = {p: word for p, word in words.items() if p not in covers and word not in untrue}
    if fleet is not None:
        return told
    slots = (key.position for key in layout.keys if isinstance(key.binding, SlotBinding))
    return dict.fromkeys(slots, NOT_CURRENT) | told
