"""What a teardown does to a session: claimed by one doer, refused until somebody has read why.

A refusal can come after the agent has ended. Then nobody is left to speak for the
worktree, so the session keeps its key, red, until a press or `fail --clear` acknowledges
it: its process being gone is no reason to forget it.

Source: README.md, "Safety".
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from flightdeck.model.lifecycle import Reason, State
from flightdeck.model.session import Shown, Story, Teardown

if TYPE_CHECKING:
    from flightdeck.model.session import Session

HOW = "teardown"
CUT_SHORT = "cut short"


def under_way(session: Session) -> bool:
    """Say whether somebody is tearing it down."""
    return session.teardown is not None and session.teardown.by != 0


def has_ended(session: Session) -> bool:
    """Say whether its process has gone, and only a teardown keeps its key."""
    return session.teardown is not None and session.teardown.ended


def refusal(session: Session) -> str:
    """Return why it was not torn down: the check, then its words; "" if nothing refused it."""
    teardown = session.teardown
    if teardown is None or teardown.by:
        return ""
    return f"{teardown.check}: {teardown.words}"


def claimed(session: Session, by: int, started: str, now: float) -> Session:
    """Return the session as that of process `by` to tear down, unless another does already."""
    if under_way(session):
        return session
    return replace(session, teardown=Teardown(now, by, started, ended=has_ended(session)))


def refused(
    session: Session, check: str, words: str, now: float, *, ended: bool, asked: bool = False
) -> Session:
    """Return the session with why it was not torn down.

    `ended` says that its agent has; `asked` that it was asked to, and may do so late.
    """
    told = Teardown(now, check=check, words=words, ended=ended or has_ended(session), asked=asked)
    return replace(session, teardown=told)


def given_up(session: Session) -> Session:
    """Return the session as if nobody had tried."""
    return replace(session, teardown=None)


def torn_down(session: Session) -> Session:
    """Return the session after its worktree is gone: nothing keeps its key."""
    return replace(session, teardown=None, closed=True, requests=())


def acknowledged(session: Session) -> Session:
    """Return the session after somebody has read the refusal; who has ended goes now."""
    if session.teardown is None or under_way(session):
        return session
    return torn_down(session) if has_ended(session) else given_up(session)


def outlived(session: Session, now: float) -> Session | None:
    """Return what stays of a session whose process has gone: nothing, but for a teardown."""
    if session.teardown is None or not _outlasts(session):
        return None
    if session.story.state is State.EMPTY and session.teardown.ended:
        return session
    return replace(
        session,
        teardown=replace(session.teardown, ended=True),
        story=Story(State.EMPTY, at=now, how="process"),
        requests=(),
        record=None,
    )


def cut_short(session: Session, now: float) -> Session:
    """Return the session after whoever tore it down ended over it."""
    if not _gone(session):
        return given_up(session)
    words = "whoever tore it down ended over it: the agent has ended, the worktree stays"
    return refused(session, CUT_SHORT, words, now, ended=True)


def kept(session: Session) -> Session:
    """Return the session, which said goodbye, with its key while a teardown stands."""
    return replace(session, closed=False) if session.closed and _outlasts(session) else session


def overtaken(session: Session) -> Session:
    """Return the session without a refusal that a turn has begun after: its operator went on."""
    teardown, story = session.teardown, session.story
    if teardown is None or _keeps(session) or teardown.at >= story.at:
        return session
    if story.state is not State.WORKING or story.reason is not Reason.TURN:
        return session
    return replace(session, teardown=None)


def shown(session: Session, weighed: Shown) -> Shown:
    """Return what its key shows where `weighed` is what its witnesses say.

    Red for a refusal; but one that waits for its operator is amber before anything else.
    """
    teardown = session.teardown
    if teardown is None:
        return weighed
    if under_way(session):
        return Shown(State.IDLE, how=HOW, since=teardown.at) if _gone(session) else weighed
    if weighed.state is State.BLOCKED and not teardown.ended:
        return weighed
    error, beneath = f"teardown: {teardown.check}", weighed.told
    return Shown(State.FAILED, how=HOW, since=teardown.at, error=error, beneath=beneath)


def _keeps(session: Session) -> bool:
    return under_way(session) or has_ended(session)


def _outlasts(session: Session) -> bool:
    """A refusal goes with an agent that was left alone, any other keeps the key."""
    return _keeps(session) or (session.teardown is not None and session.teardown.asked)


def _gone(session: Session) -> bool:
    return has_ended(session) or session.story.state is State.EMPTY
