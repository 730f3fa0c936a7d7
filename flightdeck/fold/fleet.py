"""Sessions as the fleet: one view a slot, labels told apart, the rest counted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from flightdeck.fold.asks import asks, pending
from flightdeck.model import ending
from flightdeck.model.fleet import Fleet, SlotView
from flightdeck.model.label import SessionNames, label_all
from flightdeck.model.lifecycle import State

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from flightdeck.model.plan import PanelPlan
    from flightdeck.model.session import Session
    from flightdeck.model.staged import Staged
    from flightdeck.system.git import GitCache, GitFacts


# A branch changes by hand: looking for that at every event would cost more than the event.
_GIT_S = 1.0


@dataclass(frozen=True, slots=True)
class Around:
    """What the fleet depends on beside its sessions.

    `running` says whether a panel runs, `selected` is the key of the selected session.
    `halted` says that the latch stands, `gated` are the ids of the gated sessions; `staged`
    are the verbs that wait, by the key of their session.
    """

    running: bool = False
    selected: str = ""
    halted: bool = False
    gated: frozenset[str] = frozenset()
    staged: tuple[tuple[str, Staged], ...] = ()


class FleetBuilder:
    """Builds the fleet; remembers labels, which cost more than the rest together."""

    def __init__(self, git: GitCache, titles: Mapping[str, str]) -> None:
        """`titles` tells what people call each agent kind, by its name."""
        self._git = git
        self._titles = titles
        self._facts: dict[str, GitFacts] = {}
        self._asked_at = -_GIT_S
        self._named: tuple[object, list[tuple[str, str]]] = (None, [])

    def build(
        self, sessions: Iterable[Session], plan: PanelPlan, around: Around, now: float
    ) -> Fleet:
        """Return the fleet of these sessions at `now`, epoch seconds; closed ones are not shown."""
        live = sorted((s for s in sessions if not s.closed), key=lambda s: (s.first_seen, s.key))
        facts = self._facts_of(live, now)
        labels = self._labels(live, facts, plan)
        told = list(zip(live, facts, labels, strict=True))
        views = {
            session.slot: _view(session, fact, label, around)
            for session, fact, label in told
            if session.slot is not None
        }
        hidden = [s for s in live if s.slot is None]
        return Fleet(
            slots=tuple(views.get(slot, SlotView(slot)) for slot in plan.slots),
            overflow=len(hidden),
            overflow_blocked=sum(s.shown.state is State.BLOCKED for s in hidden),
            untracked=sum(not s.announced for s in live),
            halted=around.halted,
            selected=next((s.key for s in live if s.key == around.selected), ""),
            asks=asks(told, self._titles, running=around.running),
            staged=around.staged,
        )

    def _facts_of(self, live: list[Session], now: float) -> list[GitFacts]:
        if not 0 <= now - self._asked_at < _GIT_S:
            self._facts, self._asked_at = {}, now
        known = self._facts
        for cwd in {s.cwd for s in live} - known.keys():
            known[cwd] = self._git.facts(cwd)
        return [known[s.cwd] for s in live]

    def _labels(
        self, live: list[Session], facts: list[GitFacts], plan: PanelPlan
    ) -> list[tuple[str, str]]:
        names = [
            SessionNames(fact.repo, fact.branch, title_of(session))
            for session, fact in zip(live, facts, strict=True)
        ]
        asked = (names, plan.labels)
        if self._named[0] != asked:
            self._named = (asked, label_all(names, plan.labels))
        return self._named[1]


def title_of(session: Session) -> str:
    """Return the name its user gave it: `/rename` tells no hook, only the registry."""
    return (session.record.title if session.record else "") or session.title


def _view(session: Session, facts: GitFacts, label: tuple[str, str], around: Around) -> SlotView:
    shown = session.shown
    return SlotView(
        slot=session.slot or 0,
        state=shown.state,
        reason=shown.reason,
        how=shown.how,
        error=shown.error,
        key=session.key,
        session_id=session.session_id,
        agent=session.agent,
        repo=facts.repo,
        branch=facts.branch,
        title=title_of(session),
        label=label,
        cwd=session.cwd,
        since=shown.since,
        place=session.place,
        pid=session.pid,
        permission_mode=session.permission_mode,
        gated=session.session_id in around.gated,
        selected=session.key == around.selected,
        seen=session.seen,
        untracked=not session.announced,
        stale=session.stale,
        ending=ending.under_way(session),
        ended=ending.has_ended(session),
        refusal=ending.refusal(session),
        queued=next((staged.verb for key, staged in around.staged if key == session.key), ""),
        beneath=shown.beneath[0] if shown.beneath else None,
        pending=pending(session, running=around.running),
    )
