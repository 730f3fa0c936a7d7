"""The verdict row: what each of its keys is aimed at, and what it shows.

A press belongs to what the key showed, so what it showed is a value: an `Aim` travels
from here to the painter with the face, and comes back with the press.

Source: README.md, "Row 3: verdicts" and "The visual language".
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from flightdeck.model import verdict, wording
from flightdeck.model.keyview import in_look
from flightdeck.model.layout import Action, SteerBinding, VerdictBinding

if TYPE_CHECKING:
    from collections.abc import Iterable

    from flightdeck.model.arming import Arm
    from flightdeck.model.ask import Ask
    from flightdeck.model.deck import Position
    from flightdeck.model.fleet import Fleet, SlotView
    from flightdeck.model.keyview import KeyView
    from flightdeck.model.layout import Key, Layout, Look

# The client throws away what an interrupt says; elsewhere the agent is told why.
_UNSAID = "no message"


@dataclass(frozen=True, slots=True)
class Aim:
    """What pressing a key would mean: on what it acts, armed or not, or why it does not.

    `of` is the id of a request, or whatever else sets one press apart from another; `queued`
    is the token of the verb that a press would take back. Two equal aims mean the same, also
    where `ask` tells more of the request by now, or `target` of the session.
    """

    of: str = ""
    refusal: str = ""
    armed: bool = False
    queued: str = ""
    ask: Ask | None = field(default=None, compare=False)
    arm: Arm | None = field(default=None, compare=False)
    target: SlotView | None = field(default=None, compare=False)


def aims(layout: Layout, fleet: Fleet, arms: Iterable[Arm] = ()) -> dict[Position, Aim]:
    """Return what every key of the verdict row stands for."""
    ask, standing = verdict.aim(fleet), {arm.by: arm for arm in arms}
    return {
        key.position: _aim(key.binding, ask, fleet, standing.get(key.position))
        for key in layout.keys
        if isinstance(key.binding, VerdictBinding | SteerBinding)
    }


def _aim(binding: verdict.Verdict, ask: Ask | None, fleet: Fleet, arm: Arm | None) -> Aim:
    if ask is None:
        return Aim(refusal=verdict.NOTHING)
    if binding == VerdictBinding(Action.DETAIL):
        return Aim(ask.request_id, ask=ask)
    refusal = verdict.refusal(binding, ask, fleet.halted)
    if arm is None or refusal or arm.what != verdict.what(binding, ask):
        return Aim(ask.request_id, refusal, ask=ask)
    return Aim(ask.request_id, armed=True, ask=ask, arm=arm)


def view(layout: Layout, key: Key, aim: Aim, waiting: int) -> KeyView:
    """Return what a verdict key shows; `waiting` is how many requests there are."""
    look = key.look or layout.rest
    if aim.ask is None:
        return replace(
            in_look(look), bottom=key.label, dimmed=True, name=f"{key.label}, {aim.refusal}"
        )
    if aim.arm is not None:
        return armed(layout.armed, aim.arm)
    about = wording.sentence(aim.ask)
    if key.binding == VerdictBinding(Action.DETAIL):
        return _detail(look, key, aim.ask, waiting)
    if aim.refusal:
        name = f"{key.label}, {aim.refusal}, {about}"
        return replace(in_look(look), top=key.label, bottom=aim.refusal, dimmed=True, name=name)
    if _loses_its_message(key.binding, aim.ask):
        name = f"{key.label}, {_UNSAID}, {about}"
        return replace(in_look(look), top=key.label, bottom=_UNSAID, name=name)
    return replace(in_look(look), bottom=key.label, name=f"{key.label}, {about}")


def _loses_its_message(binding: object, ask: Ask) -> bool:
    return binding == VerdictBinding(Action.INTERRUPT) and ask.reason not in wording.CHOICES


def _detail(look: Look, key: Key, ask: Ask, waiting: int) -> KeyView:
    """Who asks, what for and how dangerous it is: never what the tool was given."""
    more = f", {waiting} wait" if waiting > 1 else ""
    where = "" if ask.answerable else ", in terminal"
    return replace(
        in_look(look),
        lines=(*wording.who(ask), wording.call(ask)),
        count=waiting if waiting > 1 else 0,
        name=f"{key.label}, {wording.sentence(ask)}{where}{more}",
    )


def armed(look: Look, arm: Arm) -> KeyView:
    """Return what a key outside the slots shows while it waits for its second press."""
    return replace(
        in_look(look),
        lines=arm.lines,
        name=f"armed, press again to {arm.deed}",
    )
