"""What a press does: the key that was pressed and what it showed decide, nothing else.

Source: layouts/README.md, "Bindings".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, assert_never

from flightdeck.model import brakes, verdict
from flightdeck.model.effect import Effect, Focus, Open, Refuse, Run, Select
from flightdeck.model.layout import (
    BlankBinding,
    ControlBinding,
    OpenBinding,
    PinBinding,
    RunBinding,
    SlotBinding,
    SteerBinding,
    VerdictBinding,
)
from flightdeck.model.lifecycle import State

if TYPE_CHECKING:
    from collections.abc import Iterable

    from flightdeck.model.arming import Arm
    from flightdeck.model.ask import Ask
    from flightdeck.model.fleet import Fleet
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
            return _focus(fleet, slot)
        case PinBinding(_, target) | OpenBinding(target):
            return [Open(target)]
        case RunBinding(argv):
            return [Run(argv)]
        case VerdictBinding() | SteerBinding():
            confirm_s = layout.timings.confirm_ms / 1000
            return verdict.effects(key.binding, ask, fleet.halted, arms, press, confirm_s)
        case ControlBinding(brake):
            return brakes.effects(brake, fleet, arms, press, layout.timings.confirm_ms / 1000)
        case BlankBinding():
            return []
        case _:
            assert_never(key.binding)


def _focus(fleet: Fleet, slot: int) -> list[Effect]:
    """A press of a slot also selects its session, even one whose window is not known."""
    view = next((v for v in fleet.slots if v.slot == slot), None)
    if view is None or view.state is State.EMPTY:
        return [Refuse("no session")]
    if view.place.kind == "unknown":
        return [Select(view.key), Refuse("no window")]
    return [Select(view.key), Focus(view.key, view.place)]
