"""What a press does: the key that was pressed and what it showed decide, nothing else.

Source: layouts/README.md, "Bindings".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, assert_never

from flightdeck.model.effect import Effect, Focus, Open, Refuse, Run
from flightdeck.model.layout import (
    BlankBinding,
    OpenBinding,
    PinBinding,
    RunBinding,
    SlotBinding,
)
from flightdeck.model.lifecycle import State

if TYPE_CHECKING:
    from flightdeck.model.deck import Position
    from flightdeck.model.fleet import Fleet
    from flightdeck.model.layout import Layout


def respond(layout: Layout, fleet: Fleet, position: Position) -> list[Effect]:
    """Return what pressing the key at `position` does, given the fleet it showed."""
    key = next((k for k in layout.keys if k.position == position), None)
    if key is None:
        return []
    match key.binding:
        case SlotBinding(slot):
            return [_focus(fleet, slot)]
        case PinBinding(_, target) | OpenBinding(target):
            return [Open(target)]
        case RunBinding(argv):
            return [Run(argv)]
        case BlankBinding():
            return []
        case _:
            assert_never(key.binding)


def _focus(fleet: Fleet, slot: int) -> Effect:
    view = next((v for v in fleet.slots if v.slot == slot), None)
    if view is None or view.state is State.EMPTY:
        return Refuse("no session")
    if view.place.kind == "unknown":
        return Refuse("no window")
    return Focus(view.key, view.place)
