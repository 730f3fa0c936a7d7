"""Who is sent an Esc when the fleet is halted: only what is at work, by a witness of this moment.

The latch stops the next tool call; Esc is for the one that runs. In an agent that waits it
would answer a dialog, and twice in one that rests it opens a menu: neither is ever sent one.
Esc may be lost: whose record is as it was a moment later has not heard it.

Source: README.md, "HALT".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from flightdeck.model import witness
from flightdeck.model.lifecycle import Reason, State
from flightdeck.model.session import Status

if TYPE_CHECKING:
    from collections.abc import Iterable

    from flightdeck.model.place import Place
    from flightdeck.model.session import Record, Session

# A record trails an Esc by a tenth of a second, that of a busy client by some more.
STOPS_S = 1.0
RUNS_ON = "its turn runs on: something else in its window took the Esc"


def at_work(sessions: Iterable[Session]) -> tuple[Session, ...]:
    """Return the sessions whose own turn runs now, as they stand after a fold.

    A window is named once at most, and never one in which somebody waits: an agent that was
    started by another inherits its window, and what is typed there reaches only one of them.
    """
    every = tuple(sessions)
    taken = {session.place for session in every if _waits(session) and _is_one(session.place)}
    told: list[Session] = []
    for session in every:
        if _at_work(session) and session.place not in taken:
            told.append(session)
            taken |= {session.place} if _is_one(session.place) else set()
    return tuple(told)


def runs_on(session: Session | None, before: Record | None) -> bool:
    """Say whether the turn still runs of which its own record told `before` an Esc."""
    record = session.record if session else None
    if record is None or before is None:
        return False
    return (record.status, record.at) == (before.status, before.at)


def who(session: Session) -> str:
    """Return which agent that is, for somebody at a terminal."""
    return f"process {session.pid} in {session.cwd or '?'}"


def _waits(session: Session) -> bool:
    blocked = session.shown.state is State.BLOCKED or bool(witness.unanswered(session))
    return blocked and not session.closed and not session.headless


def _is_one(place: Place) -> bool:
    """Say whether it is one window or pane, rather than any of some kind."""
    return bool(place.tmux_pane or place.window)


def _at_work(session: Session) -> bool:
    """Work in the background does not hear an Esc, and its prompt is somebody's to type at.

    A run without a terminal hears none either: what is typed goes to whoever started it.
    """
    (state, reason), record = session.shown.told, session.record
    if session.closed or state is not State.WORKING or reason is Reason.BACKGROUND:
        return False
    if witness.unanswered(session) or session.headless:
        return False
    return record.status is Status.BUSY if record else session.story.state is State.WORKING
