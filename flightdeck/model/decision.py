"""What is told to an agent that asked for permission; an agent kind puts it into its own words.

Source: README.md, "Row 3: verdicts".
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Decision:
    """Allow or deny one request.

    `message` tells the agent why it was denied. `interrupt` ends its turn as well.
    `permissions` is the agent's own suggestion, as the JSON it came in, to be written
    down beside an allow; empty for an allow of this once.
    """

    allow: bool
    message: str = ""
    interrupt: bool = False
    permissions: str = ""
