"""The colours of the layouts that ship can be read, whatever a key shows with them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from flightdeck import shipped
from flightdeck.config.layouts import load_layout
from flightdeck.faces import svg
from flightdeck.faces.guard import check
from flightdeck.model.contrast import contrast
from flightdeck.model.lifecycle import State
from flightdeck.model.local import Local
from tests.faces.looks import of_look

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from flightdeck.model.keyview import KeyView

LAYOUTS = sorted(shipped.folder("layouts").glob("*.yaml"))


def faces(path: Path) -> Iterator[KeyView]:
    """Yield every look of a layout as a key, in each of the ways that change its colours."""
    layout = load_layout(path, Local())
    looks = [look for state, look in layout.states.items() if state is not State.EMPTY]
    own = [key.look for key in layout.keys if key.look]
    for look in (*looks, *own, layout.armed, layout.rest):
        for dimmed in (False, True):
            for halted in (False, True):
                yield of_look(look, top="a", bottom="b", dimmed=dimmed, halted=halted)


def grounds(view: KeyView) -> list[str]:
    """Return what a view's text and glyph lie on."""
    paint = svg.paint(view)
    return [paint.ground, paint.hatch] if view.halted else [paint.ground]


@pytest.mark.parametrize("path", LAYOUTS, ids=lambda path: path.stem)
def test_every_label_has_a_contrast_of_four_and_a_half(path: Path) -> None:
    for view in faces(path):
        inks = (svg.paint(view).ink, svg.paint(view).quiet)
        assert min(contrast(i, g) for i in inks for g in grounds(view)) >= 4.5, view


@pytest.mark.parametrize("path", LAYOUTS, ids=lambda path: path.stem)
def test_every_glyph_has_a_contrast_of_three(path: Path) -> None:
    for view in faces(path):
        assert min(contrast(svg.paint(view).glyph, g) for g in grounds(view)) >= 3, view


@pytest.mark.parametrize("path", LAYOUTS, ids=lambda path: path.stem)
def test_every_glyph_and_mark_may_be_drawn(path: Path) -> None:
    layout = load_layout(path, Local())
    blocked = layout.states[State.BLOCKED]
    for glyph in (*layout.glyphs.values(), *layout.marks.values()):
        check(svg.render_svg(of_look(blocked, glyph=glyph, top="a", bottom="b"), 96, 96))
