"""What every key shows: layout and fleet in, one KeyView a key out.

Pure; equal inputs give equal views, so nothing is painted that did not change.

Source: README.md, "The visual language".
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from flightdeck.model import brakes, hold, row, verbkeys
from flightdeck.model.fleet import BYPASS
from flightdeck.model.keyview import KeyView, in_look
from flightdeck.model.layout import BlankBinding, ControlBinding, RunBinding, SlotBinding
from flightdeck.model.lifecycle import Reason, State

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from flightdeck.model.arming import Arm
    from flightdeck.model.deck import Position
    from flightdeck.model.fleet import Fleet, SlotView
    from flightdeck.model.layout import Key, Layout

# States that ask something of the operator: those are worth dimming once seen.
_WANTS_EYES = frozenset({State.BLOCKED, State.DONE, State.FAILED})


def display(
    layout: Layout,
    fleet: Fleet,
    flashes: Mapping[Position, str] | None = None,
    arms: Iterable[Arm] = (),
    holds: Mapping[Position, float] | None = None,
) -> dict[Position, KeyView]:
    """Return the view of every key of the deck; `flashes` are words shown for a moment.

    `holds` says how far each key that is held has come, 0 to 1.
    """
    shown = {layout.grid.position(index): _blank(layout) for index in range(layout.grid.keys)}
    arms = tuple(arms)
    verdicts, verbs = row.aims(layout, fleet, arms), verbkeys.aims(layout, fleet, arms)
    for key in layout.keys:
        if aim := verdicts.get(key.position):
            shown[key.position] = row.view(layout, key, aim, len(fleet.asks))
        elif aim := verbs.get(key.position):
            shown[key.position] = verbkeys.view(layout, key, aim)
        elif isinstance(key.binding, ControlBinding):
            shown[key.position] = brakes.view(layout, key, key.binding, fleet, arms)
        elif not isinstance(key.binding, BlankBinding):
            shown[key.position] = _bound(layout, fleet, key)
    shown |= hold.faces(layout, fleet, shown, arms, holds or {})
    for position, word in (flashes or {}).items():
        view = shown[position]
        shown[position] = replace(view, flash=word, name=f"{view.name}, {word}")
    return shown


def faulty(layout: Layout, shown: Mapping[Position, KeyView]) -> dict[Position, KeyView]:
    """Return the views with the mark of a file that has a problem: on the last key of the deck.

    Every deck has that one, whatever its layout puts there.
    """
    last = layout.grid.position(layout.grid.keys - 1)
    told = replace(shown[last], faulty=True, name=f"{shown[last].name}, a file has a problem")
    return {**shown, last: told}


def _blank(layout: Layout) -> KeyView:
    ground = layout.states[State.EMPTY].colour
    return KeyView(background=ground, ink=layout.rest.ink, name="nothing")


def _bound(layout: Layout, fleet: Fleet, key: Key) -> KeyView:
    if not isinstance(key.binding, SlotBinding):
        return _fixed(layout, key)
    slot = key.binding.slot
    view = next((view for view in fleet.slots if view.slot == slot), None)
    shown = _slot(layout, view, key, fleet if slot == max(layout.slots) else None)
    if not fleet.halted:
        return shown
    return replace(shown, halted=True, name=f"{shown.name}, halted")


def _fixed(layout: Layout, key: Key) -> KeyView:
    look = key.look or layout.rest
    return replace(
        in_look(look),
        bottom=key.label,
        name=f"{'run' if isinstance(key.binding, RunBinding) else 'open'} {key.label}".strip(),
    )


def _slot(layout: Layout, view: SlotView | None, key: Key, over: Fleet | None) -> KeyView:
    state = view.state if view else State.EMPTY
    look = layout.states[state]
    glyph = look.glyph
    if view and view.reason and state is State.BLOCKED:
        glyph = layout.marks.get(view.reason, glyph)
    top, bottom = view.label if view else ("", "")
    urgent = layout.states[State.BLOCKED] if over and over.overflow_blocked else None
    return KeyView(
        background=look.colour,
        ink=look.ink,
        glyph=glyph,
        glyph_ink=look.glyph_ink,
        top=top,
        bottom=key.label or bottom,
        selected=bool(view and view.selected and state is not State.EMPTY),
        dimmed=bool(view and view.seen and state in _WANTS_EYES),
        count=over.overflow if over else 0,
        count_ground=urgent.colour if urgent else "",
        count_ink=urgent.ink if urgent else "",
        brakes_off=bool(view and without_brakes(view)),
        stale=bool(view and view.stale),
        queued=bool(view and view.queued),
        untracked=bool(view and view.untracked),
        name=_spoken(view, over),
    )


def without_brakes(view: SlotView) -> bool:
    """Say whether its calls are not decided the usual way: none asks, or some are refused.

    A mode that is not known says nothing.
    """
    return view.gated or view.permission_mode == BYPASS


def _spoken(view: SlotView | None, over: Fleet | None) -> str:
    """Return what a screen reader says: state first, then why, then who."""
    if view is None or view.state is State.EMPTY:
        words = ["empty"]
    else:
        words = [view.state.value, _why(view), *view.label]
        words += ["selected"] if view.selected else []
        words += ["guarded"] if view.gated else []
        words += ["asks for nothing"] if view.permission_mode == BYPASS else []
        words += [f"queued {view.queued}"] if view.queued else []
        words += ["window gone"] if view.stale else []
        words += ["found in the registry only"] if view.untracked else []
    if over and over.overflow:
        words.append(f"{over.overflow} more not shown, {over.overflow_blocked} blocked")
    return ", ".join(word for word in words if word)


def _why(view: SlotView) -> str:
    if view.error:
        return view.error.replace("_", " ")
    reason = view.reason
    return reason.value if reason and reason is not Reason.TURN else ""
