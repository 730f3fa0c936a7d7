"""How far a drawing may lead from its key: what a rasteriser is spared, said before it draws.

A circle a hundred thousand wide keeps cairo busy for seconds; a path some four
thousand out ends resvg 0.5, and with it the process that asked.

Source: templates/README.md, "What a face may contain"; SVG 2, "Out-of-range
elliptical arc parameters"; measured on CairoSVG 2.9.1 and resvg-py 0.5.0.
"""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

# From the key's top left corner, in its own units, of which a key has 96.
FARTHEST = 1_000.0

# Possessive: whatever is written, one pass over it decides.
NUMBER = r"(?>[-+]?(?:\d++(?:\.\d*+)?|\.\d++))"

_EACH = re.compile(NUMBER)
_ABSOLUTE = re.compile(r"[A-Y]")
_RELATIVE = re.compile(r"[a-y]")
_ARCS = re.compile(r"[Aa]([^A-Za-z]*)")


def numbers(text: str) -> list[float]:
    """Return every number in a piece of SVG."""
    return [float(number) for number in _EACH.findall(text)]


def path_reach(path: str) -> float:
    """Return how far SVG path data can lead at most; infinite for an arc without a radius."""
    return max(_stretches(path), default=0.0) * _thinness(path)


def _stretches(path: str) -> Iterator[float]:
    """Yield how far each stretch from one absolute command to the next can lead."""
    for stretch in _ABSOLUTE.split(path):
        steps = [abs(number) for number in numbers(stretch)]
        if steps:
            yield sum(steps) if _RELATIVE.search(stretch) else max(steps)


def _thinness(path: str) -> float:
    """Return how much farther than its ends the thinnest arc of a path can lead; at least 1.

    Radii too small for the ends of their arc grow until they reach, the larger in step.
    """
    thinnest = 1.0
    for written in _ARCS.findall(path):
        given = [abs(number) for number in numbers(written)]
        for radii in zip(given[::7], given[1::7], strict=True):
            thinnest = max(thinnest, max(radii) / (2 * min(radii)) if min(radii) else math.inf)
    return thinnest
