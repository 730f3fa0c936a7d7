"""What follows a halt once its latch is on disk: who waits is refused, who works interrupted.

Every request that comes while the latch stands was let through before it did, so it is
refused as well, until the latch is lifted. Esc is sent once: twice opens a menu in the agent.
It may be lost to something else in that window, so whom it was sent to is looked after until
its own record says that the turn is over; one whose turn runs on is told of by name.
A latch that somebody else set is none of this panel's: then nothing is answered.

Source: README.md, "HALT".
"""

from __future__ import annotations

import logging
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from flightdeck.model import verdict
from flightdeck.model.effect import Answer, Interrupt
from flightdeck.model.halt import RUNS_ON, STOPS_S, at_work, runs_on, who
from flightdeck.model.layout import Action, VerdictBinding

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from concurrent.futures import Future

    from flightdeck.model.fleet import Fleet
    from flightdeck.model.session import Record, Session
    from flightdeck.panel.perform import Performed

# A question and a plan are told no by it, and their turn is left alone.
_NO = VerdictBinding(Action.INTERRUPT)
_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Tally:
    """What a halt has done: requests refused, agents interrupted, and why some were not."""

    refused: int = 0
    interrupted: int = 0
    faults: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Esc:
    """One Esc: to whom, and what that one's record said `before`, None where it has none.

    `until` is how long it is looked after once it was sent, monotonic seconds.
    """

    who: str
    before: Record | None
    until: float = 0.0


class Braking:
    """The halts that were ordered here, by a key or by a terminal."""

    def __init__(self) -> None:
        self._coming = False
        self._unseen = False
        self._on = False
        self._unheard = False
        self._tried: set[str] = set()
        self._under_way: set[Answer | Interrupt] = set()
        self._escs: dict[str, _Esc] = {}
        self._sent: dict[str, _Esc] = {}
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

    def due(
        self, fleet: Fleet, sessions: Iterable[Session], now: float
    ) -> list[Answer | Interrupt]:
        """Return what is to be done now; `fleet` and `sessions` as they have just been seen.

        `now` is in monotonic seconds.
        """
        known = {session.key: session for session in sessions}
        self._unseen = False
        self._look_after(known, now)
        if not fleet.halted:
            self._on, self._unheard = False, False
            self._tried.clear()
        effects: list[Answer | Interrupt] = []
        if self._on:
            effects += self._refusals(fleet)
            if self._unheard:
                effects += self._interrupts(known.values())
                self._unheard = False
        self._under_way |= set(effects)
        self._tell()
        return effects

    def blind(self, why: str) -> None:
        """Nobody can tell who waits or works now: it is done as soon as somebody can."""
        self._sent.clear()
        for told in self._tolds:
            told.set_result(replace(self._tally, faults=(*self._tally.faults, why)))
        self._tolds = []

    def ends(self) -> list[float]:
        """Return when something is to be looked at again, monotonic seconds."""
        return [esc.until for esc in self._sent.values()]

    def note(self, done: Performed, now: float) -> None:
        """Something was done at `now`, monotonic seconds; if a halt ordered it, it counts."""
        if not isinstance(done.effect, Answer | Interrupt) or done.effect not in self._under_way:
            return
        self._under_way.discard(done.effect)
        if isinstance(done.effect, Interrupt):
            self._escaped(done.effect.key, done.problem, now)
        elif not done.problem:
            self._tally = replace(self._tally, refused=self._tally.refused + 1)
        self._tell()

    def _interrupts(self, sessions: Iterable[Session]) -> list[Interrupt]:
        working = at_work(sessions)
        self._escs |= {one.key: _Esc(who(one), one.record) for one in working}
        return [Interrupt(one.key, one.place) for one in working]

    def _escaped(self, key: str, problem: str, now: float) -> None:
        """An Esc was sent, or could not be."""
        esc = self._escs.pop(key)
        if problem:
            self._fault(esc, problem)
        elif esc.before is None:
            self._interrupted()  # nothing tells sooner than its transcript does
        else:
            self._sent[key] = replace(esc, until=now + STOPS_S)

    def _look_after(self, known: Mapping[str, Session], now: float) -> None:
        """Notice whose turn is over, and who has run on for too long."""
        for key, esc in list(self._sent.items()):
            if not runs_on(known.get(key), esc.before):
                self._interrupted()
            elif now >= esc.until:
                self._fault(esc, RUNS_ON)
            else:
                continue
            del self._sent[key]

    def _interrupted(self) -> None:
        self._tally = replace(self._tally, interrupted=self._tally.interrupted + 1)

    def _fault(self, esc: _Esc, why: str) -> None:
        fault = f"{esc.who}: {why}"
        _LOG.warning("not interrupted: %s", fault)
        self._tally = replace(self._tally, faults=(*self._tally.faults, fault))

    def _refusals(self, fleet: Fleet) -> list[Answer]:
        asks = [a for a in fleet.asks if a.answerable and a.request_id not in self._tried]
        self._tried |= {ask.request_id for ask in asks}
        return [Answer(ask.request_id, ask.key, verdict.decision(_NO, ask)) for ask in asks]

    def _tell(self) -> None:
        """Tell whoever waits, once it is known what came of all that was ordered."""
        if self._under_way or self._sent:
            return
        for told in self._tolds:
            told.set_result(self._tally)
        self._tolds, self._tally = [], Tally()
