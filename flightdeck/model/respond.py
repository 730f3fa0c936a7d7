"""What a press does: the key that was pressed and what it showed decide, nothing else.

Source: layouts/README.md, "Bindings".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, assert_never

from flightdeck.model import brakes, sending, verdict
from flightdeck.model.effect import Acknowledge, Effect, Focus, Open, Refuse, Run, Select
from flightdeck.model.layout import (
    BlankBinding,
    ControlBinding,
    OpenBinding,
    PinBinding,
    RunBinding,
    SlotBinding,
    SteerBinding,
    VerbBinding,
    VerdictBinding,
)
from flightdeck.model.lifecycle import State

if TYPE_CHECKING:
    from collections.abc import Iterable

    from flightdeck.model.arming import Arm
    from flightdeck.model.ask import Ask
    from flightdeck.model.fleet import Fleet, SlotView
    from flightdeck.model.layout import Layout


def respond(
    layout: Layout, fleet: Fleet, ask: Ask | None, arms: Iterable[Arm], press: verdict.Press
) -> list[Effect]:
    """Return what `press` of a key does, given the fleet it showed and what is armed.

    `ask` is the request the verdict row was aimed at.
    """
    key = next((k for k in layout.keys if k.position == press.by), None)
    if key is None:
        return []
    match key.binding:
        case SlotBinding(slot):
            return slot_press(on_slot(fleet, slot))
        case PinBinding(_, target) | OpenBinding(target):
            return [Open(target)]
        case RunBinding(argv):
            return [Run(argv)]
        case BlankBinding():
            return []
        case _:
            confirm_s = layout.timings.confirm_ms / 1000
            return _may_arm(key.binding, fleet, ask, arms, press, confirm_s)


def _may_arm(
    binding: VerdictBinding | SteerBinding | ControlBinding | VerbBinding,
    fleet: Fleet,
    ask: Ask | None,
    arms: Iterable[Arm],
    press: verdict.Press,
    confirm_s: float,
) -> list[Effect]:
    match binding:
        case VerdictBinding() | SteerBinding():
            return verdict.effects(binding, ask, fleet.halted, arms, press, confirm_s)
        case ControlBinding(brake):
            return brakes.effects(brake, fleet, arms, press, confirm_s)
        case VerbBinding(verb):
            return sending.effects(verb, fleet, arms, press, confirm_s)
        case _:
            assert_never(binding)


def chosen(fleet: Fleet, slot: int, key: str) -> list[Effect]:
    """Return what it does that a terminal selects the session with `key`, seen in a slot."""
    view = on_slot(fleet, slot)
    if view is None or not view.key:
        return [Refuse("no session")]
    return [Select(key) if view.key == key else Refuse("changed")]


def on_slot(fleet: Fleet, slot: int) -> SlotView | None:
    """Return the session in a slot, None if nobody is there."""
    return next((v for v in fleet.slots if v.slot == slot and v.state is not State.EMPTY), None)


def slot_press(view: SlotView | None) -> list[Effect]:
    """Return what a press of a slot does: it brings its session forward.

    It also selects it, even one whose window is not known, and whoever looks at a refused
    teardown has seen it. A session that has ended has nothing to bring forward.
    """
    if view is None or view.state is State.EMPTY:
        return [Refuse("no session")]
    seen: list[Effect] = [Acknowledge(view.key)] if view.refusal else []
    if view.ended:
        return seen or [Refuse("ending")]
    if view.place.kind == "unknown":
        return [*seen, Select(view.key), Refuse("no window")]
    return [*seen, Select(view.key), Focus(view.key, view.place)]
