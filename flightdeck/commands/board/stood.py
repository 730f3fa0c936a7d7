"""How long each part of what is shown has stood: a key is aimed at what could be read.

Pure but for the clock.

Source: README.md, "The board".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from flightdeck.system import clock

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping

# As on the deck: what has stood for less was not what the finger was aimed at.
STOOD_S = 0.3


class Stood:
    """Remembers since when each thing is shown as it is."""

    def __init__(self) -> None:
        self._since: dict[Hashable, tuple[object, float]] = {}

    def note(self, shown: Mapping[Hashable, object]) -> None:
        """Note what is shown from now on: a thing, and what a key at it would be for."""
        now = clock.monotonic()
        self._since = {
            thing: self._since[thing]
            if thing in self._since and self._since[thing][0] == aim
            else (aim, now)
            for thing, aim in shown.items()
        }

    def long_enough(self, thing: Hashable, aim: object) -> bool:
        """Say whether a thing has been shown with this aim for long enough to be meant."""
        known, since = self._since.get(thing, (None, 0.0))
        return thing in self._since and known == aim and clock.monotonic() - since >= STOOD_S
