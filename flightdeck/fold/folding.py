"""One folding pass: whatever happened becomes session records, slots and the snapshot.

Whoever folds holds the lock, so there is one writer at a time; the panel folds on
every event, `reap` every 15 s, and every command that reads state folds first. Events
are removed only after what they changed is on disk, and folding one twice is harmless.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING

from flightdeck.fold import changes, endings, lost, queueing
from flightdeck.fold.events import take_in
from flightdeck.fold.fleet import Around, FleetBuilder
from flightdeck.fold.publishing import Publisher
from flightdeck.fold.queueing import Queueing
from flightdeck.fold.weighing import Weighing
from flightdeck.fold.witnesses import Liveness, Strangers, with_records, with_transcripts
from flightdeck.model import ending, slots
from flightdeck.model.lifecycle import Reason, State
from flightdeck.store import gates, inbox, latch, lock
from flightdeck.store.guards import Guards
from flightdeck.store.selection import Selection
from flightdeck.store.sessions import SessionFiles
from flightdeck.system.git import GitCache

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path
    from typing import Any

    from flightdeck.model.event import Event
    from flightdeck.model.fleet import Fleet
    from flightdeck.model.plan import PanelPlan
    from flightdeck.model.session import Session
    from flightdeck.ports import AgentKind
    from flightdeck.store.journal import Journal
    from flightdeck.store.paths import StateFolder

_LOG = logging.getLogger(__name__)
PATIENCE_S = 5.0
# How long a fleet nothing has happened to is believed: only a branch can have changed.
REST_S = 3.0
# How soon to look for what wakes nobody: a transcript, the end of whoever tears down.
UNTOLD_S = 0.5


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a pass found: the fleet, its snapshot as text if it changed, and when to fold again.

    `again` is in seconds since the epoch, None: when something happens.
    """

    fleet: Fleet
    snapshot: str | None = None
    again: float | None = None


class Unsaved(OSError):
    """The disk took not all of a pass: its `outcome` is true, and the next pass tries again."""

    def __init__(self, outcome: Outcome, error: OSError) -> None:
        super().__init__(error.errno, error.strerror)
        self.outcome = outcome


@dataclass(frozen=True, slots=True)
class _Rest:
    """What the last pass ended with; where nothing differs from it there is nothing to do."""

    fleet: Fleet
    panel: dict[str, Any]
    plan: PanelPlan
    around: Around
    until: float


