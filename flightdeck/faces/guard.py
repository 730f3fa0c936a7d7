"""What an SVG may contain before a rasteriser sees it: a few shapes, and not too many.

Face templates may be edited by anyone, and one slow or greedy picture must not hold
up the other keys. Everything that reads elsewhere, refers elsewhere or multiplies
work is refused unseen, so the time a picture takes is bounded without a second thread.

Source: CVE-2023-27586 and CVE-2026-31899 (CairoSVG: outside references, nested
`use`); the limits are measured: at them, the worst picture found took 0.3 s.
"""

from __future__ import annotations

import re
from xml.parsers import expat

_MOST_CHARACTERS = 24_000
_MOST_ELEMENTS = 96
_LARGEST_SCALE = 16.0
_GRID = 96.0

_ELEMENTS = frozenset(
    {"svg", "g", "path", "polygon", "polyline", "rect", "circle", "ellipse", "line"}
)
_SHAPE = frozenset({"d", "points", "x", "y", "rx", "ry", "cx", "cy", "r", "x1", "y1", "x2", "y2"})
_PAINT = frozenset({"fill", "fill-opacity", "fill-rule", "opacity", "stroke", "stroke-opacity"})
_STROKE = frozenset({"stroke-width", "stroke-linecap", "stroke-linejoin", "stroke-miterlimit"})
_FRAME = frozenset({"xmlns", "viewBox", "width", "height", "preserveAspectRatio", "transform"})
_ATTRIBUTES = _SHAPE | _PAINT | _STROKE | _FRAME
# Five digits or an exponent: a circle of that size keeps cairo busy for seconds.
_HUGE = re.compile(r"(?<![\d.])\d{5}|\d[eE][-+]?\d")
_REFERENCE = re.compile(r"url\s*\(|@import", re.IGNORECASE)
_TRANSFORM = re.compile(r"\s*(translate|scale|rotate|matrix)\s*\(([-+.,\d\s]*)\)[\s,]*")


class Unsafe(ValueError):
    """An SVG that is not handed to a rasteriser; the message says what is wrong with it."""


def check(svg: str) -> None:
    """Return if `svg` may be drawn.

    Raises:
        Unsafe: it is not well-formed, holds something not allowed, or is too much work.
    """
    if len(svg) > _MOST_CHARACTERS:
        raise Unsafe(f"longer than {_MOST_CHARACTERS} characters")
    reader = _Reader()
    try:
        reader.parser.Parse(svg.encode(), True)  # noqa: FBT003 - expat takes no keywords
    except expat.ExpatError as error:
        raise Unsafe(f"not well-formed: {error}") from error
    except UnicodeEncodeError as error:
        raise Unsafe("holds a lone surrogate") from error


class _Reader:
    """Walks the markup once; every handler raises at the first thing not allowed."""

    def __init__(self) -> None:
        self.parser = expat.ParserCreate()
        self.parser.StartElementHandler = self.start
        self.parser.EndElementHandler = self.end
        self.parser.StartDoctypeDeclHandler = self.doctype
        self.parser.ProcessingInstructionHandler = self.instruction
        self.parser.XmlDeclHandler = self.declaration
        self._elements = 0
        self._scales = [1.0]

    def start(self, name: str, attributes: dict[str, str]) -> None:
        self._elements += 1
        if name not in _ELEMENTS:
            raise Unsafe(f"element '{name}' is not allowed")
        if self._elements > _MOST_ELEMENTS:
            raise Unsafe(f"more than {_MOST_ELEMENTS} elements")
        if name == "svg" and self._elements > 1:
            raise Unsafe("an svg inside the svg is not allowed")
        for key, value in attributes.items():
            _check_attribute(key, value)
        factor = _magnified(attributes.get("viewBox", "")) * _enlarged(
            attributes.get("transform", "")
        )
        self._scales.append(self._scales[-1] * factor)
        if self._scales[-1] > _LARGEST_SCALE:
            raise Unsafe(f"enlarged more than {_LARGEST_SCALE:.0f} times")

    def end(self, _name: str) -> None:
        self._scales.pop()

    def doctype(self, *_parts: object) -> None:
        raise Unsafe("a document type is not allowed")

    def instruction(self, *_parts: object) -> None:
        raise Unsafe("a processing instruction is not allowed")

    def declaration(self, *_parts: object) -> None:
        # It could name an encoding, and the rasteriser then read something else than this did.
        raise Unsafe("an XML declaration is not allowed")


def _check_attribute(name: str, value: str) -> None:
    if name not in _ATTRIBUTES:
        raise Unsafe(f"attribute '{name}' is not allowed")
    if name == "xmlns":
        return
    if _REFERENCE.search(value):
        raise Unsafe(f"attribute '{name}' refers to something else")
    if not value.startswith("#") and _HUGE.search(value):
        raise Unsafe(f"attribute '{name}' holds a number of more than four digits")


def _magnified(view_box: str) -> float:
    """Return by how much a view box enlarges what is in it, against a key's own grid."""
    if not view_box:
        return 1.0
    sides = _numbers(view_box)[2:]
    if len(sides) != 2 or min(sides) <= 0:
        raise Unsafe("a viewBox is four numbers, the last two above 0")
    return max(1.0, _GRID / min(sides))


def _enlarged(transform: str) -> float:
    """Return by how much a transform enlarges at most; never less than 1."""
    factor, position = 1.0, 0
    while position < len(transform):
        found = _TRANSFORM.match(transform, position)
        if found is None:
            raise Unsafe("a transform holds something other than translate, scale, rotate, matrix")
        numbers = [abs(n) for n in _numbers(found[2])]
        if found[1] == "scale":
            factor *= max(1.0, *numbers)
        elif found[1] == "matrix":
            factor *= max(1.0, sum(numbers[:4]))
        position = found.end()
    return factor


def _numbers(text: str) -> list[float]:
    try:
        return [float(number) for number in re.split(r"[\s,]+", text.strip()) if number]
    except ValueError as error:
        raise Unsafe("a number is not written as one") from error
