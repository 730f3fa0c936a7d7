"""A failure somebody reported, which no witness of ours could have seen.

A suite that fails ends its turn as any other does: the agent itself has to say so, with
`flightdeck fail`. What it says stands, red over whatever its witnesses tell, until its
operator has gone on: by a prompt, a staged verb, a dialog or a new conversation. What the
agent does by itself, tools and ends of turns, takes nothing back.

Source: README.md, "Red from the agent itself".
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

from flightdeck.model import ending
from flightdeck.model.lifecycle import State
from flightdeck.model.session import Shown
from flightdeck.model.signal import Kind

if TYPE_CHECKING:
    from flightdeck.model.session import Session, Story
    from flightdeck.model.signal import Signal

# The word for it, as a witness and as an error.
REPORTED = "reported"
CLEARED = "cleared"

_GOES_ON = frozenset({Kind.PROMPTED, Kind.DELIVERED, Kind.ASKED, Kind.STARTED})
# One that waits for its operator is amber first, and one that is gone is dark.
_OVERLAID = frozenset({State.IDLE, State.WORKING, State.DONE})


def reported(session: Session, now: float) -> Session:
    """Return the session with a failure reported at `now`, epoch seconds; once is enough."""
    return session if session.reported else replace(session, reported=now)


def gone_on(session: Session, signal: Signal) -> Session:
    """Return the session without its reported failure, if `signal` says its operator went on."""
    if not session.reported or signal.kind not in _GOES_ON or signal.at < session.reported:
        return session
    return replace(session, reported=0.0)


def shown(session: Session, weighed: Shown) -> Shown:
    """Return what its key shows where `weighed` is what its witnesses say."""
    if not session.reported or weighed.state not in _OVERLAID:
        return weighed
    since, beneath = session.reported, weighed.told
    return Shown(State.FAILED, how=REPORTED, since=since, error=REPORTED, beneath=beneath)


def asked_since(session: Session, weighed: Shown) -> Session:
    """Return the session without its reported failure, if a dialog has opened after it.

    A dialog may be one no hook tells of; one that was open before says nothing of it.
    """
    if not session.reported or weighed.state is not State.BLOCKED:
        return session
    return replace(session, reported=0.0) if weighed.since > session.reported else session


def stands(session: Session) -> bool:
    """Say whether there is a failure to clear: reported, of its client, or a refused teardown."""
    return bool(session.reported or ending.refusal(session) or _has_failed(session.story))


def cleared(session: Session) -> Session:
    """Return the session after somebody has seen to its failure, whichever it is."""
    if not stands(session):
        return session
    story = _mended(session.story) if _has_failed(session.story) else session.story
    return ending.acknowledged(replace(session, reported=0.0, story=story))


def _has_failed(story: Story) -> bool:
    return State.FAILED in {story.state, story.back_to[0]}


def _mended(story: Story) -> Story:
    """Back to idle, just after the failure: told once more it is late, all since is not."""
    mended = replace(story, error="", back_to=(State.IDLE, None))
    if story.state is not State.FAILED:  # it compacts, and would have come back to it
        return mended
    just_after = math.nextafter(story.at, math.inf)
    return replace(mended, state=State.IDLE, reason=None, at=just_after, how=CLEARED)
