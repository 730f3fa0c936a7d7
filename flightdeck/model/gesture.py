"""What one thumb does on a key that also takes a hold: a press, a hold, or neither.

A press fires on release, a hold while the key is still down, and no touch is ever both.
Pure: told what a switch did and what time it is, it answers what that was, and when to
ask again. Times are monotonic seconds.

Source: README.md, "Safety"; Macro-Deck-App/Macro-Deck#571 (a release taken for a press),
bitfocus/companion#222 (bounce), timothycrosley/streamdeck-ui#131 (a release that is lost).
"""

from __future__ import annotations

import enum
import math
from dataclasses import dataclass, replace

# A switch that opens and closes again within this time was never let go.
BOUNCE_S = 0.06
# A tap is down for this long at least, and at most; its release is believed at once, any
# other when it has stood.
TAP_S, _LONGEST_TAP_S = 0.03, 0.2
# From then on a touch may become a hold, and the key says how far it has come.
VISIBLE_S = 0.2
_STEPS = 12


class What(enum.Enum):
    """What a touch has turned out to be."""

    NOTHING = "nothing"
    PRESS = "press"
    HOLD = "hold"


@dataclass(frozen=True, slots=True)
class Touch:
    """A finger on a key: what the key stood for as it came down, and the switch since.

    `up` is when the switch last opened, None while it is closed. A `spent` touch has done
    what it does: how it ends means nothing any more.
    """

    aim: str
    down: float
    up: float | None = None
    spent: bool = False


def put_down(before: Touch | None, aim: str, at: float) -> Touch:
    """Return the touch after a switch closed at `at`, on a key that stands for `aim`.

    A switch that bounced goes on with the touch before. A touch that never ended lost its
    release: what it would have become is forgotten.
    """
    if before is not None and bounced(before, at):
        return replace(before, up=None)
    return Touch(aim, at)


def bounced(before: Touch, at: float) -> bool:
    """Say whether a switch that closes at `at` only bounced: it is still the touch before."""
    return at - (before.down if before.up is None else before.up) < BOUNCE_S


def lifted(touch: Touch, at: float) -> Touch:
    """Return the touch after its switch opened at `at`."""
    return replace(touch, up=at) if touch.up is None else touch


def spent(touch: Touch) -> Touch:
    """Return the touch after it has done what it does."""
    return replace(touch, spent=True)


def lost(touch: Touch, at: float) -> Touch:
    """Return the touch after who held the key has gone at `at`: it has come to nothing."""
    return spent(lifted(touch, at))


def meant(touch: Touch, now: float, hold_s: float) -> What:
    """Return what it is at `now`; a key that is held for `hold_s` is held, not pressed.

    A touch that was too long for a press, but whose hold nobody saw arm, is neither.
    """
    if touch.spent:
        return What.NOTHING
    if touch.up is None:
        return What.HOLD if now >= touch.down + hold_s else What.NOTHING
    if touch.up >= touch.down + hold_s or now < _believed_at(touch, touch.up):
        return What.NOTHING
    return What.PRESS


def progress(touch: Touch, now: float, hold_s: float) -> float:
    """Return how far a hold has come at `now`, 0 to 1, in steps worth a picture."""
    if touch.spent or touch.up is not None:
        return 0.0
    first = _first(hold_s)
    done = (now - touch.down - first) / (hold_s - first)
    return min(1.0, max(0, int(done * _STEPS + 1)) / _STEPS)


def asks_at(touch: Touch, now: float, hold_s: float) -> float | None:
    """Return when it will be something else than at `now`, None: not by itself."""
    if touch.spent:
        return None
    if touch.up is not None:
        return None if touch.up >= touch.down + hold_s else _believed_at(touch, touch.up)
    first = _first(hold_s)
    step = (hold_s - first) / _STEPS
    nth = max(0, math.floor((now - touch.down - first) / step) + 1)
    return touch.down + min(hold_s, first + nth * step)


def _believed_at(touch: Touch, up: float) -> float:
    return up if touch.down + TAP_S <= up < touch.down + _LONGEST_TAP_S else up + BOUNCE_S


def _first(hold_s: float) -> float:
    """A hold that is over soon shows its second half."""
    return min(VISIBLE_S, hold_s / 2)
