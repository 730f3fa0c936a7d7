"""Keys that ask for a second press: armed, confirmed, disarmed.

One arm of each kind at most, so that no arm can use up another. Time is an argument.

Source: README.md, "Row 3: verdicts"; design of the guarded keys: README.md, "Safety".
"""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from flightdeck.model.deck import Position

# A switch that bounces, or a nervous thumb, must not confirm what it has just armed.
SETTLED_S = 0.25


class ArmKind(enum.Enum):
    """What an armed key would do."""

    TEARDOWN = "teardown"
    VERDICT = "verdict"
    VERB = "verb"
    LIFT = "lift"


@dataclass(frozen=True, slots=True)
class Arm:
    """One armed action: exactly `what` (say an action and a request), asked for by `by`.

    `by` is the key, None for a terminal. `at` and `until` are monotonic seconds.
    `lines` is what the armed key says: what a second press will do; `deed` says the
    same in words for a terminal.
    """

    kind: ArmKind
    what: tuple[str, ...]
    by: Position | None
    at: float
    until: float
    lines: tuple[str, ...] = ()
    deed: str = ""


def standing(arms: Iterable[Arm], now: float) -> tuple[Arm, ...]:
    """Return the arms whose window is still open."""
    return tuple(arm for arm in arms if now < arm.until)


def armed(arms: Iterable[Arm], arm: Arm) -> tuple[Arm, ...]:
    """Return the arms with `arm` set, in the place of one of its kind."""
    return (*(a for a in arms if a.kind is not arm.kind), arm)


def untouched(
    arms: Iterable[Arm], by: Position | None, what: tuple[str, ...] = ()
) -> tuple[Arm, ...]:
    """Return the arms left after a press of the key `by`: any other key of a deck is disarmed.

    A terminal has no keys: with `by` None it is any deed of its own but `what`.
    """
    return tuple(arm for arm in arms if _untouched(arm, by, what))


def without(arms: Iterable[Arm], kind: ArmKind) -> tuple[Arm, ...]:
    """Return the arms without one of this kind: it was used up."""
    return tuple(arm for arm in arms if arm.kind is not kind)


def confirms(arms: Iterable[Arm], press: Arm) -> bool:
    """Say whether this press, described as the arm it would set, is the second one.

    Same kind, same deed, same hand, inside the window; from a deck not before a bounce
    must be over.
    """
    before = next((a for a in arms if a.kind is press.kind), None)
    if before is None or (before.what, before.by) != (press.what, press.by):
        return False
    settled = press.by is None or press.at - before.at >= SETTLED_S
    return settled and press.at < before.until


def _untouched(arm: Arm, by: Position | None, what: tuple[str, ...]) -> bool:
    if arm.by is None:
        return by is not None or arm.what == what
    return by is None or arm.by == by
