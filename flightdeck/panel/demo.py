"""A scripted fleet: every state in turn, on any deck, with no agent anywhere.

It stands in for the fold. A press on a waiting session answers it, so that the panel
can be tried and not only watched. Nothing is read or written.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from flightdeck.fold.folding import Outcome
from flightdeck.model.fleet import Fleet, SlotView
from flightdeck.model.label import SessionNames, label_all
from flightdeck.model.lifecycle import Reason, State
from flightdeck.model.place import Place

if TYPE_CHECKING:
    from collections.abc import Callable

    from flightdeck.model.layout import LabelRules
    from flightdeck.model.session import Session

ROUND_S = 36.0


@dataclass(frozen=True, slots=True)
class _Part:
    """From `at` seconds into the round on, a session is in this state."""

    at: float
    state: State
    reason: Reason | None = None
    error: str = ""


@dataclass(frozen=True, slots=True)
class _Actor:
    names: SessionNames
    parts: tuple[_Part, ...]


_WORK = Reason.TURN
_CAST = (
    _Actor(
        SessionNames("webshop", "feature/1482-checkout-retry"),
        (
            _Part(0, State.IDLE),
            _Part(1, State.WORKING, _WORK),
            _Part(5, State.BLOCKED, Reason.PERMISSION),
            _Part(13, State.WORKING, _WORK),
            _Part(24, State.DONE),
        ),
    ),
    _Actor(
        SessionNames("payments", "main", "Refund audit"),
        (
            _Part(0, State.WORKING, _WORK),
            _Part(9, State.FAILED, error="rate_limit"),
            _Part(20, State.WORKING, _WORK),
            _Part(31, State.DONE),
        ),
    ),
    _Actor(
        SessionNames("payments", "fix/currency-rounding"),
        (
            _Part(0, State.DONE),
            _Part(7, State.WORKING, _WORK),
            _Part(15, State.BLOCKED, Reason.QUESTION),
            _Part(23, State.WORKING, _WORK),
        ),
    ),
    _Actor(
        SessionNames("infra", "terraform-1.9"),
        (
            _Part(0, State.WORKING, Reason.BACKGROUND),
            _Part(11, State.DONE),
            _Part(26, State.BLOCKED, Reason.PLAN),
        ),
    ),
    _Actor(SessionNames("docs", "main", "Release notes"), (_Part(0, State.IDLE),)),
    _Actor(
        SessionNames("mobile", "feature/offline-sync"),
        (
            _Part(0, State.EMPTY),
            _Part(3, State.IDLE),
            _Part(6, State.WORKING, _WORK),
            _Part(29, State.EMPTY),
        ),
    ),
)
_SLOTS = 8
_ANSWERABLE = frozenset({State.BLOCKED, State.FAILED, State.DONE})
# A moment of the round with all six states on the panel, for pictures.
PICTURE_S = 16.0


class DemoFleet:
    """Plays the script from the first step on; `press` answers a waiting session."""

    def __init__(self, rules: LabelRules) -> None:
        """`rules` are the layout's, so that the demo's labels are those of a real panel."""
        self._began: float | None = None
        self._pressed: set[int] = set()
        self._answered: dict[int, int] = {}
        self._labels = label_all([actor.names for actor in _CAST], rules)

    def step(
        self,
        now: float,
        panel: dict[str, Any],
        amend: Callable[[Session], Session] | None = None,
    ) -> Outcome:
        """Return the fleet at `now`, epoch seconds; nothing is amended, nothing is kept."""
        if self._began is None:
            self._began = now
        passed = max(0.0, now - self._began)
        views = [self._view(slot, passed, now) for slot in range(len(_CAST))]
        views += [SlotView(slot) for slot in range(len(_CAST), _SLOTS)]
        return Outcome(Fleet(tuple(views)), again=now + 0.25)

    def press(self, key: str, place: Place) -> None:
        """Answer the session that waits there: it goes on working."""
        self._pressed.add(int(place.window))

    def _view(self, slot: int, passed: float, now: float) -> SlotView:
        actor, moment = _CAST[slot], passed % ROUND_S
        part = max((p for p in actor.parts if p.at <= moment), key=lambda p: p.at)
        if part.state is State.EMPTY:
            return SlotView(slot)
        part = self._as_answered(slot, part, passed)
        return SlotView(
            slot=slot,
            state=part.state,
            reason=part.reason,
            how="demo",
            error=part.error,
            key=f"demo-{slot}",
            session_id=f"demo-{slot}",
            agent="demo",
            repo=actor.names.repo,
            branch=actor.names.branch,
            title=actor.names.title,
            label=self._labels[slot],
            since=now - (moment - part.at),
            place=Place(kind="demo", window=str(slot)),
        )

    def _as_answered(self, slot: int, part: _Part, passed: float) -> _Part:
        """A press counts for the part it was made in; the next part forgets it."""
        scene = int(passed // ROUND_S) * 1000 + int(part.at)
        if slot in self._pressed and part.state in _ANSWERABLE:
            self._answered[slot] = scene
        self._pressed.discard(slot)
        if self._answered.get(slot) == scene:
            return replace(part, state=State.WORKING, reason=_WORK, error="")
        return part


def picture(rules: LabelRules) -> Fleet:
    """Return the demo's fleet at the moment that shows the most."""
    fleet = DemoFleet(rules)
    fleet.step(0.0, {})
    return fleet.step(PICTURE_S, {}).fleet
