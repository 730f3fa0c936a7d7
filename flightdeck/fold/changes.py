"""What the journal is told of a pass: one row for each session whose state changed.

Rows hold ids, states and reasons; never a prompt, a title or a tool's input.

Source: README.md, "The state folder".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from flightdeck.model.lifecycle import State
from flightdeck.model.session import Shown

if TYPE_CHECKING:
    from collections.abc import Mapping

    from flightdeck.model.session import Session


def rows(
    before: Mapping[str, Session], after: Mapping[str, Session], now: float
) -> list[dict[str, object]]:
    """Return the rows of a pass at `now` (epoch seconds); an ended session becomes empty."""
    told = [
        _row(session, known.shown.state if known else State.EMPTY, session.shown, now)
        for key, session in after.items()
        if (known := before.get(key)) is not session
    ]
    told += [
        _row(session, session.shown.state, Shown(State.EMPTY, how="process"), now)
        for key, session in before.items()
        if key not in after
    ]
    return [row for row in told if row["from_state"] != row["state"]]


def _row(session: Session, before: State, shown: Shown, now: float) -> dict[str, object]:
    return {
        "time": round(now, 3),
        "key": session.key,
        "session_id": session.session_id,
        "slot": session.slot,
        "from_state": before.value,
        "state": shown.state.value,
        "reason": shown.reason.value if shown.reason else None,
        "how": shown.how,
        "error": shown.error or None,
        "pid": session.pid,
        "agent": session.agent,
    }
