"""Asks the second witnesses: is the process alive, what does its registry say, its transcript.

Processes are asked rarely, records only when their file changed: a panel at rest must
cost nothing.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import TYPE_CHECKING

from flightdeck.model import ending, transition
from flightdeck.model.event import NAMES
from flightdeck.model.lifecycle import State
from flightdeck.model.place import place_from
from flightdeck.model.session import Session
from flightdeck.model.signal import Kind, Signal
from flightdeck.system import process

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from flightdeck.model.session import Record
    from flightdeck.ports import AgentKind

# Reading /proc costs microseconds; elsewhere it is a `ps` for the whole fleet.
LIVENESS_S = 0.5 if sys.platform == "linux" else 5.0


def session_key(pid: int, started: str) -> str:
    """Return the key of a process: pid and start time, so that a reused pid is another."""
    tail = "".join(c for c in started if c.isascii() and c.isalnum())
    return f"{pid}-{tail}" if tail else str(pid)


def key_of(sessions: Mapping[str, Session], pid: int, started: str) -> str:
    """Return the key of this process's session, or the one a new session of it gets.

    A start that could not be told, then or now, must not make two sessions of one process.
    """
    key = session_key(pid, started)
    if key in sessions:
        return key
    known = (s.key for s in sessions.values() if s.pid == pid and _same(s.started, started))
    return next(known, key)


def _same(one: str, other: str) -> bool:
    """Say whether two starts may be those of one process: "" is one nobody could tell."""
    return not one or not other or one == other


class Liveness:
    """Which processes have ended, asked at most every `LIVENESS_S`."""

    def __init__(self) -> None:
        self._asked_at = -LIVENESS_S

    def ended(self, sessions: Iterable[Session], now: float) -> set[str]:
        """Return the keys of sessions whose process is gone, a zombie, or another one."""
        if 0 <= now - self._asked_at < LIVENESS_S:
            return set()
        self._asked_at = now
        by_key = {s.key: s for s in sessions}
        starts = process.starts_of({s.pid for s in by_key.values()})
        return {
            key
            for key, s in by_key.items()
            if s.pid not in starts or not _same(s.started, starts[s.pid])
        }


class Strangers:
    """Sessions no hook has announced, as their records tell of them.

    A killed client leaves its record behind for good: whose process has ended is asked
    about once, because outside Linux asking is a `ps`, and a pid comes round again.
    """

    def __init__(self) -> None:
        self._left_behind: set[Record] = set()

    def session(self, kind: AgentKind, record: Record, now: float) -> Session | None:
        """Return the session of a record, if it is one and lives; `now` in epoch seconds."""
        if record.spare or record in self._left_behind:
            return None
        started = process.start_of(record.pid)
        if started is None or not same_process(record, started):
            self._left_behind.add(record)
            return None
        return _unannounced(kind, record, started, now)


def with_records(
    sessions: dict[str, Session],
    kind: AgentKind,
    records: Iterable[Record],
    strangers: Strangers,
    now: float,
) -> None:
    """Give each session the record of its process; add sessions only the registry knows.

    A process that is kept ready may have told its start to a hook, and is no session yet.
    """
    alive = (s for s in sessions.values() if not ending.has_ended(s))
    by_pid = {s.pid: s for s in alive if s.agent == kind.name}
    found: set[str] = set()
    for record in records:
        session = by_pid.get(record.pid)
        if session is not None and same_process(record, session.started):
            found.add(session.key)
            if record.spare and session.story.state is State.IDLE:
                del sessions[session.key]
            elif session.record is not record and session.record != record:
                sessions[session.key] = _with_record(session, record)
        elif session is None and (fresh := strangers.session(kind, record, now)):
            sessions[fresh.key] = fresh
            found.add(fresh.key)
    for session in by_pid.values():
        if session.record is not None and session.key not in found:
            sessions[session.key] = replace(session, record=None)


def same_process(record: Record, started: str) -> bool:
    """The record's start time is only known to be ours where both are plain numbers."""
    if record.started.isdigit() and started.isdigit():
        return record.started == started
    return True


def _with_record(session: Session, record: Record) -> Session:
    session = replace(session, record=record)
    if session.announced:
        return session
    return replace(session, session_id=record.session_id, cwd=record.cwd or session.cwd)


def _unannounced(kind: AgentKind, record: Record, started: str, now: float) -> Session:
    return Session(
        key=session_key(record.pid, started),
        agent=kind.name,
        pid=record.pid,
        started=started,
        first_seen=now,
        session_id=record.session_id,
        cwd=record.cwd,
        entrypoint=record.entrypoint,
        # What a hook would have told of its window, had one spoken.
        place=place_from(process.environment_of(record.pid, NAMES)),
        record=record,
    )


def with_transcripts(sessions: dict[str, Session], kinds: Mapping[str, AgentKind]) -> bool:
    """Where there is no record, let the transcript say that a turn was interrupted.

    Return whether one was asked: nobody watches transcripts, so it has to be asked often.
    """
    asked = False
    for session in list(sessions.values()):
        busy = session.story.state is State.WORKING or session.requests
        kind = kinds.get(session.agent)
        if session.record is not None or not busy or kind is None:
            continue
        asked = True
        at = kind.interrupted_at(session)
        if at is not None and at > session.story.at:
            signal = Signal(Kind.INTERRUPTED, at)
            sessions[session.key] = transition.apply(session, signal)
    return asked
