"""From pixels to the bytes one deck takes.

Knows formats, not decks. JPEG is quality 95 without colour subsampling: flat grounds
come out exact, coloured edges do not bleed, and a face is a third smaller than at 100.

Source: the streamdeck library, `PILHelper` (rotation first, then the flips).
"""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

from PIL import Image

from flightdeck.model.deck import Codec

if TYPE_CHECKING:
    from flightdeck.model.deck import KeyFormat

_OPTIONS: dict[Codec, dict[str, int | str]] = {
    Codec.JPEG: {"quality": 95, "subsampling": "4:4:4"},
    Codec.BMP: {},
    Codec.PNG: {"compress_level": 3},
}


def encode(image: Image.Image, key: KeyFormat) -> bytes:
    """Return an upright image as the device wants it: turned, flipped and encoded.

    An alpha channel is laid on black first: a deck takes none.

    Raises:
        ValueError: the image is not of the format's size.
    """
    if image.size != (key.width, key.height):
        raise ValueError(f"a key takes {key.width} x {key.height} pixels, not {image.size}")
    turned = _opaque(image)
    if key.rotation:
        turned = turned.rotate(key.rotation, expand=True)
    if key.flip_horizontal:
        turned = turned.transpose(Image.Transpose.FLIP_LEFT_RIGHT)
    if key.flip_vertical:
        turned = turned.transpose(Image.Transpose.FLIP_TOP_BOTTOM)
    out = io.BytesIO()
    turned.save(out, key.codec.value, **_OPTIONS[key.codec])
    return out.getvalue()


def _opaque(image: Image.Image) -> Image.Image:
    if not image.has_transparency_data:
        return image.convert("RGB")
    ground = Image.new("RGBA", image.size, "#000000")
    return Image.alpha_composite(ground, image.convert("RGBA")).convert("RGB")