class Fold:
    """The fold and what it remembers between passes."""

    def __init__(
        self,
        folder: StateFolder,
        kinds: Mapping[str, AgentKind],
        plan: PanelPlan,
        journal: Journal | None,
    ) -> None:
        self.folder = folder
        self.plan = plan
        self.files = SessionFiles(folder.sessions)
        self._kinds = kinds
        self._journal = journal
        self._guards = Guards(folder.blocked)
        self._fleet = FleetBuilder(GitCache(), {name: kind.title for name, kind in kinds.items()})
        self._selection = Selection(folder)
        self._liveness = Liveness()
        self._strangers = Strangers()
        self._known: dict[str, Session] = {}
        self._queueing = Queueing(folder)
        self._weighing = Weighing()
        self._rest: _Rest | None = None
        self._transcripts = False
        self._generation: bytes | None = None
        self._slots = folder.slots
        self._publisher = Publisher(folder.slots)

    def step(
        self,
        now: float,
        panel: dict[str, Any],
        amend: Callable[[Session], Session] | None = None,
    ) -> Outcome:
        """Fold what there is at `now` (epoch seconds) and return the fleet.

        `panel` goes into the snapshot as it is; `amend` is applied to every session,
        for the few facts the panel itself knows (seen, stale).

        Raises:
            Unavailable: another process holds the lock.
            Unsaved: the disk is full; nothing is lost, fold again.
            OSError: the state folder is gone; fold again.
        """
        with lock.held(self.folder.lock, patience_s=PATIENCE_S) as held:
            self._recall(held.generation())
            self._generation = None  # until this pass is whole, disk alone knows
            batch = inbox.read(self.folder.inbox, now)
            sessions = self._hear(batch.events, amend, now)
            again = self._weighing.weigh(sessions, self._known, now)
            self._take_gates_along(sessions)
            around = self._around(sessions, panel, now)
            soon = now + UNTOLD_S if self._wakes_nobody(sessions) else None
            again = queueing.due((again, soon), around.staged)
            changed = False
            if (rest := self._at_rest(sessions, panel, around, now)) is not None:
                outcome = Outcome(rest.fleet, None, again)
            else:
                outcome, changed = self._settle(sessions, panel, around, again, now)
            inbox.remove(batch)
            self._queueing.clear(now)
            self._generation = held.bump() if changed else held.generation()
        return outcome

    def follow(self, plan: PanelPlan, journal: Journal | None) -> None:
        """Fold by another plan from the next pass on."""
        self.plan, self._journal = plan, journal

    def watched(self) -> list[Path]:
        """Return the folders outside the state folder whose changes are news."""
        return [path for kind in self._kinds.values() for path in kind.watched()]

    def sessions(self) -> list[Session]:
        """Return the sessions of the last pass."""
        return list(self._known.values())

    def session(self, key: str) -> Session:
        """Return a session of the last pass by its key.

        Raises:
            KeyError: there was none.
        """
        return self._known[key]

    def _recall(self, generation: bytes) -> None:
        """Read the records again if another process wrote since our last pass."""
        if self._generation == generation:
            return
        self._known = self.files.load()
        self._known.update(lost.sessions(self.files.broken, self._known, self.folder.slots))
        self._generation = generation
        self._guards.forget()
        self._publisher.forget()
        self._weighing.forget()
        self._rest = None

    def _hear(
        self, events: tuple[Event, ...], amend: Callable[[Session], Session] | None, now: float
    ) -> dict[str, Session]:
        """Return the sessions after what the hooks, the processes and the registry say."""
        sessions = dict(self._known)
        endings.settle(sessions, self._liveness.ended(sessions.values(), now), now)
        take_in(sessions, events, self._kinds, self.folder.asks)
        endings.keep(sessions)
        self._ask_witnesses(sessions, now)
        return {k: amend(s) for k, s in sessions.items()} if amend else sessions

    def _settle(
        self,
        sessions: dict[str, Session],
        panel: dict[str, Any],
        around: Around,
        again: float | None,
        now: float,
    ) -> tuple[Outcome, bool]:
        """Give every session its slot, write all of it, and say whether a record changed."""
        remembered = self._remembered(sessions)
        placed = slots.assign(sessions.values(), self.plan.slots, remembered)
        fleet = self._fleet.build(placed, self.plan, around, now)
        try:
            changed = self._save({session.key: session for session in placed}, now)
            text = self._publish(fleet, panel)
        except OSError as error:
            raise Unsaved(Outcome(fleet, None, again), error) from error
        self._rest = _Rest(fleet, dict(panel), self.plan, around, now + REST_S)
        return Outcome(fleet, text, again), changed

    def _at_rest(
        self, sessions: Mapping[str, Session], panel: dict[str, Any], around: Around, now: float
    ) -> _Rest | None:
        """Return the last pass's end if this one would end just so."""
        rest = self._rest
        if rest is None or not rest.until - REST_S <= now < rest.until:
            return None
        if rest.panel != panel or rest.plan is not self.plan or not self._slots.exists():
            return None
        if not self._untouched(sessions) or rest.around != around:
            return None
        return rest

    def _take_gates_along(self, sessions: Mapping[str, Session]) -> None:
        """`/clear` gives a process another id; a gate belongs to what goes on."""
        for session in self._changed(sessions):
            known = self._known.get(session.key)
            if known is not None and known.session_id != session.session_id:
                gates.follow(self.folder, known.session_id, session.session_id)

    def _around(
        self, sessions: Mapping[str, Session], panel: Mapping[str, Any], now: float
    ) -> Around:
        return Around(
            running=bool(panel.get("running")),
            selected=self._selection.key(),
            halted=latch.stands(self.folder),
            gated=gates.standing(self.folder),
            staged=self._queueing.look(sessions.values(), now),
        )

    def _untouched(self, sessions: Mapping[str, Session]) -> bool:
        same = len(sessions) == len(self._known)
        return same and all(self._known.get(key) is s for key, s in sessions.items())

    def _ask_witnesses(self, sessions: dict[str, Session], now: float) -> None:
        for kind in self._kinds.values():
            kind.learn(s for s in self._changed(sessions) if s.agent == kind.name)
            with_records(sessions, kind, kind.records(), self._strangers, now)
        self._transcripts = with_transcripts(sessions, self._kinds)

    def _wakes_nobody(self, sessions: Mapping[str, Session]) -> bool:
        """Say whether something is waited for that only a look can tell."""
        return self._transcripts or any(map(ending.under_way, sessions.values()))

    def _changed(self, sessions: Mapping[str, Session]) -> list[Session]:
        """Return the sessions the last pass did not leave just so."""
        known = self._known if self._rest is not None else {}
        return [s for key, s in sessions.items() if known.get(key) is not s]

    def _remembered(self, sessions: Mapping[str, Session]) -> dict[str, int]:
        if sessions.keys() <= self._known.keys():
            return {}
        return self._publisher.remembered()

    def _save(self, sessions: dict[str, Session], now: float) -> bool:
        """Write what changed, take away what ended; say whether anything did."""
        changed = [
            s
            for key, s in sessions.items()
            if (known := self._known.get(key)) is not s and known != s
        ]
        ended = self._known.keys() - sessions.keys()
        for session in changed:
            self.files.save(session)
        self.files.remove(ended)
        self._guards.arm({s.session_id for s in sessions.values() if s.session_id and _news(s)})
        if self._journal is not None and (rows := changes.rows(self._known, sessions, now)):
            self._journal.append(rows)
        self._known = sessions
        return bool(changed or ended)

    def _publish(self, fleet: Fleet, panel: dict[str, Any]) -> str | None:
        """Publish the fleet unless it is the one of the last pass; return the text of news."""
        same = self._rest is not None and (fleet, panel) == (self._rest.fleet, self._rest.panel)
        if same and self._slots.exists():
            return None
        return self._publisher.publish(fleet, panel)


def _news(session: Session) -> bool:
    """Say whether a tool call of this session would tell the panel something.

    It does where a turn may go on without a prompt: after an answer in the terminal,
    a Stop another hook blocked, or background work that wakes the agent.
    """
    story = session.story
    if session.requests or story.state in {State.DONE, State.FAILED}:
        return True
    return story.reason is Reason.BACKGROUND and session.record is None
