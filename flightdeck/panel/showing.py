"""What every key shows and stands for: the painter is told when that is other than before.

Source: README.md, "The visual language".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from flightdeck.model import hold, row, verbkeys
from flightdeck.model.display import display, faulty

if TYPE_CHECKING:
    from collections.abc import Mapping

    from flightdeck.model.arming import Arm
    from flightdeck.model.deck import Position
    from flightdeck.model.fleet import Fleet
    from flightdeck.model.layout import Layout
    from flightdeck.panel.painter import Painter

_ROOMS = (row, verbkeys, hold)


class Showing:
    """Tells the painter; `faulty` says that a file the panel is made of has a problem."""

    def __init__(self, painter: Painter) -> None:
        self.faulty = False
        self._painter = painter
        self._shown: object = None

    def show(
        self,
        layout: Layout,
        fleet: Fleet,
        arms: tuple[Arm, ...],
        words: Mapping[Position, str],
        holds: Mapping[Position, float],
    ) -> None:
        """Let the keys show this; `words` stand on some, `holds` is how far each hold has come."""
        what = (layout, fleet, arms, words, holds, self.faulty)
        if what == self._shown:
            return
        views = display(layout, fleet, words, arms, holds)
        meant = {p: a for room in _ROOMS for p, a in room.aims(layout, fleet, arms).items()}
        self._painter.show(faulty(layout, views) if self.faulty else views, meant)
        self._shown = what
