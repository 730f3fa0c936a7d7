"""What a press means: which key, what it showed, what is armed; the rules then say what it does.

A press belongs to what was on the key when the thumb came down. A decision is dropped if
that had changed, had not stood long enough to be read, or never reached the key.

Source: README.md, "Row 3: verdicts" and "Row 2: verbs".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from flightdeck.model import arming, brakes, row, sending, verbkeys, verdict
from flightdeck.model.arming import ArmKind
from flightdeck.model.effect import (
    Answer,
    Effect,
    Lift,
    Refuse,
    SetArm,
    Stage,
    Stroke,
    Unstage,
)
from flightdeck.model.layout import Action, VerdictBinding
from flightdeck.model.respond import respond

if TYPE_CHECKING:
    from collections.abc import Callable

    from flightdeck.model.arming import Arm
    from flightdeck.model.ask import Ask
    from flightdeck.model.deck import Position
    from flightdeck.model.fleet import Fleet
    from flightdeck.model.layout import Layout
    from flightdeck.model.row import Aim
    from flightdeck.panel.messages import Ruled, Sent
    from flightdeck.panel.painter import Stood

# A switch may close, open and close again within milliseconds of one press.
BOUNCE_S = 0.03
# Nobody reads a face and decides in less than this: the thumb was on its way already.
FRESH_S = 0.3
_DETAIL = VerdictBinding(Action.DETAIL)
# What is done to what the key showed, and to nothing it shows by now.
_DECISIONS = (Answer, Stage, Unstage, Stroke, SetArm)


class Pressing:
    """Who decides about presses: it knows bounces, arms, and what each key showed."""

    def __init__(self, layout: Layout, stood: Callable[[int], tuple[Stood, ...]]) -> None:
        """`stood` tells what a verdict's or verb's key has shown lately, oldest first."""
        self.arms: tuple[Arm, ...] = ()
        self._stood = stood
        self._last_down: dict[int, float] = {}
        self._halting: dict[int, float] = {}
        self.follow(layout, frozenset())

    def follow(self, layout: Layout, other: frozenset[Position]) -> None:
        """Press by this layout from now on; the keys `other` mean something else by it.

        What is armed must be what is done: an arm such a key has set is gone.
        """
        self._layout = layout
        self._details = {k.position for k in layout.keys if k.binding == _DETAIL}
        self.arms = tuple(arm for arm in self.arms if arm.by not in other)

    def uphold(self, fleet: Fleet, now: float) -> None:
        """Disarm what has run out at `now`, monotonic seconds, or lost its request."""
        standing = arming.standing(self.arms, now)
        self.arms = brakes.upheld(sending.upheld(verdict.upheld(standing, fleet), fleet), fleet)

    def ends(self) -> list[float]:
        """Return when each arm runs out, monotonic seconds."""
        return [arm.until for arm in self.arms]

    def bounced(self, index: int, at: float) -> bool:
        """Say whether a key that went down is only the switch of the last press."""
        bounced = at - self._last_down.get(index, -BOUNCE_S) < BOUNCE_S
        self._last_down[index] = at
        return bounced

    def key(self, index: int, at: float, fleet: Fleet) -> list[Effect]:
        """Return what a key does that went down at `at`, monotonic seconds."""
        position = self._layout.grid.position(index)
        self.arms = arming.untouched(self.arms, position)
        aims = row.aims(self._layout, fleet, self.arms)
        aim = (aims | verbkeys.aims(self._layout, fleet, self.arms)).get(position)
        if aim is None:
            return self._calm(self._respond(fleet, None, position, at), index, at)
        if position in self._details:
            return self._respond(fleet, self._showed(index, at, aim).ask, position, at)
        told = self._respond(fleet, aim.ask, position, at)
        if any(isinstance(effect, _DECISIONS) for effect in told):
            return self._noted(self._fresh(told, index, aim, at))
        return told

    def terminal(self, asked: Ruled, ask: Ask | None, fleet: Fleet) -> list[Effect]:
        """Return what a terminal's verdict on `ask` does; it has no face that could change."""
        what = verdict.what(asked.binding, ask) if ask else ()
        self.arms = arming.untouched(self.arms, None, what)
        if ask is None:
            return [Refuse(_missed(asked, fleet))]
        press = verdict.Press(None, asked.at)
        confirm_s = self._layout.timings.confirm_ms / 1000
        return self._noted(
            verdict.effects(asked.binding, ask, fleet.halted, self.arms, press, confirm_s)
        )

    def sent(self, asked: Sent, fleet: Fleet) -> list[Effect]:
        """Return what a terminal's verb does; it goes to whom the terminal saw selected only."""
        verb, view = asked.verb, brakes.selected(fleet)
        if view is not None and asked.key not in {None, view.key}:
            return [Refuse("changed")]
        self.arms = arming.untouched(self.arms, None, sending.what(verb, view) if view else ())
        confirm_s = self._layout.timings.confirm_ms / 1000
        press = verdict.Press(None, asked.at)
        return self._noted(sending.effects(verb, fleet, self.arms, press, confirm_s))

    def _respond(
        self, fleet: Fleet, ask: Ask | None, position: Position, at: float
    ) -> list[Effect]:
        return respond(self._layout, fleet, ask, self.arms, verdict.Press(position, at))

    def _noted(self, told: list[Effect]) -> list[Effect]:
        """Set the arm a press sets; what is done uses up the arm it was confirmed by."""
        for effect in told:
            if isinstance(effect, SetArm):
                self.arms = arming.armed(self.arms, effect.arm)
            elif isinstance(effect, Answer):
                self.arms = arming.without(self.arms, ArmKind.VERDICT)
            elif isinstance(effect, Stage | Stroke):
                self.arms = arming.without(self.arms, ArmKind.VERB)
            elif isinstance(effect, Lift):
                self.arms = arming.without(self.arms, ArmKind.LIFT)
        return told

    def _calm(self, told: list[Effect], index: int, at: float) -> list[Effect]:
        """Return what a press does; none of a thumb that hammers on a brake lets go of it."""
        before, self._halting = self._halting, {**self._halting, index: at}
        lets_go = any(isinstance(effect, Lift | SetArm) for effect in told)
        if lets_go and at - before.get(index, -brakes.CALM_S) < brakes.CALM_S:
            return [Refuse("too soon")]
        return self._noted(told)

    def _fresh(self, told: list[Effect], index: int, aim: Aim, at: float) -> list[Effect]:
        """Return what a decision does, or why it is dropped."""
        stood = self._stood(index)
        if not stood or stood[-1].aim != aim or stood[-1].since > at:
            return [Refuse("changed")]
        if at - stood[-1].since < FRESH_S:
            return [Refuse("too soon")]
        return told

    def _showed(self, index: int, at: float, aim: Aim) -> Aim:
        """Return what the key was aimed at then: to look at a request is no decision."""
        before = next((s.aim for s in reversed(self._stood(index)) if s.since <= at), aim)
        return aim if before == aim else before


def _missed(asked: Ruled, fleet: Fleet) -> str:
    """Return why a terminal's verdict is about nothing, in a word that fits on a key."""
    if asked.request_id:
        return "no such request"
    return "changed" if fleet.asks else verdict.NOTHING
