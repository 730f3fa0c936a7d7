"""A held slot key: it arms the teardown of the session on it, and a second press confirms.

An arm belongs to the session that was on the key, never to its slot: if another has taken
the slot, neither the hold nor the second press does anything to it.

Source: README.md, "Safety"; makecindy/cindy#3101 (a confirmation that met somebody else).
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from flightdeck.model import wording
from flightdeck.model.arming import SETTLED_S, Arm, ArmKind
from flightdeck.model.effect import Effect, Refuse, SetArm, TearDown
from flightdeck.model.layout import SlotBinding
from flightdeck.model.respond import on_slot, slot_press
from flightdeck.model.row import Aim

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from flightdeck.model.deck import Position
    from flightdeck.model.fleet import Fleet, SlotView
    from flightdeck.model.keyview import KeyView
    from flightdeck.model.layout import Layout
    from flightdeck.model.verdict import Press

WORD = "TEAR DOWN"
ENDING = "ending"
CHANGED = "changed"


def takes(layout: Layout) -> dict[Position, int]:
    """Return the slot of every key that is told how long it is held."""
    return {
        key.position: key.binding.slot
        for key in layout.keys
        if key.long_press and isinstance(key.binding, SlotBinding)
    }


def pressed(fleet: Fleet, aim: str) -> list[Effect]:
    """Return what a short press does: it is meant for the session `aim`, wherever that is."""
    view = next((view for view in fleet.slots if view.key == aim), None)
    return slot_press(view) if view else [Refuse(CHANGED)]


def held(view: SlotView | None, aim: str, press: Press, armed_s: float) -> Effect:
    """Return what a hold does to the session `aim`; `view` is who is on its key by now."""
    if view is None or view.key != aim:
        return Refuse(CHANGED)
    if view.ending:
        return Refuse(ENDING)
    who = [wording.short(line) for line in view.label if line] or [wording.short(view.agent)]
    lines = (WORD, *who, wording.CONFIRM)
    deed = f"end {' '.join(filter(None, view.label)) or view.agent} and remove its worktree"
    until = press.at + armed_s
    return SetArm(Arm(ArmKind.TEARDOWN, (aim,), press.by, press.at, until, lines, deed))


def confirmed(
    view: SlotView | None, arm: Arm, at: float, let_go: float | None, stood: float | None
) -> Effect:
    """Return what a press at `at` of an armed key does; `view` is who is on it by now.

    It counts only once the key was `let_go` after its hold, and its armed face has `stood`
    on the deck (monotonic seconds), each for long enough to be no bounce and no reflex.
    """
    if view is None or (view.key,) != arm.what:
        return Refuse(CHANGED)
    if let_go is None or stood is None or at - max(arm.at, let_go, stood) < SETTLED_S:
        return Refuse("too soon")
    return TearDown(view.key)


def arm_on(arms: Iterable[Arm], position: Position, at: float) -> Arm | None:
    """Return the arm a hold of this key has set, if it stands at `at`."""
    mine = (arm for arm in arms if arm.kind is ArmKind.TEARDOWN and arm.by == position)
    return next((arm for arm in mine if at < arm.until), None)


def aims(layout: Layout, fleet: Fleet, arms: Iterable[Arm]) -> dict[Position, Aim]:
    """Return what the armed slot keys stand for: the painter tells since when that was seen."""
    return {
        position: aim_of(arm)
        for position, slot in takes(layout).items()
        if (arm := _shown(arms, position, on_slot(fleet, slot)))
    }


def aim_of(arm: Arm) -> Aim:
    """Return what the face of this arm stands for."""
    return Aim(f"{arm.kind.value} {arm.what[0]}", armed=True, arm=arm)


def faces(
    layout: Layout,
    fleet: Fleet,
    shown: Mapping[Position, KeyView],
    arms: Iterable[Arm],
    holds: Mapping[Position, float],
) -> dict[Position, KeyView]:
    """Return the slot keys that are held, armed or ending; `shown` is how they look at rest.

    `holds` says how far each hold has come, 0 to 1.
    """
    told: dict[Position, KeyView] = {}
    for key in layout.keys:
        if not isinstance(key.binding, SlotBinding):
            continue
        position, view = key.position, on_slot(fleet, key.binding.slot)
        face = shown[position]
        if arm := _shown(arms, position, view):
            told[position] = _armed(layout, face, arm)
        elif view is not None and view.ending:
            told[position] = replace(face, flash=ENDING, name=f"{face.name}, being torn down")
        elif done := holds.get(position):
            told[position] = replace(face, progress=done)
    return told


def _shown(arms: Iterable[Arm], position: Position, view: SlotView | None) -> Arm | None:
    mine = (arm for arm in arms if arm.kind is ArmKind.TEARDOWN and arm.by == position)
    return next((arm for arm in mine if view is not None and arm.what == (view.key,)), None)


def _armed(layout: Layout, face: KeyView, arm: Arm) -> KeyView:
    """Near-black and amber, not red: nothing has failed. Every mark but the state stays."""
    look = layout.armed
    return replace(
        face,
        background=look.colour,
        ink=look.ink,
        glyph=look.glyph,
        glyph_ink=look.glyph_ink,
        top="",
        bottom="",
        lines=arm.lines,
        dimmed=False,
        name=f"armed, press again to {arm.deed}",
    )
