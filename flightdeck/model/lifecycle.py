"""What a session is doing, in the six words of the panel, and why.

Pure: no clock, no files. How a session gets from one to the next is `transition`
(what hooks say) and `witness` (what the agent's own registry says).

Source: README.md, "The state table".
"""

from __future__ import annotations

import enum


class State(enum.Enum):
    """Lifecycle of a session. The value is its name in layouts and in ~/.fleet."""

    EMPTY = "empty"
    IDLE = "idle"
    WORKING = "working"
    BLOCKED = "blocked"
    DONE = "done"
    FAILED = "failed"


class Reason(enum.Enum):
    """Why a session is blocked or working; the value is its name in ~/.fleet."""

    PERMISSION = "permission"
    QUESTION = "question"
    PLAN = "plan"
    INPUT = "input"
    TURN = "turn"
    BACKGROUND = "background"
    COMPACTING = "compacting"
