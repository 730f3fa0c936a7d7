"""The two control keys: HALT stops the fleet with one press, GATE guards the selected session.

To brake takes one press and no thought. To let go of a halt takes two, far enough apart
that a thumb which hammers on the brake never lets go of it.

Source: README.md, "HALT" and "GATE".
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from flightdeck.model import wording
from flightdeck.model.arming import Arm, ArmKind, confirms
from flightdeck.model.effect import Effect, Gate, Halt, Lift, Refuse, SetArm
from flightdeck.model.keyview import in_look
from flightdeck.model.layout import Brake

if TYPE_CHECKING:
    from collections.abc import Iterable

    from flightdeck.model.fleet import Fleet, SlotView
    from flightdeck.model.keyview import KeyView
    from flightdeck.model.layout import ControlBinding, Key, Layout, Look
    from flightdeck.model.verdict import Press

# Between two presses of the halt key while it stands; a thumb that hammers is faster.
CALM_S = 0.5
HALTED = "HALTED"
GUARDED = "GUARDED"
_LINES = ("LIFT HALT", "tool calls run", wording.CONFIRM)
_DEED = "lift the halt: tool calls run again"


def effects(
    brake: Brake, fleet: Fleet, arms: Iterable[Arm], press: Press, confirm_s: float
) -> list[Effect]:
    """Return what pressing a control key does; an armed one stands for `confirm_s`."""
    if brake is Brake.GATE:
        return [_gate(selected(fleet))]
    if not fleet.halted:
        return [Halt()]
    arm = Arm(ArmKind.LIFT, (), press.by, press.at, press.at + confirm_s, lines=_LINES, deed=_DEED)
    return [Lift() if confirms(arms, arm) else SetArm(arm)]


def upheld(arms: Iterable[Arm], fleet: Fleet) -> tuple[Arm, ...]:
    """Return the arms without one that would lift a halt that is over."""
    return tuple(arm for arm in arms if arm.kind is not ArmKind.LIFT or fleet.halted)


def selected(fleet: Fleet) -> SlotView | None:
    """Return the slot of the selected session, None where it has none."""
    return next((view for view in fleet.slots if view.key and view.selected), None)


def view(
    layout: Layout, key: Key, binding: ControlBinding, fleet: Fleet, arms: Iterable[Arm]
) -> KeyView:
    """Return what a control key shows."""
    look = key.look or layout.rest
    if binding.brake is Brake.GATE:
        return _gate_view(look, key.label, selected(fleet))
    if arm := next((arm for arm in upheld(arms, fleet) if _is_on(arm, key)), None):
        return replace(
            in_look(layout.armed), lines=arm.lines, name=f"armed, press again to {arm.deed}"
        )
    word = HALTED if fleet.halted else key.label
    beyond = f"{fleet.untracked} untracked" if fleet.untracked else ""
    return replace(
        in_look(look),
        top=beyond,
        bottom=word,
        halted=fleet.halted,
        name=", ".join(filter(None, (word, beyond))),
    )


def _is_on(arm: Arm, key: Key) -> bool:
    return arm.kind is ArmKind.LIFT and arm.by == key.position


def _gate(session: SlotView | None) -> Effect:
    if session is None:
        return Refuse("none selected")
    if not session.session_id:
        return Refuse("no id yet")
    return Gate(session.session_id, closed=not session.gated)


def _gate_view(look: Look, label: str, session: SlotView | None) -> KeyView:
    """Return whose gate it is, and whether it is closed."""
    if session is None:
        return replace(
            in_look(look), bottom=label, dimmed=True, name=f"{label}, no session is selected"
        )
    who = session.label[1] or session.label[0]
    word = GUARDED if session.gated else label
    return replace(
        in_look(look), top=who, bottom=word, name=", ".join(filter(None, (word, *session.label)))
    )
