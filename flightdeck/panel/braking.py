"""What follows a halt once its latch is on disk: who waits is refused, who works interrupted.

Every request that comes while the latch stands was let through before it did, so it is
refused as well, until the latch is lifted. Esc is sent once: twice opens a menu in the agent.
A latch that somebody else set is none of this panel's: then nothing is answered.

Source: README.md, "HALT".
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from flightdeck.model import verdict
from flightdeck.model.effect import Answer, Interrupt
from flightdeck.model.halt import at_work
from flightdeck.model.layout import Action, VerdictBinding

if TYPE_CHECKING:
    from collections.abc import Iterable
    from concurrent.futures import Future

    from flightdeck.model.fleet import Fleet
    from flightdeck.model.session import Session
    from flightdeck.panel.perform import Performed

# A question and a plan are told no by it, and their turn is left alone.
_NO = VerdictBinding(Action.INTERRUPT)


@dataclass(frozen=True, slots=True)
class Tally:
    """What a halt has done: requests refused, agents interrupted, and why some were not."""

    refused: int = 0
    interrupted: int = 0
    faults: tuple[str, ...] = ()


class Braking:
    """The halts that were ordered here, by a key or by a terminal."""

    def __init__(self) -> None:
        self._coming = False
        self._unseen = False
        self._on = False
        self._unheard = False
        self._tried: set[str] = set()
        self._under_way: set[Answer | Interrupt] = set()
        self._tally = Tally()
        self._tolds: list[Future[Tally]] = []

    def begin(self) -> None:
        """The latch is being set: from now on the fleet counts as halted."""
        self._coming = True

    def failed(self) -> None:
        """The latch could not be set."""
        self._coming = False

    def latched(self, *, newly: bool, told: Future[Tally] | None = None) -> None:
        """The latch stands; where it was set `newly`, nobody has been interrupted yet.

        `told` is where somebody waits for what came of it.
        """
        self._coming = False
        self._unseen = self._on = True
        self._unheard = self._unheard or newly
        self._tolds += [told] if told else []

    def cover(self, fleet: Fleet) -> Fleet:
        """Return the fleet, halted if it will be in a moment."""
        halting = self._coming or self._unseen
        return replace(fleet, halted=True) if halting and not fleet.halted else fleet

    def due(self, fleet: Fleet, sessions: Iterable[Session]) -> list[Answer | Interrupt]:
        """Return what is to be done now; `fleet` and `sessions` as they have just been seen."""
        self._unseen = False
        if not fleet.halted:
            self._on, self._unheard = False, False
            self._tried.clear()
        effects: list[Answer | Interrupt] = []
        if self._on:
            effects += self._refusals(fleet)
            if self._unheard:
                effects += [Interrupt(one.key, one.place) for one in at_work(sessions)]
                self._unheard = False
        self._under_way |= set(effects)
        self._tell()
        return effects

    def blind(self, why: str) -> None:
        """Nobody can tell who waits or works now: it is done as soon as somebody can."""
        for told in self._tolds:
            told.set_result(replace(self._tally, faults=(*self._tally.faults, why)))
        self._tolds = []

    def note(self, done: Performed) -> None:
        """Something was done; if a halt ordered it, it counts."""
        if not isinstance(done.effect, Answer | Interrupt) or done.effect not in self._under_way:
            return
        self._under_way.discard(done.effect)
        tally = self._tally
        if isinstance(done.effect, Answer):
            tally = replace(tally, refused=tally.refused + (not done.problem))
        elif done.problem:
            tally = replace(tally, faults=(*tally.faults, done.problem))
        else:
            tally = replace(tally, interrupted=tally.interrupted + 1)
        self._tally = tally
        self._tell()

    def _refusals(self, fleet: Fleet) -> list[Answer]:
        asks = [a for a in fleet.asks if a.answerable and a.request_id not in self._tried]
        self._tried |= {ask.request_id for ask in asks}
        return [Answer(ask.request_id, ask.key, verdict.decision(_NO, ask)) for ask in asks]

    def _tell(self) -> None:
        """Tell whoever waits, once all that was ordered is done."""
        if self._under_way:
            return
        for told in self._tolds:
            told.set_result(self._tally)
        self._tolds, self._tally = [], Tally()
