"""Label text as geometry: one line of characters becomes one SVG path that fits its room.

No font is asked for at run time, so a key looks the same on every machine, and no
label text reaches an XML parser. Lengths are in units of the 96 x 96 key.

Source: README.md, "The visual language" (never below 12 px, shrink, never clip);
glyphs.json is made by tests/faces/build_font.py.
"""

from __future__ import annotations

import json
import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources

FLOOR = 12.0  # the smallest type on a 96 px key
UNKNOWN = "\ufffd"
ELLIPSIS = "\u2026"

# A squeeze this small is not seen, and it saves an upper-case line its last letters.
_NARROWEST = 0.86
# Labels arrive shortened to about eleven characters; nobody reads more than this.
_LONGEST = 64


@dataclass(frozen=True, slots=True)
class Line:
    """A line of text ready to draw: place `path` by `matrix`, an SVG transform.

    `size` is the type size, `width` what it takes.
    """

    path: str
    matrix: str
    size: float
    width: float
    text: str


def fit(text: str, sizes: tuple[float, ...], room: float, middle: float, baseline: float) -> Line:
    """Return `text` centred on `middle`, in the largest of `sizes` that fits `room`.

    Below the last size it is squeezed a little, then cut with an ellipsis: nothing is
    ever clipped or wrapped. Any string is accepted, lone surrogates too.
    """
    shown = readable(text)
    size = largest(shown, sizes, room)
    if not fits(shown, size, room):
        shown = _shortened(shown, room / (size * _NARROWEST))
    return _placed(shown, size, room, middle, baseline)


def whole(text: str, size: float, room: float, middle: float, baseline: float) -> Line:
    """Return all of `text` centred on `middle`, squeezed as far as `room` needs.

    For what must be read to the letter: nothing is cut, joined or left out, and a
    character the table lacks is a visible mark of its own.
    """
    return _placed(exact(text), size, room, middle, baseline)


def largest(shown: str, sizes: tuple[float, ...], room: float) -> float:
    """Return the first of `sizes` at which `shown`, squeezed a little, fits; else the last."""
    return next((size for size in sizes if fits(shown, size, room)), sizes[-1])


def fits(shown: str, size: float, room: float) -> bool:
    """Say whether readable text of this size, squeezed a little at most, fits `room`."""
    return width(shown) * size * _NARROWEST <= room


def exact(text: str) -> str:
    """Return `text` letter by letter, with a visible mark for each the table lacks.

    Unlike `readable` it hides nothing: what has no width, and any white space but the
    plain blank, becomes a mark too.
    """
    glyphs = _table().glyphs
    return "".join(
        one if one in glyphs and (one == " " or not one.isspace()) else UNKNOWN
        for one in unicodedata.normalize("NFC", text)
    )


def _placed(shown: str, size: float, room: float, middle: float, baseline: float) -> Line:
    natural = width(shown) * size
    squeeze = min(1.0, room / natural) if natural else 1.0
    left = middle - natural * squeeze / 2
    scale = size / _table().units
    return Line(
        path=outline(shown),
        matrix=f"matrix({scale * squeeze:.5f} 0 0 {scale:.5f} {left:.2f} {baseline:.2f})",
        size=size,
        width=natural * squeeze,
        text=shown,
    )


def readable(text: str) -> str:
    """Return `text` as characters the table has: unknown ones become a visible mark.

    Accents are joined to their letter, or dropped where the table has the letter alone;
    what has no width of its own is left out; white space, line ends included, is a blank.
    """
    joined = unicodedata.normalize("NFC", " ".join(text[: _LONGEST * 4].split()))
    kept = (
        _nearest(character)
        for character in joined
        if unicodedata.category(character) not in {"Mn", "Me", "Cf"}
    )
    return "".join(kept)[:_LONGEST]


def _nearest(character: str) -> str:
    """Return the character itself, else its letter without the accent, else the mark."""
    letter = unicodedata.normalize("NFD", character)[0]
    glyphs = _table().glyphs
    return next((known for known in (character, letter) if known in glyphs), UNKNOWN)


def width(text: str) -> float:
    """Return the width of readable text, in multiples of its size."""
    glyphs = _table().glyphs
    return sum(glyphs[character][0] for character in text) / _table().units


def outline(text: str) -> str:
    """Return SVG path data of readable text, in table units, its baseline at 0."""
    pen, parts = 0, []
    for character in text:
        advance, path = _table().glyphs[character]
        if path:
            parts.append(f"M{pen},0{path}")
        pen += advance
    return "".join(parts)


def _shortened(text: str, room: float) -> str:
    """Return the start of `text` and an ellipsis, no wider than `room` sizes."""
    while text and width(text.rstrip() + ELLIPSIS) > room:
        text = text[:-1]
    return text.rstrip() + ELLIPSIS


@dataclass(frozen=True, slots=True)
class _Table:
    units: int
    glyphs: dict[str, tuple[int, str]]


@lru_cache(maxsize=1)
def _table() -> _Table:
    file = resources.files("flightdeck.faces").joinpath("glyphs.json")
    stored = json.loads(file.read_text(encoding="utf-8"))
    glyphs = {name: (int(advance), str(path)) for name, (advance, path) in stored["glyphs"].items()}
    return _Table(int(stored["units"]), glyphs)
