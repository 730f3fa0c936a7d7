"""From a KeyView to SVG text: which colours each channel takes, and where; a template draws.

Pure apart from reading the template. No `<text>` ever comes out of here: glyphs and
labels are geometry on a 96 x 96 key, and the SVG scales to any other.

Source: README.md, "The visual language"; templates/README.md, the contract with
face authors.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from flightdeck.faces import colour, text, words
from flightdeck.model.contrast import GLYPH_CONTRAST, TEXT_CONTRAST, luminance
from flightdeck.templating import render_markup

if TYPE_CHECKING:
    from flightdeck.model.keyview import KeyView
    from flightdeck.templating import Templates

TEMPLATE = "faces/key.svg.j2"

_COUNT_SIZES = (12.35,)
_LIGHT, _DARK = "#f4f6f8", "#0b0d10"
_MOST_COUNTED = 99
_PROGRESS_STEPS = 48


@dataclass(frozen=True, slots=True)
class Paint:
    """The colours of one face: what the view asks for, made quiet where it says so."""

    ground: str
    ink: str
    quiet: str
    glyph: str
    hatch: str
    count: str = _DARK
    count_ink: str = _LIGHT
    light: str = _LIGHT
    dark: str = _DARK


@dataclass(frozen=True, slots=True)
class Badge:
    """A small count: the pill starts at `left` and is `width` wide."""

    left: float
    width: float
    line: text.Line


def render_svg(view: KeyView, width: int, height: int, templates: Templates | None = None) -> str:
    """Return the face of `view` as an SVG of `width` by `height` pixels.

    `templates` draw it; None: those that lie on disk at this moment.

    Raises:
        ValueError: a colour of the view is not `#rrggbb`, or its lines are too long.
        ConfigError: the template is missing or broken; tells its line.
    """
    values = given(view, width, height)
    return templates.render(TEMPLATE, values) if templates else render_markup(TEMPLATE, values)


def given(view: KeyView, width: int, height: int) -> dict[str, object]:
    """Return everything a face template is given, by name: its contract.

    Raises:
        ValueError: as `render_svg` says.
    """
    return {
        "width": width,
        "height": height,
        "view": view,
        "paint": paint(view),
        "words": words.words(view),
        "badge": badge(view.count),
        "progress": progress(view.progress),
        "glyph_at": glyph_at(view),
    }


def paint(view: KeyView) -> Paint:
    """Return the colours of a face; dimming never costs the contrast they came with."""
    ground, ink, glyph = (colour.mix(c, c, 0) for c in (view.background, view.ink, view.glyph_ink))
    if view.dimmed:
        kept = ((ink, TEXT_CONTRAST), (glyph, GLYPH_CONTRAST))
        ground = colour.darker(ground, 0.45, kept)
    hatch = _hatch(ground, ink)
    behind = (ground, hatch) if view.halted else (ground,)
    if view.dimmed:
        ink = colour.quieter(ink, behind, 0.22, TEXT_CONTRAST)
        glyph = colour.quieter(glyph, behind, 0.22, GLYPH_CONTRAST)
    quiet = colour.quieter(ink, behind, 0.3, TEXT_CONTRAST)
    if not view.count_ground:
        return Paint(ground, ink, quiet, glyph, hatch)
    count, count_ink = (colour.mix(c, c, 0) for c in (view.count_ground, view.count_ink))
    return Paint(ground, ink, quiet, glyph, hatch, count, count_ink)


def glyph_at(view: KeyView) -> str:
    """Return the transform that puts a glyph where its face has room for it.

    Empty where that is its author's own place: above two lines of text.
    """
    if not (view.top or view.bottom or view.lines or view.flash):
        return "translate(48 48) scale(1.3) translate(-48 -32)"
    lowest = words.glyph_to(view)
    if lowest == words.GLYPH_TO:
        return ""
    scale = (lowest - 5) / (words.GLYPH_TO - 6)
    return f"translate(48 5) scale({scale:.3f}) translate(-48 -6)"


def badge(count: int) -> Badge | None:
    """Return the count in the top right corner, or None where nothing waits."""
    if count <= 0:
        return None
    shown = str(count) if count <= _MOST_COUNTED else f"{_MOST_COUNTED}+"
    wide = text.width(shown) * _COUNT_SIZES[0] + 8
    left = 90 - wide
    return Badge(left, wide, text.fit(shown, _COUNT_SIZES, 40, left + wide / 2, 18))


def progress(done: float) -> float:
    """Return how much of a hold is done, 0 to 1, in steps the eye can tell apart."""
    if math.isnan(done):
        return 0.0
    return round(min(1.0, max(0.0, done)) * _PROGRESS_STEPS) / _PROGRESS_STEPS


def _hatch(ground: str, ink: str) -> str:
    """Return stripes that are seen on their ground and leave the ink its contrast.

    Away from the ink, that is; but on a ground near black nothing darker would show.
    """
    if luminance(ink) < luminance(ground):
        return colour.mix(ground, "#ffffff", 0.45)
    if luminance(ground) > 0.025:
        return colour.mix(ground, "#000000", 0.55)
    return colour.mix(ground, "#ffffff", 0.2)
