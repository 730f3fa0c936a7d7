"""Thumbs on the keys that can be held: a short press, a hold, and the press after a hold.

Such a key acts when it is let go, or while it is held; every other key acts when it goes
down and never comes here. Whoever waits for what comes of a press is told in every case.

Source: README.md, "Safety".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from flightdeck.model import arming, gesture, hold
from flightdeck.model.arming import ArmKind
from flightdeck.model.effect import Effect, Refuse, SetArm
from flightdeck.model.gesture import What
from flightdeck.model.respond import on_slot
from flightdeck.model.verdict import Press
from flightdeck.panel.perform import Hand

if TYPE_CHECKING:
    from collections.abc import Callable

    from flightdeck.model.arming import Arm
    from flightdeck.model.deck import Position
    from flightdeck.model.fleet import Fleet, SlotView
    from flightdeck.model.gesture import Touch
    from flightdeck.model.layout import Layout
    from flightdeck.panel.messages import KeyMoved
    from flightdeck.panel.painter import Stood
    from flightdeck.panel.pressing import Pressing

Deeds = list[tuple[list[Effect], Hand]]
_LET_GO = "let go"


class Thumbs:
    """Every touch of a key that can be held; its arms lie with all the others."""

    def __init__(
        self, layout: Layout, pressing: Pressing, stood: Callable[[int], tuple[Stood, ...]]
    ) -> None:
        """`stood` tells what an armed key has shown lately, oldest first."""
        self._layout = layout
        self._pressing = pressing
        self._stood = stood
        self._slots = hold.takes(layout)
        self._touches: dict[Position, Touch] = {}
        self._hands: dict[Position, Hand] = {}

    def follow(self, layout: Layout, other: frozenset[Position]) -> Deeds:
        """Take touches by this layout; nothing comes of those of the keys `other`.

        Nor of any where a hold has another length by now: its bar on the key told the old one.
        """
        same = layout.timings.long_press_ms == self._layout.timings.long_press_ms
        over = [p for p in self._touches if p in other or not same]
        deeds = [deed for p in over for deed in _tell(self._hands.pop(p, Hand(p)), hold.CHANGED)]
        for position in over:
            del self._touches[position]
        self._layout, self._slots = layout, hold.takes(layout)
        return deeds

    def takes(self, key: KeyMoved, fleet: Fleet) -> bool:
        """Say whether this is ours: a key with a session on it, or one already touched."""
        position = self._layout.grid.position(key.index)
        if position not in self._slots:
            return False
        if not key.down:
            return True
        return bool(self._view(position, fleet) or self._arm(position, key.at))

    def moved(self, key: KeyMoved, fleet: Fleet) -> Deeds:
        """Return what comes of a key of ours that went down, came up, or was lost."""
        position = self._layout.grid.position(key.index)
        if key.down:
            return self._down(key, position, fleet)
        touch = self._touches.get(position)
        if touch is None:
            return []
        if key.lost:
            return self._lost(position, touch, key.at)
        self._touches[position] = gesture.lifted(touch, key.at)
        return self._told(position, key.at, fleet)

    def due(self, now: float, fleet: Fleet) -> Deeds:
        """Return what has come of touches by `now`, monotonic seconds: holds above all."""
        return [deed for position in self._touches for deed in self._told(position, now, fleet)]

    def ends(self, now: float) -> list[float]:
        """Return when each touch will be something else than at `now`, monotonic seconds."""
        asked = (gesture.asks_at(t, now, self._hold_s) for t in self._touches.values())
        return [at for at in asked if at is not None]

    def progress(self, now: float, fleet: Fleet) -> dict[Position, float]:
        """Return how far each hold has come, 0 to 1, whose session is still on the key."""
        return {
            position: done
            for position, touch in self._touches.items()
            if (done := gesture.progress(touch, now, self._hold_s))
            and (view := self._view(position, fleet))
            and view.key == touch.aim
        }

    def _down(self, key: KeyMoved, position: Position, fleet: Fleet) -> Deeds:
        before, view = self._touches.get(position), self._view(position, fleet)
        hand = Hand(position, key.told)
        touch = gesture.put_down(before, view.key if view else "", key.at)
        if before is not None and gesture.bounced(before, key.at):
            self._touches[position] = touch
            return _tell(hand, "too soon")
        deeds = self._over(position, before, key.at, fleet) if before else []
        arm = self._arm(position, key.at)
        self._pressing.arms = arming.untouched(self._pressing.arms, position)
        if arm is None:
            self._touches[position], self._hands[position] = touch, hand
            return deeds
        effect = self._confirmed(position, arm, key.at, fleet, before)
        self._touches[position] = gesture.spent(touch)
        return [*deeds, ([effect], hand)]

    def _over(self, position: Position, before: Touch, at: float, fleet: Fleet) -> Deeds:
        """End the touch before another: what it was, or nothing if its release was lost."""
        if before.up is None:
            return self._lost(position, before, at)
        return self._told(position, at, fleet)

    def _confirmed(
        self, position: Position, arm: Arm, at: float, fleet: Fleet, before: Touch | None
    ) -> Effect:
        view, let_go = self._view(position, fleet), before.up if before else None
        effect = hold.confirmed(view, arm, at, let_go, self._seen(position, arm))
        if effect != Refuse("too soon"):
            self._disarm(position)
        return effect

    def _seen(self, position: Position, arm: Arm) -> float | None:
        """Return since when the deck has shown this arm, None if it does not."""
        stood = self._stood(self._layout.grid.index(position))
        return stood[-1].since if stood and stood[-1].aim == hold.aim_of(arm) else None

    def _told(self, position: Position, now: float, fleet: Fleet) -> Deeds:
        touch = self._touches[position]
        what = gesture.meant(touch, now, self._hold_s)
        if what is What.NOTHING:
            return self._too_long(position, touch)
        self._touches[position] = gesture.spent(touch)
        hand = self._hands.pop(position)
        if what is What.PRESS:
            return [(hold.pressed(fleet, touch.aim), hand)]
        armed_s = self._layout.timings.armed_ms / 1000
        effect = hold.held(self._view(position, fleet), touch.aim, Press(position, now), armed_s)
        if isinstance(effect, SetArm):
            self._pressing.arms = arming.armed(self._pressing.arms, effect.arm)
        return [([effect], hand)]

    def _too_long(self, position: Position, touch: Touch) -> Deeds:
        """Tell whoever waits for a touch that nothing will come of any more."""
        if touch.spent or gesture.asks_at(touch, touch.down, self._hold_s) is not None:
            return []
        self._touches[position] = gesture.spent(touch)
        return _tell(self._hands.pop(position), _LET_GO)

    def _lost(self, position: Position, touch: Touch, at: float) -> Deeds:
        """Nobody let the key go: what its touch has armed is nobody's to confirm."""
        self._touches[position] = gesture.lost(touch, at)
        self._disarm(position)
        return [] if touch.spent else _tell(self._hands.pop(position), _LET_GO)

    def _arm(self, position: Position, at: float) -> Arm | None:
        return hold.arm_on(self._pressing.arms, position, at)

    def _disarm(self, position: Position) -> None:
        self._pressing.arms = tuple(
            arm
            for arm in self._pressing.arms
            if arm.kind is not ArmKind.TEARDOWN or arm.by != position
        )

    def _view(self, position: Position, fleet: Fleet) -> SlotView | None:
        return on_slot(fleet, self._slots[position])

    @property
    def _hold_s(self) -> float:
        return self._layout.timings.long_press_ms / 1000


def _tell(hand: Hand, word: str) -> Deeds:
    """Tell a terminal that waits; on the key it would be a word about nothing."""
    return [([Refuse(word)], hand)] if hand.told is not None else []
