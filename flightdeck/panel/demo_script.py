"""Who plays in the demo, and what each of them does when: one round of it.

Source: README.md, "The state table".
"""

from __future__ import annotations

from dataclasses import dataclass

from flightdeck.model.label import SessionNames
from flightdeck.model.lifecycle import Reason, State
from flightdeck.model.risk import Tier

ROUND_S = 36.0


@dataclass(frozen=True, slots=True)
class Wish:
    """What a blocked session asks for; it suggests to allow `rule` from then on."""

    tool: str
    tier: Tier = Tier.MEDIUM
    rule: str = ""
    repeats: int = 1


@dataclass(frozen=True, slots=True)
class Part:
    """From `at` seconds into the round on, a session is in this state."""

    at: float
    state: State
    reason: Reason | None = None
    error: str = ""
    wish: Wish | None = None


@dataclass(frozen=True, slots=True)
class Actor:
    """One session: what it is called, and its parts in their order."""

    names: SessionNames
    parts: tuple[Part, ...]


WORK = Reason.TURN
_TESTS = Wish("Bash", Tier.LOW, "npm test:*")
_PUSH = Wish("Bash", Tier.HIGH, "git push:*", repeats=2)
CAST = (
    Actor(
        SessionNames("webshop", "feature/1482-checkout-retry"),
        (
            Part(0, State.IDLE),
            Part(1, State.WORKING, WORK),
            Part(5, State.BLOCKED, Reason.PERMISSION, wish=_TESTS),
            Part(13, State.WORKING, WORK),
            Part(24, State.DONE),
        ),
    ),
    Actor(
        SessionNames("payments", "main", "Refund audit"),
        (
            Part(0, State.WORKING, WORK),
            Part(9, State.FAILED, error="rate_limit"),
            Part(20, State.WORKING, WORK),
            Part(31, State.DONE),
        ),
    ),
    Actor(
        SessionNames("payments", "fix/currency-rounding"),
        (
            Part(0, State.DONE),
            Part(7, State.WORKING, WORK),
            Part(15, State.BLOCKED, Reason.QUESTION, wish=Wish("AskUserQuestion")),
            Part(23, State.WORKING, WORK),
        ),
    ),
    Actor(
        SessionNames("infra", "terraform-1.9"),
        (
            Part(0, State.WORKING, Reason.BACKGROUND),
            Part(11, State.DONE),
            Part(26, State.BLOCKED, Reason.PLAN, wish=Wish("ExitPlanMode")),
        ),
    ),
    Actor(SessionNames("docs", "main", "Release notes"), (Part(0, State.IDLE),)),
    Actor(
        SessionNames("mobile", "feature/offline-sync"),
        (
            Part(0, State.EMPTY),
            Part(3, State.IDLE),
            Part(6, State.WORKING, WORK),
            Part(14, State.BLOCKED, Reason.PERMISSION, wish=_PUSH),
            Part(22, State.WORKING, WORK),
            Part(29, State.EMPTY),
        ),
    ),
)
