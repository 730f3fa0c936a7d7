"""A scripted fleet: every state in turn, on any deck, with no agent anywhere.

It stands in for the fold and for the agents. A press on a waiting session answers it, and
so does the verdict row, so that the panel can be tried and not only watched. Nothing is
read or written.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from flightdeck.fold.folding import Outcome as Folded
from flightdeck.model.ask import Ask
from flightdeck.model.fleet import Fleet, PendingView, SlotView
from flightdeck.model.label import SessionNames, label_all
from flightdeck.model.lifecycle import Reason, State
from flightdeck.model.place import Place
from flightdeck.model.remember import grant
from flightdeck.model.risk import Tier
from flightdeck.model.teardown import Outcome, Stage

if TYPE_CHECKING:
    from collections.abc import Callable

    from flightdeck.model.effect import Answer
    from flightdeck.model.layout import LabelRules
    from flightdeck.model.session import Session

ROUND_S = 36.0


@dataclass(frozen=True, slots=True)
class _Wish:
    """What a blocked session asks for; it suggests to allow `rule` from then on."""

    tool: str
    tier: Tier = Tier.MEDIUM
    rule: str = ""
    repeats: int = 1


@dataclass(frozen=True, slots=True)
class _Part:
    """From `at` seconds into the round on, a session is in this state."""

    at: float
    state: State
    reason: Reason | None = None
    error: str = ""
    wish: _Wish | None = None


@dataclass(frozen=True, slots=True)
class _Actor:
    names: SessionNames
    parts: tuple[_Part, ...]


_WORK = Reason.TURN
_TESTS = _Wish("Bash", Tier.LOW, "npm test:*")
_PUSH = _Wish("Bash", Tier.HIGH, "git push:*", repeats=2)
_CAST = (
    _Actor(
        SessionNames("webshop", "feature/1482-checkout-retry"),
        (
            _Part(0, State.IDLE),
            _Part(1, State.WORKING, _WORK),
            _Part(5, State.BLOCKED, Reason.PERMISSION, wish=_TESTS),
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
            _Part(15, State.BLOCKED, Reason.QUESTION, wish=_Wish("AskUserQuestion")),
            _Part(23, State.WORKING, _WORK),
        ),
    ),
    _Actor(
        SessionNames("infra", "terraform-1.9"),
        (
            _Part(0, State.WORKING, Reason.BACKGROUND),
            _Part(11, State.DONE),
            _Part(26, State.BLOCKED, Reason.PLAN, wish=_Wish("ExitPlanMode")),
        ),
    ),
    _Actor(SessionNames("docs", "main", "Release notes"), (_Part(0, State.IDLE),)),
    _Actor(
        SessionNames("mobile", "feature/offline-sync"),
        (
            _Part(0, State.EMPTY),
            _Part(3, State.IDLE),
            _Part(6, State.WORKING, _WORK),
            _Part(14, State.BLOCKED, Reason.PERMISSION, wish=_PUSH),
            _Part(22, State.WORKING, _WORK),
            _Part(29, State.EMPTY),
        ),
    ),
)
_SLOTS = 8
_KEY = "demo-"
_ANSWERABLE = frozenset({State.BLOCKED, State.FAILED, State.DONE})
# For pictures: a moment with all six states on the panel, and the slot selected then.
PICTURE_S = 16.0
_PICTURED = 5


class DemoFleet:
    """Plays the script from the first step on; `press` and `answer` settle what waits."""

    def __init__(self, rules: LabelRules) -> None:
        """`rules` are the layout's, so that the demo's labels are those of a real panel."""
        self._began: float | None = None
        self._settled: dict[int, tuple[int, State]] = {}
        self._shown: dict[int, tuple[_Part, int]] = {}
        self._selected = ""
        self._asking: dict[str, int] = {}
        self._halted = False
        self._gated: set[str] = set()
        self._labels = label_all([actor.names for actor in _CAST], rules)

    def step(
        self,
        now: float,
        panel: dict[str, Any],
        amend: Callable[[Session], Session] | None = None,
    ) -> Folded:
        """Return the fleet at `now`, epoch seconds; nothing is amended, nothing is kept."""
        if self._began is None:
            self._began = now
        passed = max(0.0, now - self._began)
        views, asks = [], []
        for slot in range(len(_CAST)):
            part = self._part(slot, passed)
            since = now - (passed % ROUND_S - part.at)
            ask = self._ask(slot, part, since) if part.wish else None
            asks += [ask] if ask else []
            views.append(self._view(slot, part, since, ask))
        self._asking = {ask.request_id: _slot(ask.key) for ask in asks}
        views += [SlotView(slot) for slot in range(len(_CAST), _SLOTS)]
        asks.sort(key=lambda ask: ask.since)
        fleet = Fleet(tuple(views), selected=self._selected, asks=tuple(asks), halted=self._halted)
        return Folded(fleet, again=now + 0.25)

    def sessions(self) -> list[Session]:
        """Return none: no hook waits for what a script asks."""
        return []

    def press(self, key: str, place: Place) -> None:
        """Answer the session that waits in that window: it goes on working."""
        if place.window and self._shown[_slot(key)][0].state in _ANSWERABLE:
            self._settle(_slot(key), State.WORKING)

    def answer(self, effect: Answer) -> bool:
        """Settle one request, as its session would go on. Say whether it still waited."""
        slot = self._asking.pop(effect.request_id, None)
        if slot is None:
            return False
        self._settle(slot, State.IDLE if effect.decision.interrupt else State.WORKING)
        return True

    def select(self, key: str) -> None:
        """Make the session with `key` the selected one."""
        self._selected = key

    def halt(self) -> bool:
        """Halt the fleet: nobody works, nobody asks. Say whether it was not halted before."""
        before, self._halted = self._halted, True
        return not before

    def lift(self) -> None:
        """Let the script go on."""
        self._halted = False

    def gate(self, session_id: str, closed: bool) -> None:  # noqa: FBT001 - the panel's own form
        """Mark a session as gated, or not; a script has no calls to refuse."""
        (self._gated.add if closed else self._gated.discard)(session_id)

    def tear_down(self, key: str) -> Outcome:
        """Let the session with `key` go, until its script brings it back."""
        self._settle(_slot(key), State.EMPTY)
        return Outcome(Stage.DONE, "it has left the stage", agent_ended=True)

    def _settle(self, slot: int, after: State) -> None:
        """A press counts for the part it was made in; the next part forgets it."""
        self._settled[slot] = (self._shown[slot][1], after)

    def _part(self, slot: int, passed: float) -> _Part:
        moment = passed % ROUND_S
        part = max((p for p in _CAST[slot].parts if p.at <= moment), key=lambda p: p.at)
        scene = int(passed // ROUND_S) * 1000 + int(part.at)
        settled, after = self._settled.get(slot, (None, State.EMPTY))
        if settled == scene:
            part = _Part(part.at, after, _WORK if after is State.WORKING else None)
        if self._halted and part.state in {State.WORKING, State.BLOCKED}:
            part = _Part(part.at, State.IDLE)
        self._shown[slot] = (part, scene)
        return part

    def _view(self, slot: int, part: _Part, since: float, ask: Ask | None) -> SlotView:
        if part.state is State.EMPTY:
            return SlotView(slot)
        names, key = _CAST[slot].names, f"{_KEY}{slot}"
        return SlotView(
            slot=slot,
            state=part.state,
            reason=part.reason,
            how="demo",
            error=part.error,
            key=key,
            session_id=key,
            agent="demo",
            repo=names.repo,
            branch=names.branch,
            title=names.title,
            label=self._labels[slot],
            since=since,
            place=Place(kind="demo", window=str(slot)),
            gated=key in self._gated,
            selected=key == self._selected,
            pending=(_pending(ask),) if ask else (),
        )

    def _ask(self, slot: int, part: _Part, since: float) -> Ask:
        assert part.wish is not None  # noqa: S101 - asked for only where there is one
        wish, key = part.wish, f"{_KEY}{slot}"
        return Ask(
            request_id=f"{key}-{self._shown[slot][1]}",
            key=key,
            agent="demo",
            tool=wish.tool,
            tier=wish.tier.value,
            since=since,
            label=self._labels[slot],
            repeats=wish.repeats,
            reason=part.reason or Reason.PERMISSION,
            answerable=True,
            # To look at a request answers nothing: it leads to nobody's window.
            place=Place(kind="demo"),
            grant=grant(_suggested(wish), _CAST[slot].names.repo, "/demo"),
        )


def _suggested(wish: _Wish) -> str:
    """Return what an agent would suggest to write down, as the JSON it comes in."""
    if not wish.rule:
        return "[]"
    rules = [{"toolName": wish.tool, "ruleContent": wish.rule}]
    allow = {"type": "addRules", "behavior": "allow", "destination": "localSettings"}
    return json.dumps([allow | {"rules": rules}])


def _pending(ask: Ask) -> PendingView:
    return PendingView(ask.request_id, ask.tool, ask.tier, ask.repeats, ask.since, ask.answerable)


def _slot(key: str) -> int:
    return int(key.removeprefix(_KEY))


def picture(rules: LabelRules) -> Fleet:
    """Return the demo's fleet at the moment that shows the most."""
    fleet = DemoFleet(rules)
    fleet.select(f"{_KEY}{_PICTURED}")
    fleet.step(0.0, {})
    return fleet.step(PICTURE_S, {}).fleet
