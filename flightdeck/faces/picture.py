"""One face as an upright picture, and the fixed picture a key shows when its own fails.

A broken template, glyph or rasteriser costs that key its face, never another one's.

Source: README.md, "The visual language" (every colour of a state is taken, so an
error is a shape in grey).
"""

from __future__ import annotations

import logging
from functools import lru_cache
from typing import TYPE_CHECKING

from PIL import Image, ImageDraw

from flightdeck.errors import ConfigError
from flightdeck.faces.raster import rasterise
from flightdeck.faces.svg import render_svg

if TYPE_CHECKING:
    from flightdeck.model.keyview import KeyView
    from flightdeck.templating import Templates

_LOG = logging.getLogger(__name__)
_OVERSAMPLED = 4

_GROUND, _LINE = "#3a3f45", "#e6e9ec"
_FRAME = (22, 26, 74, 70)
_TEAR = ((46, 20), (40, 38), (54, 48), (44, 60), (50, 76))


def draw_face(
    view: KeyView, width: int, height: int, templates: Templates | None = None
) -> Image.Image:
    """Return the face of `view`, RGB and upright; never raises, the error face instead.

    `templates` draw it, None: those on disk. The log says why, without a word of what the
    key showed.
    """
    try:
        return rasterise(render_svg(view, width, height, templates), width, height)
    except ConfigError as error:
        # Only where: what is wrong there may be said in words the key would have shown.
        _LOG.error("a face could not be drawn: the fault is at %s", error.problems[0].location)
        return error_face(width, height).copy()
    except Exception as error:  # whatever it was, the other keys must go on
        _LOG.error("a face could not be drawn: %s: %.200s", type(error).__name__, error)
        return error_face(width, height).copy()


@lru_cache(maxsize=8)
def error_face(width: int, height: int) -> Image.Image:
    """Return the picture of a key that could not be drawn: a torn frame on grey."""
    side = 96 * _OVERSAMPLED
    image = Image.new("RGB", (side, side), _GROUND)
    pen = ImageDraw.Draw(image)
    pen.rounded_rectangle(_scaled(*_FRAME), radius=16, outline=_LINE, width=20)
    tear = [_scaled(*point) for point in _TEAR]
    pen.line(tear, fill=_GROUND, width=44, joint="curve")
    pen.line(tear, fill=_LINE, width=16, joint="curve")
    return image.resize((width, height), Image.Resampling.LANCZOS)


def _scaled(*numbers: int) -> tuple[int, ...]:
    return tuple(number * _OVERSAMPLED for number in numbers)
