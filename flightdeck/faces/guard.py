"""What an SVG may contain before a rasteriser sees it: a few shapes, and not too many.

Face templates may be edited by anyone, and one slow or greedy picture must not hold
up the other keys. Everything that reads elsewhere, refers elsewhere or multiplies
work is refused unseen, so the time a picture takes is bounded without a second thread.

Source: CVE-2023-27586 and CVE-2026-31899 (CairoSVG: outside references, nested
`use`); the limits are measured: at them, the worst picture found took 0.3 s, and of
20,000 random ones none hung or ended CairoSVG 2.9.1 or resvg-py 0.5.0.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING
from xml.parsers import expat

if TYPE_CHECKING:
    from collections.abc import Iterator

_MOST_CHARACTERS = 24_000
_MOST_ELEMENTS = 96
_LARGEST_SCALE = 16.0
_GRID = 96.0
# How far from the key anything may lie, in its own units. A circle a hundred thousand
# wide keeps cairo busy for seconds; a path some four thousand out ends resvg 0.5, and
# with it the process that asked.
_FARTHEST = 1_000.0

_ELEMENTS = frozenset(
    {"svg", "g", "path", "polygon", "polyline", "rect", "circle", "ellipse", "line"}
)
# Possessive throughout (`++`, `(?>`): whatever is written, one pass over it decides.
_NUMBER = r"(?>[-+]?(?:\d++(?:\.\d*+)?|\.\d++))"
_NEXT = r"(?>[\s,]*+)"
_N = _NUMBER + _NEXT
_ARC = rf"{_N}{_N}{_N}[01]{_NEXT}[01]{_NEXT}{_N}{_N}"
# No T: each reflects the control point before, and a row of them runs away.
_MOVE = rf"[Mm]{_NEXT}(?:{_N}{_N})++"
_STEP = "|".join(
    (
        _MOVE,
        rf"[Ll]{_NEXT}(?:{_N}{_N})++",
        rf"[HhVv]{_NEXT}(?:{_N})++",
        rf"[QqSs]{_NEXT}(?:{_N}{_N}{_N}{_N})++",
        rf"[Cc]{_NEXT}(?:{_N}{_N}{_N}{_N}{_N}{_N})++",
        rf"[Aa]{_NEXT}(?:{_ARC})++",
        rf"[Zz]{_NEXT}",
    )
)
_EACH = re.compile(_NUMBER)
_LENGTH = re.compile(rf"{_NUMBER}%?")
_COLOUR = re.compile(r"#[0-9a-fA-F]{3}|#[0-9a-fA-F]{6}|[a-z]{1,24}")
_WORD = re.compile(r"[a-zA-Z ]{1,24}")

# What may stand in each attribute. A rasteriser that meets anything else may guess,
# raise, or, CairoSVG on a malformed path, never return.
_VALUES = {
    "d": re.compile(rf"\s*+(?:{_MOVE}(?:{_STEP})*+)?"),
    "points": re.compile(rf"{_NEXT}(?:{_N}{_N})*+"),
    "viewBox": re.compile(rf"\s*+{_N}{_N}{_N}{_N}"),
    "transform": re.compile(rf"\s*+(?:(?:translate|scale|rotate|matrix)\((?:{_N})++\){_NEXT})*+"),
    **dict.fromkeys(("x", "y", "width", "height", "rx", "ry", "cx", "cy", "r"), _LENGTH),
    **dict.fromkeys(("x1", "y1", "x2", "y2", "opacity", "fill-opacity"), _LENGTH),
    **dict.fromkeys(("stroke-opacity", "stroke-width", "stroke-miterlimit"), _LENGTH),
    **dict.fromkeys(("fill", "stroke"), _COLOUR),
    **dict.fromkeys(("fill-rule", "stroke-linecap", "stroke-linejoin"), _WORD),
    "preserveAspectRatio": _WORD,
    "xmlns": re.compile(r"http://www\.w3\.org/2000/svg"),
}
_TRANSFORM = re.compile(r"(translate|scale|rotate|matrix)\(([^)]*)\)")
_ABSOLUTE = re.compile(r"[A-Y]")
_ARCS = re.compile(r"[Aa]([^A-Za-z]*)")
_RELATIVE = re.compile(r"[a-y]")


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
        self._frames = [_Frame()]

    def start(self, name: str, attributes: dict[str, str]) -> None:
        self._elements += 1
        if name not in _ELEMENTS:
            raise Unsafe(f"element '{name}' is not allowed")
        if self._elements > _MOST_ELEMENTS:
            raise Unsafe(f"more than {_MOST_ELEMENTS} elements")
        if name == "svg" and self._elements > 1:
            raise Unsafe("an svg inside the svg is not allowed")
        for key, value in attributes.items():
            _check_written(key, value)
        frame = self._frames[-1].inside(attributes)
        self._frames.append(frame)
        for key, value in attributes.items():
            _check_near(key, value, frame)

    def end(self, _name: str) -> None:
        self._frames.pop()

    def doctype(self, *_parts: object) -> None:
        raise Unsafe("a document type is not allowed")

    def instruction(self, *_parts: object) -> None:
        raise Unsafe("a processing instruction is not allowed")

    def declaration(self, *_parts: object) -> None:
        # It could name an encoding, and the rasteriser then read something else than this did.
        raise Unsafe("an XML declaration is not allowed")


@dataclass(frozen=True, slots=True)
class _Frame:
    """What transforms have done so far, at most: enlarged by `scale`, moved by `shift`."""

    scale: float = 1.0
    shift: float = 0.0

    def inside(self, attributes: dict[str, str]) -> _Frame:
        """Return the frame in an element with these attributes."""
        scale, shift = self.scale, self.shift
        if "viewBox" in attributes:
            scale *= _magnified(attributes["viewBox"])
        for kind, written in _TRANSFORM.findall(attributes.get("transform", "")):
            numbers = [abs(number) for number in _numbers(written)]
            if kind == "scale":
                scale *= max(numbers)
            elif kind == "matrix":
                shift += scale * sum(numbers[4:])
                scale *= sum(numbers[:4])
            else:
                # A turn about a point moves by twice its distance; its angle only adds to that.
                shift += scale * 2 * max(numbers[-2:])
        if scale > _LARGEST_SCALE:
            raise Unsafe(f"enlarged more than {_LARGEST_SCALE:.0f} times")
        if shift > _FARTHEST:
            raise Unsafe(f"moved by more than {_FARTHEST:.0f}")
        return _Frame(scale, shift)


def _check_written(name: str, value: str) -> None:
    allowed = _VALUES.get(name)
    if allowed is None:
        raise Unsafe(f"attribute '{name}' is not allowed")
    if not allowed.fullmatch(value):
        raise Unsafe(f"attribute '{name}' is not written as it should be")


def _check_near(name: str, value: str, frame: _Frame) -> None:
    """Refuse a number that leads too far away, alone or, in a path, step by step."""
    if name == "points" or _VALUES[name] is _LENGTH:
        farthest = max(map(abs, _numbers(value)), default=0)
    elif name == "d":
        farthest = max(_path_reaches(value), default=0) * _thinness(value)
    else:
        return
    if farthest * frame.scale > _FARTHEST:
        raise Unsafe(f"attribute '{name}' leads farther than {_FARTHEST:.0f}")


def _path_reaches(path: str) -> Iterator[float]:
    """Yield how far each stretch of a path from one absolute command to the next can lead."""
    for stretch in _ABSOLUTE.split(path):
        numbers = [abs(number) for number in _numbers(stretch)]
        if numbers:
            yield sum(numbers) if _RELATIVE.search(stretch) else max(numbers)


def _thinness(path: str) -> float:
    """Return how much farther than its ends the thinnest arc of a path can lead; at least 1.

    Radii too small for the ends of their arc grow until they reach, the larger in step.
    """
    thinnest = 1.0
    for written in _ARCS.findall(path):
        numbers = [abs(number) for number in _numbers(written)]
        for radii in zip(numbers[::7], numbers[1::7], strict=True):
            thinnest = max(thinnest, max(radii) / (2 * min(radii)) if min(radii) else math.inf)
    return thinnest


def _magnified(view_box: str) -> float:
    """Return by how much a view box enlarges what is in it, against a key's own grid."""
    sides = _numbers(view_box)[2:]
    if min(sides) <= 0:
        raise Unsafe("a viewBox has an inside")
    return _GRID / min(sides)


def _numbers(text: str) -> list[float]:
    return [float(number) for number in _EACH.findall(text)]
