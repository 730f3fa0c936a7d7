"""Edits as a running panel is told of them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from flightdeck.model.local import Local
from flightdeck.model.plan import PanelPlan
from flightdeck.model.risk import Judgement, Tier
from flightdeck.panel.messages import Edited
from flightdeck.panel.setup import Setup
from tests.fold.world import until
from tests.panel.desk import the_layout

if TYPE_CHECKING:
    from flightdeck.model.deck import Position
    from flightdeck.model.layout import Binding, Layout
    from flightdeck.model.verb import Verb
    from tests.panel.desk import Desk


def nobody_judges(tool: str, tool_input: object, cwd: str = "") -> Judgement:
    """Judge every call alike."""
    return Judgement(Tier.MEDIUM, why="")


def setup_of(desk: Desk, layout: Layout) -> Setup:
    """Return what the files would say with this layout in them."""
    native = desk.panel._painter._native
    return Setup(layout, PanelPlan.of(layout, Local()), nobody_judges, native)


def edit(desk: Desk, layout: Layout | None, problem: str = "") -> None:
    """Tell the panel that its files say this by now, and wait until it is on the keys."""
    setup = setup_of(desk, layout) if layout else None
    told: list[Edited] = []
    desk.panel.following.on_edit = told.append
    desk.panel.tell(Edited(setup, problem))
    until(lambda: told, "the edit in force")
    desk.settle()


def rebound(position: Position, binding: Binding) -> Layout:
    """Return the shipped layout with another binding of one key."""
    layout = the_layout()
    keys = (replace(k, binding=binding) if k.position == position else k for k in layout.keys)
    return replace(layout, keys=tuple(keys))


def reworded(verb: Verb) -> Verb:
    """Return a verb as its file reads after an edit of its text."""
    return replace(verb, text=f"{verb.text} Be brief.")
