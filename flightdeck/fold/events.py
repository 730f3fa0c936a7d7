"""Hook events into sessions: each goes to the session of its process, made if it is the first.

An event that trips over a bug is dropped and named: kept, it would end every panel from
then on.
"""

from __future__ import annotations

import logging
from dataclasses import replace
from typing import TYPE_CHECKING

from flightdeck.fold.witnesses import key_of
from flightdeck.model import transition
from flightdeck.model.session import Session
from flightdeck.model.signal import Kind
from flightdeck.store import asks
from flightdeck.system import process

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from flightdeck.model.event import Event
    from flightdeck.model.signal import Signal
    from flightdeck.ports import AgentKind

_LOG = logging.getLogger(__name__)


def take_in(
    sessions: dict[str, Session],
    events: Sequence[Event],
    kinds: Mapping[str, AgentKind],
    waiting: Path,
) -> None:
    """Apply `events`, oldest first, to `sessions`; `waiting` has the FIFOs of hooks that wait."""
    starts = process.starts_of({event.pid for event in events}) if events else {}
    for event in events:
        kind, started = kinds.get(event.agent), starts.get(event.pid)
        if kind is None or started is None:
            continue  # it has ended already; the liveness of its session says so too
        try:
            _apply(sessions, event, started, _signals(kind, event, waiting))
        except Exception as error:
            # Only its kind: what an error says may quote what a tool was given.
            _LOG.error("event %s dropped: %s", event.ident, type(error).__name__)


def _signals(kind: AgentKind, event: Event, waiting: Path) -> list[Signal]:
    """Return what an event says, with what its hook does now."""
    return [
        replace(signal, waits=asks.waits(waiting, signal.request_id))
        if signal.kind is Kind.ASKED
        else signal
        for signal in kind.signals(event)
    ]


def _apply(
    sessions: dict[str, Session], event: Event, started: str, signals: Sequence[Signal]
) -> None:
    key = key_of(sessions, event.pid, started)
    for signal in signals:
        session = sessions.get(key) or Session(
            key=key, agent=event.agent, pid=event.pid, started=started, first_seen=event.at
        )
        if signal.kind is Kind.CLOSED and key not in sessions:
            continue  # "No, exit": it ended without ever having started
        if not session.started and started:
            session = replace(session, started=started)
        sessions[key] = transition.apply(session, signal)
