"""Carries out one Effect at a time, on a thread of its own: a window may take a second.

What comes of it goes back to the loop as an Outcome; nothing here decides anything.
"""

from __future__ import annotations

import logging
import queue
import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING, assert_never

from flightdeck.errors import FlightdeckError, Gone, Refused
from flightdeck.model.effect import Answer, Effect, Focus, Open, Refuse, Run, Select, SetArm

if TYPE_CHECKING:
    from collections.abc import Callable

    from flightdeck.model.deck import Position
    from flightdeck.model.layout import Target
    from flightdeck.model.place import Place

_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Performed:
    """What came of an effect: `problem` is empty if it was done, `hint` how to mend it.

    `gone` says what it was aimed at no longer exists; `effect` is None for a key that
    has none.
    """

    effect: Effect | None
    position: Position
    problem: str = ""
    hint: str = ""
    gone: bool = False


@dataclass(frozen=True, slots=True)
class World:
    """What effects act on; each raises FlightdeckError where it cannot.

    `focus` brings a session's window forward, `open_target` opens an application or
    URL, `start` starts an argument list on its own.
    """

    focus: Callable[[str, Place], None]
    open_target: Callable[[Target], None]
    start: Callable[[tuple[str, ...]], None]


class Performer:
    """Performs effects in order and reports each."""

    def __init__(self, world: World, report: Callable[[Performed], None]) -> None:
        self._world = world
        self._report = report
        self._work: queue.SimpleQueue[tuple[Effect, Position] | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="performer", daemon=True)

    def start(self) -> None:
        """Begin to work."""
        self._thread.start()

    def perform(self, effect: Effect, position: Position) -> None:
        """Queue an effect of the key at `position`; returns at once."""
        self._work.put((effect, position))

    def stop(self) -> None:
        """Finish what is queued, wait a little, and stop."""
        self._work.put(None)
        if self._thread.is_alive():
            self._thread.join(timeout=3)

    def _run(self) -> None:
        while (work := self._work.get()) is not None:
            effect, position = work
            try:
                self._carry_out(effect)
            except FlightdeckError as error:
                _LOG.warning("press of %s: %s", position, error.message)
                gone = isinstance(error, Gone)
                self._report(Performed(effect, position, error.message, error.hint, gone))
            except Exception:  # a host's bug must not end the panel
                _LOG.exception("press of %s", position)
                self._report(Performed(effect, position, "failed, see the log"))
            else:
                self._report(Performed(effect, position))

    def _carry_out(self, effect: Effect) -> None:
        match effect:
            case Focus(key, place):
                self._world.focus(key, place)
            case Open(target):
                self._world.open_target(target)
            case Run(argv):
                self._world.start(argv)
            case Refuse(word):
                raise Refused(word)
            case Select() | SetArm() | Answer():
                raise Refused("not for a panel without a verdict row")
            case _:
                assert_never(effect)
