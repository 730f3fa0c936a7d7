"""What a deck gets: its codec, its flips and turns, and never an alpha channel."""

from __future__ import annotations

import io

import pytest
from PIL import Image, ImageChops, ImageStat
from StreamDeck.ImageHelpers import PILHelper

from flightdeck.faces.encode import encode
from flightdeck.faces.picture import draw_face
from flightdeck.model.deck import Codec, DeckModel, KeyFormat
from flightdeck.model.decks import MODELS
from flightdeck.model.lifecycle import State
from tests.faces.looks import LOOKS, a_view

PLAIN = KeyFormat(96, 96, Codec.PNG)
XL = MODELS["stream-deck-xl"].key


def decoded(data: bytes) -> Image.Image:
    """Return the picture in `data`."""
    image = Image.open(io.BytesIO(data))
    image.load()
    return image


def lopsided(side: int) -> Image.Image:
    """Return a picture no flip or turn leaves as it is."""
    image = Image.new("RGB", (side, side), "#000000")
    image.paste((255, 255, 255), (0, 0, side // 2, side // 4))
    return image


@pytest.mark.parametrize("codec", Codec)
def test_each_codec_is_what_it_says(codec: Codec) -> None:
    image = decoded(encode(lopsided(96), KeyFormat(96, 96, codec)))
    assert (image.format, image.mode) == (codec.name, "RGB")


@pytest.mark.parametrize("model", MODELS.values(), ids=lambda model: model.name)
def test_flips_and_turns_are_those_of_the_library(model: DeckModel) -> None:
    key = model.key
    theirs = decoded(
        PILHelper._to_native_format(
            lopsided(key.width),
            {
                "size": (key.width, key.height),
                "format": key.codec.name,
                "flip": (key.flip_horizontal, key.flip_vertical),
                "rotation": key.rotation,
            },
        )
    )
    ours = decoded(encode(lopsided(key.width), key))
    assert max(ImageStat.Stat(ImageChops.difference(ours, theirs)).mean) < 1


def test_the_working_triangle_points_right_once_the_device_has_turned_it() -> None:
    sent = decoded(encode(draw_face(a_view(State.WORKING), 96, 96), XL))
    seen = sent.transpose(Image.Transpose.ROTATE_180).convert("L").point(lambda v: 255 * (v > 180))
    heights = [
        (box[3] - box[1]) if (box := seen.crop((x, 0, x + 1, 96)).getbbox()) else 0
        for x in range(96)
    ]
    inside = [x for x, height in enumerate(heights) if height]
    assert heights.index(max(heights)) < inside[len(inside) // 2] < inside[-1]
    assert heights[inside[-2]] < max(heights) / 4


def test_jpeg_keeps_a_flat_ground_within_one_level() -> None:
    ground = (0xF5, 0xA6, 0x23)
    corner = decoded(encode(draw_face(a_view(State.BLOCKED), 96, 96), XL)).getpixel((90, 90))
    assert isinstance(corner, tuple)
    assert max(abs(a - b) for a, b in zip(corner, ground, strict=True)) <= 1


def test_jpeg_keeps_colours_at_full_width() -> None:
    layers = getattr(decoded(encode(lopsided(96), XL)), "layer", ())
    assert {layer[1:3] for layer in layers} == {(1, 1)}


@pytest.mark.parametrize("state", LOOKS)
def test_every_state_has_bytes_on_every_deck(state: State) -> None:
    for model in MODELS.values():
        image = draw_face(a_view(state, top="x"), model.key.width, model.key.height)
        assert encode(image, model.key)


@pytest.mark.parametrize("mode", ["RGBA", "LA", "PA"])
def test_a_transparent_picture_lies_on_black(mode: str) -> None:
    image = Image.new("RGBA", (96, 96), (255, 255, 255, 0)).convert(mode)
    assert decoded(encode(image, PLAIN)).getextrema() == ((0, 0), (0, 0), (0, 0))


def test_a_picture_of_another_size_is_refused() -> None:
    with pytest.raises(ValueError, match="96 x 96"):
        encode(lopsided(72), PLAIN)
