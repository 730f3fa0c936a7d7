"""How dangerous a tool call is: tiers, and what a judgement says.

A tier only ever adds friction to a prompt its operator is already shown; it removes
none and grants nothing.

Source: risk/README.md.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass


class Tier(enum.Enum):
    """How dangerous a call is; the value is its name in state files and rules."""

    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"


@dataclass(frozen=True, slots=True)
class Judgement:
    """What was decided of a call: its tier, the rule that decided it, and why.

    `rule` is empty where none spoke. `span` is where in the judged text the rule
    tripped, start and end in characters, None where no part of a text did.
    """

    tier: Tier
    rule: str = ""
    why: str = ""
    span: tuple[int, int] | None = None
