"""What the panel itself knows of sessions, for the fold to write down with the rest.

A fact is a function from a session to that session with the fact in it.

Source: README.md, "The visual language": what was seen, and whose window is gone.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from flightdeck.model.effect import Focus
    from flightdeck.model.session import Session

    Amend = Callable[[Session], Session]


def after_focus(effect: Focus, *, gone: bool) -> Amend:
    """A session somebody looked at is seen; one whose window is gone is stale."""

    def amend(session: Session) -> Session:
        if session.key != effect.key:
            return session
        return replace(session, stale=gone, seen=session.seen or not gone)

    return amend


def chain(amends: Sequence[Amend]) -> Amend:
    """Return all of them as one."""

    def amend(session: Session) -> Session:
        for one in amends:
            session = one(session)
        return session

    return amend
