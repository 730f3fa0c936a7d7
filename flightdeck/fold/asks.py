"""What waits for an answer, as the keys and the verdict row see it.

A request a witness says is over is left out at once, even while the records still hold
it; which the panel can answer, and what remembering one would write, is told here.

Source: README.md, "Row 3: verdicts".
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from flightdeck.model import remember, witness
from flightdeck.model.ask import Ask
from flightdeck.model.fleet import PendingView

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from flightdeck.model.ask import Grant
    from flightdeck.model.session import Request, Session
    from flightdeck.system.git import GitFacts

    Labelled = tuple[Session, GitFacts, tuple[str, str]]


def pending(session: Session, *, running: bool) -> tuple[PendingView, ...]:
    """Return the requests of one session; `running` says whether a panel runs."""
    return tuple(
        PendingView(
            request_id=request.request_id,
            tool=request.tool,
            tier=request.tier,
            repeats=request.repeats,
            since=request.since,
            answerable=running and request.held,
        )
        for request in witness.unanswered(session)
    )


def asks(live: Iterable[Labelled], titles: Mapping[str, str], *, running: bool) -> tuple[Ask, ...]:
    """Return the requests of every session, oldest first; `titles` are those of agent kinds."""
    found = [
        Ask(
            request_id=request.request_id,
            key=session.key,
            agent=titles.get(session.agent, session.agent),
            tool=request.tool,
            tier=request.tier,
            since=request.since,
            label=label,
            repeats=request.repeats,
            reason=request.reason,
            answerable=running and request.held,
            place=session.place,
            grant=_grant(request, session, facts),
        )
        for session, facts, label in live
        for request in witness.unanswered(session)
    ]
    return tuple(sorted(found, key=lambda ask: (ask.since, ask.request_id)))


def _grant(request: Request, session: Session, facts: GitFacts) -> Grant:
    # Outside of any repository the folder the agent works in is all there is.
    root = str(facts.worktree or session.cwd)
    home = os.path.expanduser("~")  # noqa: PTH111 - Path.home() raises where there is none
    main = str(facts.main or "")
    return remember.grant(request.suggestions, facts.repo, root, main, home, os.path.realpath)
