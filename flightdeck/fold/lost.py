"""Sessions whose record cannot be read any more: as the last snapshot showed them.

A torn record is left alone, but its process lives on, and its key must neither go dark
nor move. What only the record knew is told again by the next hook or the registry.

Source: README.md, "The state folder"; anthropics/claude-code#91520.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from flightdeck.model import failing
from flightdeck.model.lifecycle import Reason, State
from flightdeck.model.session import Request, Session, Shown, Story, Teardown
from flightdeck.store.snapshot import fleet_from_json, read

if TYPE_CHECKING:
    from collections.abc import Container, Iterable
    from pathlib import Path

    from flightdeck.model.fleet import SlotView


def sessions(broken: Iterable[str], known: Container[str], snapshot: Path) -> dict[str, Session]:
    """Return the sessions of the `broken` record files that `snapshot` shows, by key."""
    keys = {name.removesuffix(".new.json").removesuffix(".json") for name in broken}
    wanted = {key for key in keys if key not in known}
    if not wanted:
        return {}
    try:
        views = fleet_from_json(read(snapshot)).slots
    except ValueError:
        return {}
    return {view.key: _session(view) for view in views if view.key in wanted}


def _session(view: SlotView) -> Session:
    started = view.key.partition("-")[2]
    return Session(
        key=view.key,
        agent=view.agent,
        pid=view.pid,
        # On Linux the key holds the start as it is; elsewhere only what is left of it.
        started=started if started.isdigit() else "",
        first_seen=view.since,
        session_id=view.session_id,
        cwd=view.cwd,
        title=view.title,
        permission_mode=view.permission_mode,
        place=view.place,
        announced=not view.untracked,
        slot=view.slot,
        seen=view.seen,
        stale=view.stale,
        story=_story(view),
        requests=_requests(view),
        teardown=_refusal(view),
        reported=view.since if view.how == failing.REPORTED else 0.0,
        shown=Shown(view.state, view.reason, view.how, view.since, view.error),
    )


def _refusal(view: SlotView) -> Teardown | None:
    """A teardown that was under way is told of by whoever does it."""
    if not view.refusal:
        return None
    check, _, words = view.refusal.partition(": ")
    return Teardown(view.since, check=check, words=words, ended=view.ended)


def _story(view: SlotView) -> Story:
    """A blocked session is one at work with a request that waits."""
    if view.state is State.BLOCKED:
        return Story(State.WORKING, Reason.TURN, view.since)
    if view.how == failing.REPORTED:  # red over whatever its hooks had told
        return Story(State.IDLE, at=view.since)
    return Story(view.state, view.reason, view.since, view.error, how=view.how)


def _requests(view: SlotView) -> tuple[Request, ...]:
    reason = view.reason or Reason.PERMISSION
    return tuple(
        Request(r.request_id, reason, r.since, r.tool, tier=r.tier, repeats=r.repeats)
        for r in view.pending
    )
