"""Verdicts from terminals, which may come before the hook they answer is within reach.

A script that saw a request in the snapshot is faster than the hook that opens its pipe.
While it waits others may ask, and what it was about may be over: a verdict without a name
never answers what did not wait when it was given, nor the next in line.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from flightdeck.model import verdict
from flightdeck.system import clock

if TYPE_CHECKING:
    from flightdeck.model.ask import Ask
    from flightdeck.model.fleet import Fleet
    from flightdeck.panel.messages import Ruled
    from flightdeck.panel.requests import Requests

PATIENCE_S = 2.0


class Ruling:
    """The verdicts that wait, in the order they came in."""

    def __init__(self, requests: Requests) -> None:
        self._requests = requests
        self._waiting: list[Ruled] = []

    def add(self, asked: Ruled) -> None:
        """Take one in; the next fresh look at the fleet shows whether that still waits."""
        self._waiting.append(asked)

    def ready(self, fleet: Fleet, now: float) -> list[Ruled]:
        """Return those that need not wait any longer at `now`, monotonic seconds."""
        late = [a for a in self._waiting if now >= a.at + PATIENCE_S or not self._early(a, fleet)]
        self._waiting = [asked for asked in self._waiting if asked not in late]
        return late

    def ends(self) -> list[float]:
        """Return when the patience of each runs out, monotonic seconds."""
        return [asked.at + PATIENCE_S for asked in self._waiting]

    def _early(self, asked: Ruled, fleet: Fleet) -> bool:
        """Say whether the request it is, or will be, about is still opening."""
        ask = about(asked, fleet)
        if ask is None:
            return False
        if asked.request_id:
            return self._requests.opening(ask)
        # The oldest that can be answered is the one, so any before it is waited for.
        rivals = verdict.within_reach(_still(asked, fleet))
        older = rivals[: rivals.index(ask)] if ask.answerable else rivals
        return any(self._requests.opening(rival) for rival in older)


def bound(asked: Ruled, fleet: Fleet) -> Ruled:
    """Return the verdict with what waited when it was given, as far as `fleet` tells.

    The loop may have been at work meanwhile: who has asked since is left out.
    """
    given = clock.now() - (clock.monotonic() - asked.at)
    return replace(asked, then=_only(fleet, [a for a in fleet.asks if a.since <= given]))


def about(asked: Ruled, fleet: Fleet) -> Ask | None:
    """Return the very request it names, or without a name the one the row is aimed at."""
    if asked.request_id:
        return verdict.named(fleet, asked.request_id)
    meant = verdict.aim(asked.then) if asked.then else None
    if meant and verdict.named(fleet, meant.request_id) is None:
        return None
    return verdict.aim(_still(asked, fleet))


def _still(asked: Ruled, fleet: Fleet) -> Fleet:
    """Return the fleet with those requests only that waited when the verdict was given."""
    if asked.then is None:
        return fleet
    known = {ask.request_id for ask in asked.then.asks}
    return _only(fleet, [ask for ask in fleet.asks if ask.request_id in known])


def _only(fleet: Fleet, asks: list[Ask]) -> Fleet:
    return replace(fleet, asks=tuple(asks))
