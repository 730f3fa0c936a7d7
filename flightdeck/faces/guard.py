"""What an SVG may contain before a rasteriser sees it: a few shapes, and not too many.

Face templates may be edited by anyone, and one slow or greedy picture must not hold
up the other keys. Everything that reads elsewhere, refers elsewhere or multiplies
work is refused unseen, so the time a picture takes is bounded without a second thread.

Source: CVE-2023-27586 and CVE-2026-31899 (CairoSVG: outside references, nested
`use`); the limits are measured: at them, the worst picture found took 0.7 s, and of
20,000 random ones none hung or ended CairoSVG 2.9.1 or resvg-py 0.5.0.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from xml.parsers import expat

from flightdeck.model.reach import FARTHEST, NUMBER, numbers, path_reach

# Room for five lines of the most intricate letters there are.
_MOST_CHARACTERS = 36_000
_MOST_ELEMENTS = 96
_LARGEST_SCALE = 16.0
_GRID = 96.0

_ELEMENTS = frozenset(
    {"svg", "g", "path", "polygon", "polyline", "rect", "circle", "ellipse", "line"}
)
# Possessive throughout (`++`, `(?>`): whatever is written, one pass over it decides.
_NEXT = r"(?>[\s,]*+)"
_N = NUMBER + _NEXT
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
_LENGTH = re.compile(rf"{NUMBER}%?")
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


class Unsafe(ValueError):
    """An SVG that is not handed to a rasteriser; the message says what is wrong with it.

    `written` is how that begins in the SVG, where one piece of it is the matter.
    """

    def __init__(self, message: str, written: str = "") -> None:
        super().__init__(message)
        self.written = written


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
        line = svg.split("\n")[error.lineno - 1]
        raise Unsafe(f"not well-formed: {error}", line.strip()) from error
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
            raise Unsafe(f"element '{name}' is not allowed", f"<{name}")
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
        raise Unsafe("a document type is not allowed", "<!DOCTYPE")

    def instruction(self, *_parts: object) -> None:
        raise Unsafe("a processing instruction is not allowed", "<?")

    def declaration(self, *_parts: object) -> None:
        # It could name an encoding, and the rasteriser then read something else than this did.
        raise Unsafe("an XML declaration is not allowed", "<?xml")


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
            given = [abs(number) for number in numbers(written)]
            if kind == "scale":
                scale *= max(given)
            elif kind == "matrix":
                shift += scale * sum(given[4:])
                scale *= sum(given[:4])
            else:
                # A turn about a point moves by twice its distance; its angle only adds to that.
                shift += scale * 2 * max(given[-2:])
        if scale > _LARGEST_SCALE:
            raise Unsafe(f"enlarged more than {_LARGEST_SCALE:.0f} times")
        if shift > FARTHEST:
            raise Unsafe(f"moved by more than {FARTHEST:.0f}")
        return _Frame(scale, shift)


def _check_written(name: str, value: str) -> None:
    if name not in _VALUES:
        raise Unsafe(f"attribute '{name}' is not allowed", f"{name}=")
    if not _is_written(name, value):
        raise Unsafe(f"attribute '{name}' is not written as it should be", f'{name}="{value}"')


# The letters of a label are on many faces, and stay the same.
@lru_cache(maxsize=256)
def _is_written(name: str, value: str) -> bool:
    return _VALUES[name].fullmatch(value) is not None


@lru_cache(maxsize=256)
def _reach(path: str) -> float:
    return path_reach(path)


def _check_near(name: str, value: str, frame: _Frame) -> None:
    """Refuse a number that leads too far away, alone or, in a path, step by step."""
    if name == "points" or _VALUES[name] is _LENGTH:
        farthest = max(map(abs, numbers(value)), default=0)
    elif name == "d":
        farthest = _reach(value)
    else:
        return
    if farthest * frame.scale > FARTHEST:
        raise Unsafe(f"attribute '{name}' leads farther than {FARTHEST:.0f}")


def _magnified(view_box: str) -> float:
    """Return by how much a view box enlarges what is in it, against a key's own grid."""
    sides = numbers(view_box)[2:]
    if min(sides) <= 0:
        raise Unsafe("a viewBox has an inside")
    return _GRID / min(sides)
