"""The mark of a verb that waits, as it is drawn: seen on every ground, clear of other marks."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from PIL import Image, ImageChops

from flightdeck.faces.picture import draw_face
from flightdeck.model.contrast import contrast
from flightdeck.model.lifecycle import State
from tests.faces.looks import LOOKS, SIDES, a_view

if TYPE_CHECKING:
    from flightdeck.model.keyview import KeyView

LIVE = [state for state in LOOKS if state is not State.EMPTY]


def changed(view: KeyView, side: int, **channel: object) -> Image.Image:
    """Return where a channel changes the picture of a view by more than a trace of an edge."""
    other = replace(view, **channel)  # type: ignore[arg-type]
    apart = ImageChops.difference(draw_face(view, side, side), draw_face(other, side, side))
    return apart.convert("L").point(lambda level: 255 if level > 60 else 0)


def colours(picture: Image.Image, area: Image.Image) -> list[str]:
    """Return the colours a picture has inside an area of the same size."""
    masked = Image.merge("RGBA", (*picture.split(), area))
    found = masked.getcolors(masked.width * masked.height) or []
    return [f"#{r:02x}{g:02x}{b:02x}" for _, (r, g, b, inside) in found if inside]  # type: ignore[misc]


@pytest.mark.parametrize("channel", [{}, {"halted": True}, {"dimmed": True}, {"selected": True}])
@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("state", LIVE)
def test_it_has_a_contrast_of_three_as_it_is_drawn(
    state: State, side: int, channel: dict[str, object], rasteriser: str
) -> None:
    view = a_view(state, top="checkout", bottom="fix", **channel)
    drawn = draw_face(replace(view, queued=True), side, side)
    lights = sorted(colours(drawn, changed(view, side, queued=True)), key=_light)
    assert (rasteriser, contrast(lights[0], lights[-1]) >= 3) == (rasteriser, True)


@pytest.mark.parametrize(
    "channel",
    [{"brakes_off": True}, {"count": 99}, {"untracked": True}, {"stale": True}, {"selected": True}],
    ids=lambda channel: next(iter(channel)),
)
@pytest.mark.parametrize("side", SIDES)
def test_it_lies_on_no_other_mark(side: int, channel: dict[str, object], rasteriser: str) -> None:
    view = a_view(State.DONE, top="checkout", bottom="fix")
    both = ImageChops.multiply(changed(view, side, queued=True), changed(view, side, **channel))
    assert (rasteriser, both.getbbox()) == (rasteriser, None)


def _light(colour: str) -> float:
    return contrast(colour, "#000000")
