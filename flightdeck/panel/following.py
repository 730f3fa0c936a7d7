"""An edit takes effect: every part of the panel goes by the new layout from one turn on.

What was armed or held on a key that means something else by now is gone, and such a key
takes no press before its new face could be read: a thumb that was on its way meant the old.

Source: README.md, "Editing a layout".
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from flightdeck.panel.pressing import FRESH_S
from flightdeck.system import clock

if TYPE_CHECKING:
    from collections.abc import Callable

    from flightdeck.model.deck import Position
    from flightdeck.model.layout import Binding, Layout, LongPress
    from flightdeck.panel.delivering import Delivering
    from flightdeck.panel.flashes import Flashes
    from flightdeck.panel.messages import Edited
    from flightdeck.panel.outcomes import Outcomes
    from flightdeck.panel.painter import Painter
    from flightdeck.panel.pressing import Pressing
    from flightdeck.panel.requests import Requests
    from flightdeck.panel.setup import Setup
    from flightdeck.panel.showing import Showing
    from flightdeck.panel.thumbs import Deeds, Thumbs

# A key whose new face was not written by then may never be: it must work all the same.
_PATIENCE_S = 2.0


@dataclass(frozen=True, slots=True)
class Keys:
    """The parts of a panel that know its keys."""

    pressing: Pressing
    thumbs: Thumbs
    flashes: Flashes
    painter: Painter
    showing: Showing


class Following:
    """Hands a setup to every part, and knows which keys were given another meaning lately."""

    def __init__(
        self, keys: Keys, requests: Requests, delivering: Delivering, outcomes: Outcomes
    ) -> None:
        self.on_edit: Callable[[Edited], None] = lambda _: None
        self._keys = keys
        self._requests = requests
        self._delivering = delivering
        self._outcomes = outcomes
        # When each such key was, monotonic seconds.
        self._other: dict[int, float] = {}

    def take(self, edited: Edited, before: Layout) -> tuple[Layout, Deeds]:
        """Go by what the files say now: all of it in this one turn, or nothing.

        Returns the layout from now on, for the same deck as the one `before`, and what comes
        of touches that are over by it.
        """
        deeds: Deeds = []
        if edited.setup is not None:
            deeds = self._follow(edited.setup, before)
        self._keys.showing.faulty = bool(edited.problem)
        self.on_edit(edited)
        return (edited.setup.layout if edited.setup else before), deeds

    def _follow(self, setup: Setup, before: Layout) -> Deeds:
        layout, timings, keys = setup.layout, setup.layout.timings, self._keys
        other, now = changed(before, layout), clock.monotonic()
        self._other |= {layout.grid.index(position): now for position in other}
        keys.pressing.follow(layout, other)
        keys.flashes.drop(other)
        keys.painter.follow(setup.native)
        self._delivering.follow(layout)
        self._requests.decide_s = timings.decide_ms / 1000
        self._outcomes.flash_s = timings.flash_ms / 1000
        return keys.thumbs.follow(layout, other)

    def blocks(self, index: int, at: float) -> bool:
        """Say whether a key that went down at `at`, monotonic seconds, was meant for another."""
        edited = self._other.get(index)
        if edited is None:
            return False
        if at < edited + _PATIENCE_S:
            shown = self._keys.painter.shown_since(index)
            if shown is None or at < max(edited, shown) + FRESH_S:
                return True
        del self._other[index]
        return False


def changed(before: Layout, after: Layout) -> frozenset[Position]:
    """Return the keys that are for something else by the second layout than by the first."""
    was, will_be = _meant(before), _meant(after)
    places = was.keys() | will_be.keys()
    return frozenset(p for p in places if was.get(p) != will_be.get(p))


def _meant(layout: Layout) -> dict[Position, tuple[Binding, LongPress | None]]:
    return {key.position: (key.binding, key.long_press) for key in layout.keys}
