"""Sessions, requests, records and signals: a test names only what it is about."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flightdeck.model.lifecycle import Reason, State
from flightdeck.model.session import Record, Request, Session, Shown, Status, Story
from flightdeck.model.signal import Facts, Kind, Signal

if TYPE_CHECKING:
    from flightdeck.model.place import Place

A_PID = 4242


def a_session(
    *,
    state: State = State.IDLE,
    reason: Reason | None = None,
    at: float = 0.0,
    requests: tuple[Request, ...] = (),
    record: Record | None = None,
    **more: Any,
) -> Session:
    """Return a session the hooks told to be in `state` since `at`, and the panel shows so."""
    told: dict[str, Any] = {
        "key": "a",
        "agent": "claude-code",
        "pid": A_PID,
        "story": Story(state, reason, at),
        "shown": Shown(state, reason, since=at),
        "closed": state is State.EMPTY,
        "requests": requests,
        "record": record,
    }
    return Session(**(told | more))


def a_request(request_id: str = "r1", *, since: float = 0.0, **more: Any) -> Request:
    """Return a shell command of the main thread that waits for its permission."""
    told: dict[str, Any] = {
        "reason": Reason.PERMISSION,
        "tool": "Bash",
        "fingerprint": "make",
        "alone": True,
    }
    return Request(request_id, since=since, **(told | more))


def a_record(status: Status = Status.IDLE, at: float = 0.0, **more: Any) -> Record:
    """Return what the registry says of the session of `a_session`."""
    return Record(pid=A_PID, session_id="s-aaaa", status=status, at=at, **more)


def a_signal(kind: Kind, at: float = 1.0, **more: Any) -> Signal:
    """Return a hook's signal; one that asks is about a shell command of the main thread."""
    told: dict[str, Any] = {"request_id": f"{kind.value}@{at}"}
    if kind in {Kind.ASKED, Kind.TOOL_STARTED, Kind.TOOL_ENDED}:
        told |= {"tool": "Bash", "fingerprint": "make", "alone": True}
    if kind in {Kind.ASKED, Kind.NUDGED}:
        told |= {"reason": Reason.PERMISSION}
    return Signal(kind, at, **(told | more))


def facts(place: Place | None = None, **more: Any) -> Facts:
    """Return what a signal says of its session."""
    return Facts(place=place, **more)
