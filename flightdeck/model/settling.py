"""Which evidence settles which waiting request, and which two reports are of one request.

A request is settled only by evidence of its own thread, because sub-agents ask and run
while the main thread stops, starts and stops again; and never by what came before it.

Source: README.md, "The state table"; how the client really behaves: its hooks, section
"PermissionRequest".
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from flightdeck.model.session import Request, Session
    from flightdeck.model.signal import Signal

# The same hook registered twice reports one request twice, within milliseconds: the client
# starts both at once, so either both find a panel to wait for or neither does.
TWIN_S = 0.5


def without(session: Session, signal: Signal, gone: Callable[[Request], bool]) -> Session:
    """Return the session without the requests `signal` settles: never one asked after it."""
    kept = (r for r in session.requests if r.since > signal.at or not gone(r))
    return replace(session, requests=tuple(kept))


def main_thread(request: Request) -> bool:
    """Say whether no sub-agent asks."""
    return not request.thread


def anyone(_: Request) -> bool:
    """Say yes: whoever asks."""
    return True


def by_result(session: Session, signal: Signal) -> Session:
    """Settle the request of the very call that has ended, else what its thread has passed."""
    exact = next((r for r in session.requests if _same_call(r, signal)), None)
    if exact is None:
        return by_progress(session, signal)
    return without(session, signal, lambda r: r is exact)


def _same_call(request: Request, signal: Signal) -> bool:
    same = request.thread == signal.thread and request.tool == signal.tool
    return same and request.fingerprint == signal.fingerprint and request.since <= signal.at


def by_progress(session: Session, signal: Signal) -> Session:
    """Settle what this thread cannot still be asking, now that it runs another tool.

    Reads may run side by side, so progress proves nothing about a waiting read; a
    tool that runs alone has been answered if anything of its thread moves.
    """
    mine = [r for r in session.requests if r.thread == signal.thread and r.since <= signal.at]
    if len(mine) != 1 or not mine[0].alone:
        return session
    return without(session, signal, lambda r: r is mine[0])


def twins(one: Request, other: Request) -> bool:
    """Say whether two reports, `one` that stands and the `other`, are of one request.

    What is asked again once nobody waits for the first any more is another: its hook is
    held, and would be let go at once as the second of two.
    """
    if one.request_id == other.request_id:
        return True
    same = (one.thread, one.tool, one.fingerprint) == (other.thread, other.tool, other.fingerprint)
    alike = one.waits is other.waits and not one.ended
    return same and alike and abs(one.since - other.since) < TWIN_S
