"""What an agent did, in words no agent kind owns.

An adapter in `agents/` turns a hook's payload into signals; the rules know nothing else.
A signal carries no prompt and no tool input, only a fingerprint of it, and what the
agent itself suggests to write down.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from flightdeck.model.lifecycle import Reason
    from flightdeck.model.place import Place


class Kind(enum.Enum):
    """What happened."""

    STARTED = "started"
    PROMPTED = "prompted"
    DELIVERED = "delivered"
    WOKEN = "woken"
    TOOL_STARTED = "tool_started"
    TOOL_ENDED = "tool_ended"
    ASKED = "asked"
    ANSWERED = "answered"
    DECIDED = "decided"
    NUDGED = "nudged"
    TURN_ENDED = "turn_ended"
    TURN_FAILED = "turn_failed"
    INTERRUPTED = "interrupted"
    COMPACTING = "compacting"
    COMPACTED = "compacted"
    SUBAGENT_ENDED = "subagent_ended"
    MOVED = "moved"
    LEFT = "left"
    CLOSED = "closed"


@dataclass(frozen=True, slots=True)
class Facts:
    """What an event says of the session beside what happened; empty is "not said"."""

    session_id: str = ""
    cwd: str = ""
    title: str | None = None
    permission_mode: str = ""
    transcript: str = ""
    place: Place | None = None
    entrypoint: str = ""


@dataclass(frozen=True, slots=True)
class Signal:
    """One event of one process at one time (`at`: seconds since the epoch).

    `thread` is the sub-agent it happened in, empty for the main thread. `tool` and
    `fingerprint` tell one tool call from another; `alone` says such a call never runs
    beside another of its thread. `running` is what a turn left running: background
    work the agent's registry knows of, `untold` work it may not know of. `tier` and
    `rule` judge the call that asks, `suggestions` is the JSON the agent would write down;
    `interrupt` says that a decision of the panel's ended the turn, `token` which staged
    verb a prompt asks to read, or a turn went on with. `waits` says that the hook of a
    request waits for the panel.
    """

    kind: Kind
    at: float
    facts: Facts = field(default_factory=Facts)
    event: str = ""
    request_id: str = ""
    thread: str = ""
    tool: str = ""
    fingerprint: str = ""
    alone: bool = False
    reason: Reason | None = None
    error: str = ""
    running: bool = False
    untold: bool = False
    tier: str = ""
    rule: str = ""
    suggestions: str = ""
    interrupt: bool = False
    token: str = ""
    waits: bool = False
