"""The requests that wait, as far as the panel has a hand in them: held, answered, let go.

The policy of what is held is here; `leases` holds. What the panel alone knows of a
request (its hook is held, it was answered from here) becomes a fact for the fold.

Source: README.md, "Row 3: verdicts": which requests the deck can answer, and for how long.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Protocol

from flightdeck.model import transition
from flightdeck.model.signal import Kind, Signal

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping

    from flightdeck.model.ask import Ask
    from flightdeck.model.effect import Answer
    from flightdeck.model.fleet import Fleet
    from flightdeck.model.session import Request, Session
    from flightdeck.panel.amends import Amend


class Held(Protocol):
    """What the loop asks of whoever holds the waiting hooks; see `leases`."""

    def sync(self, wanted: Mapping[str, float], release: Collection[str] = ()) -> None:
        """Hold the hooks of the requests `wanted` until their time; let `release` go at once."""

    def held(self) -> frozenset[str]:
        """Return the requests whose hooks are held."""

    def opening(self, request_id: str) -> bool:
        """Say whether a hook is about to be held."""


class NoHooks:
    """Holds nothing: for a panel that no hook knows of, such as the demo's."""

    def sync(self, wanted: Mapping[str, float], release: Collection[str] = ()) -> None:
        """Hold nothing."""

    def held(self) -> frozenset[str]:
        """Return nothing."""
        return frozenset()

    def opening(self, request_id: str) -> bool:
        """Return False."""
        return False


class Requests:
    """What waits, what of it is held and until when, and what was answered from here."""

    def __init__(self, decide_s: float) -> None:
        """A request is held for `decide_s` seconds from when it is first seen."""
        self.leases: Held = NoHooks()
        self.decide_s = decide_s
        self._until: dict[str, float] = {}
        self._answering: set[str] = set()
        self._answered: set[str] = set()

    def sync(self, sessions: Iterable[Session], now: float) -> None:
        """Hold what is to be held at `now`, monotonic seconds, and let the rest go."""
        waiting = {r.request_id: is_for_the_deck(s, r) for s in sessions for r in s.requests}
        self._until = {
            id_: self._until.get(id_, now + self.decide_s) for id_, ours in waiting.items() if ours
        }
        self._answered &= waiting.keys()
        wanted = {
            id_: until
            for id_, until in self._until.items()
            if now < until and id_ not in self._answered
        }
        self.leases.sync(wanted, waiting.keys() - wanted.keys())

    def ends(self, now: float) -> list[float]:
        """Return when those that are held are let go, monotonic seconds."""
        return [until for until in self._until.values() if until > now]

    def opening(self, ask: Ask) -> bool:
        """Say whether this request cannot be answered yet, but in a moment.

        Its hook has to come and read, or is held and the fold has yet to hear of it.
        """
        if ask.answerable:
            return False
        held = ask.request_id in self.leases.held()
        return held or self.leases.opening(ask.request_id)

    def begin(self, effect: Answer) -> None:
        """An answer is on its way: until more is known, nobody can give another."""
        self._answering.add(effect.request_id)

    def end(self, effect: Answer, *, taken: bool) -> None:
        """The answer was taken by the waiting hook, or came too late."""
        self._answering.discard(effect.request_id)
        if taken:
            self._answered.add(effect.request_id)

    def open(self, fleet: Fleet) -> Fleet:
        """Return the fleet without the requests that were, or are being, answered from here."""
        settled = self._answering | self._answered
        if not any(ask.request_id in settled for ask in fleet.asks):
            return fleet
        return replace(fleet, asks=tuple(a for a in fleet.asks if a.request_id not in settled))

    def ready(self, fleet: Fleet) -> Fleet:
        """Return the fleet without requests that are opening: no key says what is over so soon."""
        if all(ask.answerable for ask in fleet.asks):
            return fleet
        return replace(fleet, asks=tuple(ask for ask in fleet.asks if not self.opening(ask)))

    def holding(self, now: float) -> Amend:
        """Return the fact of which hooks are held at `now`, monotonic seconds, or have ended."""
        ours = self._answering | self._answered
        kept = {id_ for id_, until in self._until.items() if now < until and id_ not in ours}
        return holding(self.leases.held(), frozenset(kept))


def out_of_reach(fleet: Fleet) -> Fleet:
    """Return the fleet with requests no key can answer."""
    return replace(fleet, asks=tuple(replace(ask, answerable=False) for ask in fleet.asks))


def is_for_the_deck(session: Session, request: Request) -> bool:
    """Say whether this request may wait for the deck.

    A sub-agent's dialog is withheld until its hook returns, and a run without a terminal
    has none: neither is kept waiting. What only a reminder told of has no hook.
    """
    return not request.thread and not session.headless and request.how == "hook"


def holding(held: frozenset[str], kept: frozenset[str] = frozenset()) -> Amend:
    """Every request is held whose hook is, and no other: not even one that once was.

    Of those in `kept`, which we did not let go, a hook that is held no more has ended.
    """

    def looked_at(request: Request) -> Request:
        is_held = request.request_id in held
        ended = request.held and not is_held and request.request_id in kept
        return replace(request, held=is_held, ended=request.ended or ended)

    def amend(session: Session) -> Session:
        if all(r.held == (r.request_id in held) for r in session.requests):
            return session
        return replace(session, requests=tuple(map(looked_at, session.requests)))

    return amend


def after_answer(effect: Answer, now: float) -> Callable[[Session], Session]:
    """An answer its hook took settles that very request, at `now`, epoch seconds."""
    interrupt = effect.decision.interrupt
    signal = Signal(Kind.DECIDED, now, request_id=effect.request_id, interrupt=interrupt)

    def amend(session: Session) -> Session:
        return transition.apply(session, signal) if session.key == effect.key else session

    return amend
