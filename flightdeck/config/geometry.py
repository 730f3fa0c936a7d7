"""Glyphs: shapes on a 96 x 96 grid, from the text a layout declares them with.

A path takes the absolute SVG commands only, so that every point can be read off the
grid, and checked to lie on it, without walking the path.

Source: layouts/README.md, "Glyphs"; SVG 2, path data.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from flightdeck.config.nodes import Entry, Mapping, Node, Scalar, Sequence
from flightdeck.config.reader import Reader, quoted
from flightdeck.config.values import BadValue, flag
from flightdeck.model.layout import Glyph, Shape, ShapeKind
from flightdeck.model.reach import FARTHEST, path_reach

if TYPE_CHECKING:
    from collections.abc import Callable

GRID = 96
WIDEST_STROKE = 24
MOST_SHAPES = 24
# A third of what a whole face may hold.
_MOST_CHARACTERS = 8_000
# A glyph without a label below it is drawn larger.
_ENLARGED = 1.3

# Patterns an editor is given too: what Python and ECMAScript read alike.
NAME = "[a-z][a-z0-9]*(?:-[a-z0-9]+)*"
NUMBER = "-?[0-9]{1,4}(?:[.][0-9]{1,3})?"
POINT = f"{NUMBER},{NUMBER}"

_NAME = re.compile(NAME)
_NUMBER = re.compile(NUMBER)
_TOKEN = re.compile(f" *,? *([A-Za-z]|{NUMBER}(?![0-9.]))")

# How many numbers each path command takes, and which of them are points on the grid.
_COMMANDS = {
    "M": (2, (0, 1)),
    "L": (2, (0, 1)),
    "H": (1, (0,)),
    "V": (1, (0,)),
    "C": (6, (0, 1, 2, 3, 4, 5)),
    "Q": (4, (0, 1, 2, 3)),
    "A": (7, (5, 6)),
    "Z": (0, ()),
}
KINDS = {kind.value: kind for kind in ShapeKind}
SHAPE_KEYS = (*KINDS, "stroke", "cut")
ONLY_STROKED = (ShapeKind.LINE,)


def read_glyphs(reader: Reader, section: Entry) -> dict[str, Glyph]:
    """Return the glyphs `section` declares, by name; faults are noted in `reader`."""
    found: dict[str, Glyph] = {}
    seen: dict[str, Scalar] = {}
    for entry in reader.entries(section.key, section.value):
        name = entry.key.text
        if not _NAME.fullmatch(name):
            reader.report(entry.key, f"{quoted(name)} is no glyph name", "like `triangle-up`")
        elif name in seen:
            reader.repeated(entry.key, seen[name], f"glyph {quoted(name)} is written twice")
        else:
            seen[name] = entry.key
            # A name with a bad shape still exists: one fault, not one for each use of it.
            found[name] = Glyph(name, _shapes(reader, entry))
    return found


def _shapes(reader: Reader, entry: Entry) -> tuple[Shape, ...]:
    nodes = entry.value.items if isinstance(entry.value, Sequence) else (entry.value,)
    if len(nodes) > MOST_SHAPES:
        reader.report(entry.key, f"glyph of {len(nodes)} shapes", f"{MOST_SHAPES} at most")
        return ()
    found = (_shape(reader, entry.key, node) for node in nodes)
    shapes = tuple(shape for shape in found if shape is not None)
    length = sum(len(shape.path) + sum(map(len, map(str, shape.numbers))) for shape in shapes)
    if length > _MOST_CHARACTERS:
        told = f"{_MOST_CHARACTERS} at most: draw it with fewer points"
        reader.report(entry.key, f"glyph {quoted(entry.key.text)} of {length} characters", told)
    return shapes


def _shape(reader: Reader, owner: Scalar, node: Node) -> Shape | None:
    fields = reader.fields(owner, node, SHAPE_KEYS)
    drawn = [name for name in fields if name in KINDS]
    if len(drawn) != 1:
        if isinstance(node, Mapping):
            told = "draws nothing" if not drawn else f"draws {' and '.join(drawn)} at once"
            reader.report(owner, f"glyph {quoted(owner.text)} {told}", _ONE_OF)
        return None
    kind = KINDS[drawn[0]]
    stroke = reader.parsed(fields["stroke"], _stroke) if "stroke" in fields else None
    cut = reader.parsed(fields["cut"], flag) if "cut" in fields else False
    if kind in ONLY_STROKED and "stroke" not in fields:
        reader.report(
            fields[kind.value].key,
            f"a {kind.value} without 'stroke' cannot be seen",
            "add `stroke: 8`",
        )
    parse = _PARSERS[kind]
    written = reader.parsed(fields[kind.value], parse)
    if written is None:
        return None
    return Shape(kind, *written, stroke=stroke, cut=bool(cut))


_ONE_OF = f"one of {', '.join(KINDS)}; a glyph of several shapes is a list of them"


def _stroke(text: str) -> float:
    if not _NUMBER.fullmatch(text) or not 0 < float(text) <= WIDEST_STROKE:
        raise BadValue(
            f"stroke {quoted(text)} is no width", f"more than 0, at most {WIDEST_STROKE}"
        )
    return float(text)


def _polygon(text: str) -> tuple[tuple[float, ...], str]:
    points = text.split()
    if len(points) < 3:
        raise BadValue("a polygon of fewer than three points", "write `48,12 70,52 26,52`")
    return tuple(number for point in points for number in _point(point)), ""


def _circle(text: str) -> tuple[tuple[float, ...], str]:
    words = text.split()
    if len(words) != 2 or not _NUMBER.fullmatch(words[1]):
        raise BadValue(f"{quoted(text)} is no circle", "centre and radius: `48,32 8`")
    x, y, radius = *_point(words[0]), float(words[1])
    if radius <= 0:
        raise BadValue("a circle without a radius", "centre and radius: `48,32 8`")
    for edge in (x - radius, x + radius, y - radius, y + radius):
        _on_grid(edge)
    return (x, y, radius), ""


def _line(text: str) -> tuple[tuple[float, ...], str]:
    points = text.split()
    if len(points) != 2:
        raise BadValue(f"{quoted(text)} is no line", "two points: `48,20 48,40`")
    return (*_point(points[0]), *_point(points[1])), ""


def _point(text: str) -> tuple[float, float]:
    x, comma, y = text.partition(",")
    if not (comma and _NUMBER.fullmatch(x) and _NUMBER.fullmatch(y)):
        raise BadValue(f"{quoted(text)} is no point", "x and y without a space: `48,32`")
    return _on_grid(float(x)), _on_grid(float(y))


def _on_grid(number: float) -> float:
    if not 0 <= number <= GRID:
        raise BadValue(f"{number:g} is off the grid", f"0 to {GRID}, from the top left corner")
    return number


def _path(text: str) -> tuple[tuple[float, ...], str]:
    tokens = _tokens(text)
    if tokens[0] != "M":
        raise BadValue("a path that does not start with M", "write `M 27 32 L 42 47`")
    written: list[str] = []
    while tokens:
        command = tokens.pop(0)
        if command not in _COMMANDS:
            raise BadValue(f"path command {quoted(command)}", _path_hint(command))
        numbers: list[str] = []
        while tokens and not tokens[0].isalpha():
            numbers.append(tokens.pop(0))
        _check_command(command, numbers)
        written += [command, *numbers]
    if set(written) & set(_COMMANDS) <= {"M", "Z"}:
        raise BadValue("a path that draws nothing", "write `M 27 32 L 42 47`")
    path = " ".join(written)
    if path_reach(path) * _ENLARGED > FARTHEST:
        hint = "radii nearer to each other, and a turn below 360"
        raise BadValue("an arc too long and thin to draw", hint)
    return (), path


def _tokens(text: str) -> list[str]:
    tokens, at = [], 0
    while at < len(text.rstrip()):
        token = _TOKEN.match(text, at)
        if token is None:
            raise BadValue(f"{quoted(text[at:])} is no path data", "letters and numbers only")
        tokens.append(token[1])
        at = token.end()
    return tokens


def _check_command(command: str, numbers: list[str]) -> None:
    takes, points = _COMMANDS[command]
    # A command may be given several sets of numbers, as in SVG.
    fits = bool(numbers) and len(numbers) % takes == 0 if takes else not numbers
    if not fits:
        raise BadValue(f"path command {command} with {len(numbers)} numbers", f"it takes {takes}")
    for start in range(0, len(numbers), takes or 1):
        one = numbers[start : start + takes]
        for point in points:
            _on_grid(float(one[point]))
        if command == "A":
            _check_arc(one)


def _check_arc(numbers: list[str]) -> None:
    if not all(0 < float(radius) <= GRID for radius in numbers[:2]):
        raise BadValue("an arc without a radius", f"two radii, more than 0, at most {GRID}")
    if not {numbers[3], numbers[4]} <= {"0", "1"}:  # SVG takes the digit alone
        raise BadValue("an arc whose flags are not 0 or 1", "`A rx ry turn large sweep x y`")


def _path_hint(command: str) -> str:
    if command.upper() in _COMMANDS and not command.isdigit():
        return f"write {command.upper()} with positions on the grid, not steps"
    return f"there are: {', '.join(_COMMANDS)}"


# What each kind looks like from afar; its parser has the last word.
WRITTEN = {
    ShapeKind.POLYGON: rf"\s*{POINT}(?:\s+{POINT}){{2,}}\s*",
    ShapeKind.PATH: rf"[ ,]*M[-0-9., {''.join(_COMMANDS)}]*\s*",
    ShapeKind.CIRCLE: rf"\s*{POINT}\s+{NUMBER}\s*",
    ShapeKind.LINE: rf"\s*{POINT}\s+{POINT}\s*",
}
_PARSERS: dict[ShapeKind, Callable[[str], tuple[tuple[float, ...], str]]] = {
    ShapeKind.POLYGON: _polygon,
    ShapeKind.PATH: _path,
    ShapeKind.CIRCLE: _circle,
    ShapeKind.LINE: _line,
}
