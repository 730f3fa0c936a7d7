"""A scripted fleet: every state in turn, on any deck, with no agent anywhere.

It stands in for the fold and for the agents. A press on a waiting session answers it, and
so does the verdict row; a verb that is sent arrives when its turn ends. So the panel can be
tried and not only watched. Nothing is read or written.
"""

from __future__ import annotations

import json
import secrets
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from flightdeck.errors import Gone
from flightdeck.fold.folding import Outcome as Folded
from flightdeck.model import ending
from flightdeck.model.ask import Ask
from flightdeck.model.fleet import Fleet, PendingView, SlotView
from flightdeck.model.label import label_all
from flightdeck.model.lifecycle import Reason, State
from flightdeck.model.place import Place
from flightdeck.model.remember import grant
from flightdeck.model.session import Session
from flightdeck.model.staged import Staged
from flightdeck.model.teardown import Outcome
from flightdeck.model.teardown import Stage as Step
from flightdeck.model.waking import AT_REST
from flightdeck.panel.demo_script import CAST, ROUND_S, WORK, Part, Wish
from flightdeck.system import clock

if TYPE_CHECKING:
    from collections.abc import Callable

    from flightdeck.model.effect import Answer, Stage, Unstage
    from flightdeck.model.label import LabelRules

_SLOTS = 8
# How long a verb is seen to wait for a session at rest.
_WAITS_S = 1.5
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
        self._shown: dict[int, tuple[Part, int]] = {}
        self._selected = ""
        self._asking: dict[str, int] = {}
        self._halted = False
        self._gated: set[str] = set()
        self._sessions: dict[str, Session] = {}
        self._staged: dict[str, Staged] = {}
        self._labels = label_all([actor.names for actor in CAST], rules)

    def step(
        self,
        now: float,
        panel: dict[str, Any],
        amend: Callable[[Session], Session] | None = None,
    ) -> Folded:
        """Return the fleet at `now`, epoch seconds; what the panel amends is kept in memory."""
        if self._began is None:
            self._began = now
        passed = max(0.0, now - self._began)
        views, asks = [], []
        for slot in range(len(CAST)):
            part = self._deliver(slot, self._part(slot, passed), now)
            self._take_part(f"{_KEY}{slot}", part, amend)
            since = now - (passed % ROUND_S - part.at)
            ask = self._ask(slot, part, since) if part.wish else None
            asks += [ask] if ask else []
            views.append(self._view(slot, part, since, ask))
        self._asking = {ask.request_id: _slot(ask.key) for ask in asks}
        views += [SlotView(slot) for slot in range(len(CAST), _SLOTS)]
        asks.sort(key=lambda ask: ask.since)
        fleet = Fleet(
            tuple(views),
            selected=self._selected,
            asks=tuple(asks),
            halted=self._halted,
            staged=tuple(self._staged.items()),
        )
        return Folded(fleet, again=now + 0.25)

    def sessions(self) -> list[Session]:
        """Return who is on the stage; no hook waits for what a script asks."""
        return list(self._sessions.values())

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
        return Outcome(Step.DONE, "it has left the stage", agent_ended=True)

    def stage(self, effect: Stage) -> Staged:
        """Let a verb wait for the end of its session's part."""
        token = secrets.token_hex(8)
        staged = Staged(effect.verb.name, token, effect.session_id, effect.pid, clock.now())
        self._staged[effect.key] = staged
        return staged

    def unstage(self, effect: Unstage) -> None:
        """Take a verb back.

        Raises:
            Gone: it has arrived.
        """
        key = next((key for key, staged in self._staged.items() if staged == effect.staged), "")
        if self._staged.pop(key, None) is None:
            raise Gone("too late", "it has arrived")

    def _deliver(self, slot: int, part: Part, now: float) -> Part:
        """Let a verb arrive at a session that is at rest: it goes to work."""
        key = f"{_KEY}{slot}"
        staged = self._staged.get(key)
        if part.state is State.EMPTY:
            self._staged.pop(key, None)
        if staged is None or self._halted or part.state not in AT_REST:
            return part
        if now < staged.at + _WAITS_S:
            return part
        del self._staged[key]
        self._sessions[key] = replace(self._sessions[key], arrived=(staged.token,))
        self._settle(slot, State.WORKING)
        return Part(part.at, State.WORKING, WORK)

    def _take_part(self, key: str, part: Part, amend: Callable[[Session], Session] | None) -> None:
        """Keep the session of a slot, with what the panel knows of it."""
        if part.state is State.EMPTY:
            self._sessions.pop(key, None)
            return
        session = self._sessions.get(key, Session(key, "demo", 0, session_id=key))
        self._sessions[key] = amend(session) if amend else session

    def _settle(self, slot: int, after: State) -> None:
        """A press counts for the part it was made in; the next part forgets it."""
        self._settled[slot] = (self._shown[slot][1], after)

    def _part(self, slot: int, passed: float) -> Part:
        moment = passed % ROUND_S
        part = max((p for p in CAST[slot].parts if p.at <= moment), key=lambda p: p.at)
        scene = int(passed // ROUND_S) * 1000 + int(part.at)
        settled, after = self._settled.get(slot, (None, State.EMPTY))
        if settled == scene:
            part = Part(part.at, after, WORK if after is State.WORKING else None)
        if self._halted and part.state in {State.WORKING, State.BLOCKED}:
            part = Part(part.at, State.IDLE)
        self._shown[slot] = (part, scene)
        return part

    def _view(self, slot: int, part: Part, since: float, ask: Ask | None) -> SlotView:
        if part.state is State.EMPTY:
            return SlotView(slot)
        names, key = CAST[slot].names, f"{_KEY}{slot}"
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
            ending=ending.under_way(self._sessions[key]),
            queued=self._staged[key].verb if key in self._staged else "",
            pending=(_pending(ask),) if ask else (),
        )

    def _ask(self, slot: int, part: Part, since: float) -> Ask:
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
            grant=grant(_suggested(wish), CAST[slot].names.repo, "/demo"),
        )


def _suggested(wish: Wish) -> str:
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
