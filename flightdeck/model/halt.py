"""Who is sent an Esc when the fleet is halted: only what is at work, by a witness of this moment.

The latch stops the next tool call; Esc is for the one that runs. In an agent that waits it
would answer a dialog, and twice in one that rests it opens a menu: neither is ever sent one.

Source: README.md, "HALT".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from flightdeck.model import witness
from flightdeck.model.lifecycle import Reason, State
from flightdeck.model.session import Status

if TYPE_CHECKING:
    from collections.abc import Iterable

    from flightdeck.model.session import Session


def at_work(sessions: Iterable[Session]) -> tuple[Session, ...]:
    """Return the sessions whose own turn runs now, as they stand after a fold."""
    return tuple(session for session in sessions if _at_work(session))


def _at_work(session: Session) -> bool:
    """Work in the background does not hear an Esc, and its prompt is somebody's to type at."""
    shown, record = session.shown, session.record
    if session.closed or shown.state is not State.WORKING or shown.reason is Reason.BACKGROUND:
        return False
    if witness.unanswered(session):
        return False
    return record.status is Status.BUSY if record else session.story.state is State.WORKING
