"""A whole deck as one picture: for `preview`, contact sheets and the README.

The same faces as on the keys, in the dark frame of the device, without its maker's name.

Source: README.md, "The visual language".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PIL import Image, ImageDraw

from flightdeck.faces.picture import draw_face

if TYPE_CHECKING:
    from collections.abc import Mapping

    from flightdeck.model.deck import DeckModel, Position
    from flightdeck.model.keyview import KeyView
    from flightdeck.templating import Templates

# Shares of a key's width, as on the device: gap between keys, margin, corners.
_GAP, _MARGIN, _KEY_CORNER, _BODY_CORNER = 0.17, 0.38, 0.11, 0.3
_OVERSAMPLED = 4

_TABLE, _BODY, _EDGE, _WELL = "#0d0f12", "#1b1e22", "#33383e", "#08090a"


def draw_deck(
    views: Mapping[Position, KeyView],
    model: DeckModel,
    scale: int = 1,
    templates: Templates | None = None,
) -> Image.Image:
    """Return the deck with these faces, each key `scale` times its size in pixels.

    `templates` draw them; None: the shipped ones.
    A key without a view is dark; a view for a key the deck does not have is not shown.
    """
    width, height = model.key.width * scale, model.key.height * scale
    gap, margin = round(width * _GAP), round(width * _MARGIN)
    size = (
        2 * margin + model.grid.columns * (width + gap) - gap,
        2 * margin + model.grid.rows * (height + gap) - gap,
    )
    sheet = _body(size, round(width * _BODY_CORNER))
    shape = _rounded((width, height), round(width * _KEY_CORNER))
    rim = max(2, round(width * 0.02))
    well = _rounded((width + 2 * rim, height + 2 * rim), round(width * _KEY_CORNER) + rim)
    for index in range(model.grid.keys):
        position = model.grid.position(index)
        left = margin + (position.column - 1) * (width + gap)
        top = margin + (position.row - 1) * (height + gap)
        sheet.paste(_WELL, (left - rim, top - rim), well)
        sheet.paste(_face(views.get(position), width, height, templates), (left, top), shape)
    return sheet


def _face(
    view: KeyView | None, width: int, height: int, templates: Templates | None
) -> Image.Image:
    if view is None:
        return Image.new("RGB", (width, height))
    return draw_face(view, width, height, templates)


def _body(size: tuple[int, int], radius: int) -> Image.Image:
    """Return the frame: a rounded plate with a thin lighter edge."""
    sheet = Image.new("RGB", size, _TABLE)
    sheet.paste(_EDGE, (0, 0), _rounded(size, radius))
    edge = max(1, radius // 14)
    inner = (size[0] - 2 * edge, size[1] - 2 * edge)
    sheet.paste(_BODY, (edge, edge), _rounded(inner, radius - edge))
    return sheet


def _rounded(size: tuple[int, int], radius: int) -> Image.Image:
    """Return a mask of a rounded rectangle; only its corners need smoothing."""
    mask = Image.new("L", size, 255)
    big = radius * _OVERSAMPLED
    disc = Image.new("L", (2 * big, 2 * big))
    ImageDraw.Draw(disc).ellipse((0, 0, 2 * big - 1, 2 * big - 1), fill=255)
    disc = disc.resize((2 * radius, 2 * radius), Image.Resampling.LANCZOS)
    right, bottom = size[0] - radius, size[1] - radius
    for left, x in ((0, 0), (radius, right)):
        for top, y in ((0, 0), (radius, bottom)):
            mask.paste(disc.crop((left, top, left + radius, top + radius)), (x, y))
    return mask
