"""Who performs what: five performers, so that nothing waits for what may take its time.

A window may take a second to come forward, an answer a second to be taken, a line some
seconds to be typed where a draft is in its way; a brake waits for none of them, nor does a
keystroke. What is done to the queue of verbs is done by one of them, in order.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from flightdeck.model.effect import (
    Focus,
    Forget,
    Gate,
    Halt,
    Interrupt,
    Lift,
    Open,
    Run,
    Stage,
    Stroke,
    Unstage,
    Wake,
)
from flightdeck.panel.perform import Performer

if TYPE_CHECKING:
    from collections.abc import Callable

    from flightdeck.model.effect import Effect
    from flightdeck.panel.perform import Hand, Performed, World


class Hands:
    """Every performer of a panel."""

    def __init__(self, world: World, report: Callable[[Performed], None]) -> None:
        self._windows = Performer(world, report)
        self._answers = Performer(world, report)
        self._brakes = Performer(world, report)
        self._verbs = Performer(world, report)
        self._strokes = Performer(world, report)
        self._all = (self._windows, self._answers, self._brakes, self._verbs, self._strokes)

    def start(self) -> None:
        """Begin to work."""
        for performer in self._all:
            performer.start()

    def perform(self, effect: Effect, hand: Hand) -> None:
        """Queue an effect of a press; returns at once."""
        match effect:
            case Halt() | Lift() | Interrupt() | Gate():
                self._brakes.perform(effect, hand)
            case Focus() | Open() | Run():
                self._windows.perform(effect, hand)
            case Stage() | Unstage() | Wake() | Forget():
                self._verbs.perform(effect, hand)
            case Stroke():
                self._strokes.perform(effect, hand)
            case _:
                self._answers.perform(effect, hand)

    def stop(self) -> None:
        """Finish what is queued, wait a little, and stop; nothing is typed any more."""
        for performer in (self._strokes, self._verbs):
            performer.drop()
        for performer in (self._brakes, self._answers, self._strokes, self._verbs, self._windows):
            performer.stop()
