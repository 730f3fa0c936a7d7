"""Which session a command was called from, told by its processes and its environment.

An agent that reports a failure cannot be asked for a slot number: keys move, and it has
never seen one. What stands around its command names its session:

- the nearest process above it that is a session's: of nested agents the inner one;
- the session id its client gives every command, which `/clear` changes;
- the pid its client gives every command;
- where none of these is there, the pane it runs in, if one session alone is there.

An editor an agent opened, a tmux server it started, a job that outlived `/clear`: all of
them hand on what was an agent's once. So whatever is said must name the same session, what
names nobody is not passed over, and without a process a session in another pane is not
the caller. Knows no process and no environment.

Source: README.md, "Red from the agent itself"; Claude Code 2.1.332's Bash tool, observed.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from flightdeck.model import ending
from flightdeck.model.place import Place

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from flightdeck.model.session import Session

_UNKNOWN = "unknown"
# A terminal known by its name only may have any number of windows.
_NO_PANE = frozenset({_UNKNOWN, "app"})
# An environment may hold anything.
_LONGEST = 60


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What stands around a command: the pids above it, nearest first, and what it was told.

    `session_id` and `client_pid` are as its environment has them, "" where it has none.
    """

    ancestors: tuple[int, ...] = ()
    session_id: str = ""
    client_pid: str = ""
    place: Place = field(default_factory=Place)


@dataclass(frozen=True, slots=True)
class Caller:
    """Who called: the `key` of a session, or `against`, why that cannot be told.

    `looked_at` says what was looked at and what it named.
    """

    key: str = ""
    against: str = ""
    looked_at: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Clue:
    what: str
    keys: frozenset[str]

    @property
    def told(self) -> str:
        count = len(self.keys)
        who = "no session's" if not count else "one session's" if count == 1 else f"{count} of them"
        return f"{self.what} ({who})"


def caller(around: Surroundings, sessions: Iterable[Session]) -> Caller:
    """Return which of `sessions` a command was called from."""
    live = [s for s in sessions if not s.closed and not ending.has_ended(s)]
    process, said, pane = _process(around, live), _said(around, live), _pane(around, live)
    looked_at = tuple(clue.told for clue in (process, *said, *pane))
    clues = [process, *said] if process.keys else said or pane
    against = _against(clues)
    if not against and not process.keys:
        against = _elsewhere(around.place, _common(clues), live)
    if against:
        return Caller(against=against, looked_at=looked_at)
    return Caller(min(_common(clues)), looked_at=looked_at)


def _process(around: Surroundings, live: Sequence[Session]) -> _Clue:
    by_pid = {session.pid: session.key for session in live}
    nearest = next((pid for pid in around.ancestors if pid in by_pid), None)
    if nearest is None:
        return _Clue("the processes above it", frozenset())
    return _Clue(f"process {nearest} above it", frozenset({by_pid[nearest]}))


def _said(around: Surroundings, live: Sequence[Session]) -> list[_Clue]:
    """Return what its environment names; nobody has what is no id and no number."""
    clues = []
    if said := around.session_id:
        keys = frozenset(s.key for s in live if said in _ids(s))
        clues.append(_Clue(f"session id '{said[:_LONGEST]}'", keys))
    if said := around.client_pid:
        keys = frozenset(s.key for s in live if str(s.pid) == said)
        clues.append(_Clue(f"client pid '{said[:_LONGEST]}'", keys))
    return clues


def _ids(session: Session) -> set[str]:
    """Its record may know of a new id before a hook does."""
    return {session.session_id, session.record.session_id if session.record else ""}


def _pane(around: Surroundings, live: Sequence[Session]) -> list[_Clue]:
    place = around.place
    if place.kind in _NO_PANE:
        return []
    keys = frozenset(s.key for s in live if s.place == place)
    return [_Clue(f"the {place.kind} pane {place.tmux_pane or place.window}", keys)]


def _against(clues: Sequence[_Clue]) -> str:
    """Return why these clues do not name one session, "" if they do."""
    if not clues:
        return "nothing around this command is a session's"
    if nobodys := next((clue for clue in clues if not clue.keys), None):
        return f"{nobodys.what} is no session's"
    common = _common(clues)
    if not common:
        return f"{' and '.join(clue.what for clue in clues)} are not of the same session"
    if len(common) > 1:
        return f"{clues[0].what} is that of {len(common)} sessions"
    return ""


def _common(clues: Sequence[_Clue]) -> frozenset[str]:
    return frozenset.intersection(*(clue.keys for clue in clues))


def _elsewhere(place: Place, keys: frozenset[str], live: Sequence[Session]) -> str:
    """An environment that is handed on names its session from any window at all."""
    theirs = next(s.place for s in live if s.key in keys)
    if _UNKNOWN in {place.kind, theirs.kind} or place == theirs:
        return ""
    return "the session its environment names runs in another window"
