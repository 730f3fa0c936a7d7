"""Makes `flightdeck/faces/glyphs.json`, the outlines labels are drawn with, from a font file.

Run by hand when the table should hold other characters; needs fontTools, which
nothing else here does:

    pip install fonttools
    python tests/faces/build_font.py DejaVuSansCondensed-Bold.ttf flightdeck/faces/glyphs.json

Outlines are SVG path text in 1/1000 em, y downwards, relative throughout: a line of
text is these strings behind one another, each after an absolute move to its pen.
"""

from __future__ import annotations

import importlib
import json
import sys
import unicodedata
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

UNITS = 1000
# How far, in the font's own units, a curve may be off where two become one: a sixteenth
# of a pixel on a 96-pixel key. Half the curves are half the work of the rasteriser.
MOST_OFF = 8
RANGES = (
    (0x20, 0x7E),  # ASCII
    (0xA0, 0x17F),  # Latin-1, Latin Extended-A
    (0x218, 0x21B),  # Romanian comma below
    (0x386, 0x3CE),  # Greek
    (0x400, 0x45F),  # Cyrillic
    (0x490, 0x491),  # Ukrainian ghe
    (0x2010, 0x2015),  # dashes
    (0x2018, 0x201E),  # quotation marks
    (0x2020, 0x2022),
    (0x2026, 0x2026),
    (0x2030, 0x2030),
    (0x2032, 0x2033),
    (0x2039, 0x203A),
    (0x20AC, 0x20AC),
    (0x2116, 0x2116),
    (0x2122, 0x2122),
    (0x2190, 0x2195),  # arrows
    (0x21A9, 0x21AA),
    (0x21D0, 0x21D4),
    (0x2212, 0x2212),
    (0x2248, 0x2248),
    (0x2260, 0x2260),
    (0x2264, 0x2265),
    (0x25A0, 0x25A1),
    (0x25CB, 0x25CB),
    (0x25CF, 0x25CF),
    (0x2713, 0x2713),
    (0x2717, 0x2717),
    (0xFFFD, 0xFFFD),  # what stands for every character not here
)

Point = tuple[float, ...]
Stroke = tuple[str, tuple[Any, ...]]


def main(arguments: list[str]) -> int:
    """Write the table; returns the exit status."""
    try:
        font_file, target = arguments
        ttlib = importlib.import_module("fontTools.ttLib")
    except (ValueError, ImportError) as error:
        sys.stderr.write(f"{error}\n{__doc__}")
        return 2
    font = ttlib.TTFont(font_file)
    table = {
        "font": font["name"].getDebugName(4),
        "version": font["name"].getDebugName(5),
        "units": UNITS,
        "glyphs": dict(outlines(font)),
    }
    text = json.dumps(table, ensure_ascii=False, separators=(",", ":")).replace('],"', '],\n"')
    Path(target).write_text(text + "\n", encoding="utf-8")
    return 0


def outlines(font: Any) -> Iterator[tuple[str, tuple[int, str]]]:
    """Yield each wanted character the font has, with its advance and its outline."""
    cmap, glyphs = font.getBestCmap(), font.getGlyphSet()
    pens = importlib.import_module("fontTools.pens.recordingPen")
    joining = importlib.import_module("fontTools.pens.qu2cuPen").Qu2CuPen
    scale = UNITS / font["head"].unitsPerEm
    for code in characters():
        if code in cmap:
            drawn, joined = pens.DecomposingRecordingPen(glyphs), pens.RecordingPen()
            glyphs[cmap[code]].draw(drawn)
            joiner = joining(joined, max_err=MOST_OFF, all_cubic=True)
            for command, points in starting_somewhere(drawn.value):
                getattr(joiner, command)(*points)
            advance = round(glyphs[cmap[code]].width * scale)
            yield chr(code), (advance, "".join(path(joined.value, scale)))


def characters() -> Iterator[int]:
    """Yield the wanted code points that Unicode knows."""
    for first, last in RANGES:
        for code in range(first, last + 1):
            if unicodedata.category(chr(code)) not in {"Cn", "Cf"}:
                yield code


def path(strokes: Iterable[Stroke], scale: float) -> Iterator[str]:
    """Yield relative SVG path commands; a closed contour's pen returns to its start."""
    here = start = (0, 0)
    for command, points in strokes:
        if command == "closePath":
            yield "z"
            here = start
        elif command == "curveTo":
            ends = [grid(point, scale) for point in points]
            yield "c" + ",".join(step(here, end) for end in ends)
            here = ends[-1]
        else:
            end = grid(points[0], scale)
            yield f"m{step(here, end)}" if command == "moveTo" else line(here, end)
            here = end
            start = end if command == "moveTo" else start


def starting_somewhere(strokes: Iterable[Stroke]) -> Iterator[Stroke]:
    """Give a contour made of control points only, a circle often, a point to start from."""
    for command, points in strokes:
        if points and points[-1] is None:
            controls = [point for point in points if point is not None]
            first = tuple((a + b) / 2 for a, b in zip(controls[-1], controls[0], strict=True))
            yield "moveTo", (first,)
            yield command, (*controls, first)
        else:
            yield command, points


def grid(point: Point, scale: float) -> tuple[int, int]:
    """Return a point of the font on our grid, y downwards."""
    return round(point[0] * scale), -round(point[1] * scale)


def line(here: tuple[int, int], there: tuple[int, int]) -> str:
    """Return a straight line as path text; an upright or level one is half the numbers."""
    across, down = there[0] - here[0], there[1] - here[1]
    if not down:
        return f"h{across}"
    return f"l{across},{down}" if across else f"v{down}"


def step(here: tuple[int, int], there: tuple[int, int]) -> str:
    """Return the way from one point to another, as path text."""
    return f"{there[0] - here[0]},{there[1] - here[1]}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
