"""Simple pictures for keys, encoded by the product's own encoder as each deck asks."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

from PIL import Image, ImageDraw

from flightdeck.faces.encode import encode

if TYPE_CHECKING:
    from flightdeck.model.deck import KeyFormat

AMBER = (245, 166, 35)
BLUE = (18, 86, 163)


def plain(key: KeyFormat, colour: tuple[int, int, int]) -> bytes:
    """Return one colour all over."""
    return encode(Image.new("RGB", (key.width, key.height), colour), key)


def arrow(key: KeyFormat) -> Image.Image:
    """Return a white triangle that points right, in the upper half, amber at the top left."""
    picture = Image.new("RGB", (key.width, key.height), BLUE)
    draw = ImageDraw.Draw(picture)
    wide, high = key.width, key.height
    draw.rectangle((0, 0, wide // 8, high // 8), fill=AMBER)
    draw.polygon(
        [(wide // 4, high // 8), (3 * wide // 4, high // 4), (wide // 4, 3 * high // 8)],
        fill="white",
    )
    return picture


def decode(image: bytes) -> Image.Image:
    """Return the picture in the bytes, RGB."""
    return Image.open(io.BytesIO(image)).convert("RGB")
