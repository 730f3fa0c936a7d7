"""The whole teardown: look, end the agent, look again, have git remove the worktree.

The first look decides whether the agent may be ended at all; the second, whether the
worktree it left may go. Between the two only SIGTERM is sent: a killed agent would leave
its shells at work. Values in, a result out; what a key then shows is not decided here.

Source: README.md, "Safety".
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from flightdeck.errors import Refused, Unavailable
from flightdeck.model.ending import has_ended
from flightdeck.model.teardown import (
    Check,
    Finding,
    Inspection,
    Outcome,
    Stage,
    proven,
    refused,
    refuted,
    unknown,
)
from flightdeck.system import clock, worktree
from flightdeck.system.ending import ends, terminate
from flightdeck.system.occupants import ancestors, inside, occupants
from flightdeck.system.process import start_of
from flightdeck.system.worktree_own import Owner

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from flightdeck.model.session import Session
    from flightdeck.system.worktree_root import Root

# How long the agent may take to end, then what it had started.
AGENT_S = 10.0
LEFTOVERS_S = 3.0
_LOOK_S = 0.05


@dataclass(frozen=True, slots=True)
class Neighbour:
    """Another session that lives: what to call it, and where it works."""

    name: str
    folders: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Subject:
    """Whose teardown it is. `started` is its process's start as an opaque token.

    `known_as` are the tokens its own client has for that start, where it has others.
    """

    cwd: str
    pid: int
    started: str
    neighbours: tuple[Neighbour, ...] = ()
    known_as: tuple[str, ...] = ()

    @property
    def owner(self) -> Owner:
        """Its process, as the lock on its worktree may name it."""
        return Owner(self.pid, tuple(filter(None, (self.started, *self.known_as))))


def subject_of(session: Session, sessions: Iterable[Session]) -> Subject:
    """Return a session as the subject of a teardown; `sessions` are all there are."""
    others = (s for s in sessions if s.key != session.key and not has_ended(s))
    neighbours = tuple(Neighbour(_called(s), tuple(filter(None, _folders(s)))) for s in others)
    known_as = (session.record.started,) if session.record else ()
    return Subject(session.cwd, session.pid, session.started, neighbours, known_as)


def look(subject: Subject) -> Inspection:
    """Inspect what a teardown would remove, and change nothing."""
    return _look(subject, ended=False)[0]


def tear_down(subject: Subject) -> Outcome:
    """Tear down a session whose worktree is proven to hold nothing unique; else refuse."""
    return _tear_down(subject, lambda found: found.refusal, force=False)


def force_down(subject: Subject, shown: Inspection) -> Outcome:
    """Tear it down although that loses what `shown` says it loses, and nothing else.

    Only for a person at a terminal, who was shown these losses and agreed.
    """

    def forbidden(found: Inspection) -> Finding | None:
        if found.beyond_force is None and found.losses != shown.losses:
            return refuted(Check.STATUS, "what would be lost is no longer what was shown")
        return found.beyond_force

    return _tear_down(subject, forbidden, force=True)


def _tear_down(
    subject: Subject, forbidden: Callable[[Inspection], Finding | None], *, force: bool
) -> Outcome:
    first, root = _look(subject, ended=False)
    if finding := forbidden(first):
        return refused(Stage.FIRST_LOOK, finding, first)
    assert root is not None, "a proven worktree has a root"  # noqa: S101 - for the type checker
    if problem := _end(subject):
        return Outcome(Stage.ENDING, problem, Check.AGENT, inspection=first)
    _wait_for_leftovers(root)
    if worktree.gone(root).removed:
        words = f"{root.top} is gone: the agent removed it as it ended"
        return Outcome(Stage.DONE, words, agent_ended=True, inspection=first)
    second, again = _look(subject, ended=True)
    finding = forbidden(second)
    if finding is None and again != root:
        finding = refuted(Check.WORKTREE, "it is no longer the worktree it was")
    if finding:
        return refused(Stage.SECOND_LOOK, finding, second, ended=True)
    return _remove(subject, root, second, force=force)


def _remove(subject: Subject, root: Root, last: Inspection, *, force: bool) -> Outcome:
    removal = worktree.remove(root, subject.owner, force=force)
    if not removal.removed:
        return Outcome(Stage.REMOVAL, removal.words, agent_ended=True, inspection=last)
    tip = worktree.tip(root, last.branch) if last.branch else ""
    kept = f", branch {last.branch} stays at {tip}" if tip else ""
    return Outcome(Stage.DONE, removal.words + kept, agent_ended=True, inspection=last)


def _look(subject: Subject, *, ended: bool) -> tuple[Inspection, Root | None]:
    found = worktree.inspect(subject.cwd, subject.owner)
    findings = [*found.findings, _agent(subject)]
    if found.root is not None:
        findings.append(_sessions(subject, found.root))
        findings.append(_processes(found.root, spared=0 if ended else subject.pid))
    top = found.root.top if found.root else ""
    return Inspection(tuple(findings), top, found.branch, found.notes), found.root


def _agent(subject: Subject) -> Finding:
    """Say whether the process to end is the session's, or has ended already."""
    start = start_of(subject.pid)
    if subject.pid <= 1 or not subject.started or start == "":
        return unknown(Check.AGENT, "which process the agent is cannot be proven")
    if subject.pid in {os.getpid(), *ancestors(os.getpid())}:
        return refuted(Check.AGENT, "this command runs inside the session it would end")
    if start != subject.started:
        return proven(Check.AGENT, "the agent has ended")
    return proven(Check.AGENT, f"the agent is process {subject.pid}")


def _sessions(subject: Subject, root: Root) -> Finding:
    there = [
        other.name
        for other in subject.neighbours
        if any(inside(os.path.realpath(folder), root.top) for folder in other.folders)
    ]
    if there:
        return refuted(Check.SESSIONS, "another session works inside", there)
    return proven(Check.SESSIONS)


def _processes(root: Root, *, spared: int) -> Finding:
    """Say whether a process stands inside; those of the agent `spared` end with it."""
    try:
        found = occupants(root.top)
    except (Unavailable, OSError) as error:
        return unknown(Check.PROCESSES, f"nobody can tell who stands inside: {error}")
    others = [str(o) for o in found if spared == 0 or spared not in {o.pid, *o.ancestors}]
    if others:
        return refuted(Check.PROCESSES, "another process stands inside", others)
    return proven(Check.PROCESSES)


def _end(subject: Subject) -> str:
    """End the agent; return what went wrong, "" if it is gone."""
    try:
        if not terminate(subject.pid, subject.started):
            return ""
    except Refused as error:
        return error.message
    if ends(subject.pid, subject.started, AGENT_S):
        return ""
    return f"the agent was asked to end and still runs after {AGENT_S:g} s"


def _wait_for_leftovers(root: Root) -> None:
    """Give what the agent had started a moment to end; the second look says who did not."""
    until = clock.monotonic() + LEFTOVERS_S
    while clock.monotonic() < until:
        try:
            if not occupants(root.top):
                return
        except (Unavailable, OSError):
            return
        clock.pause(_LOOK_S)


def _called(session: Session) -> str:
    where = Path(session.cwd).name or session.agent
    return session.title or f"{where} (pid {session.pid})"


def _folders(session: Session) -> tuple[str, str]:
    return session.cwd, session.record.cwd if session.record else ""
