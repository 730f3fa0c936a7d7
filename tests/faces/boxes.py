"""The lines of a face and how far their outlines reach, in units of the 96 x 96 key."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from flightdeck.faces.words import words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from flightdeck.faces.text import Line
    from flightdeck.model.keyview import KeyView

_PIECE = re.compile(r"([Mmlhvcz])([^Mmlhvcz]*)")
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")


@dataclass(frozen=True, slots=True)
class Box:
    """The smallest upright rectangle around something; y grows downwards."""

    left: float
    top: float
    right: float
    bottom: float

    def inside(self, other: Box) -> bool:
        """Say whether no part of it sticks out of `other`."""
        across = other.left <= self.left and self.right <= other.right
        return across and other.top <= self.top and self.bottom <= other.bottom

    def overlaps(self, other: Box) -> bool:
        """Say whether the two share more than an edge."""
        across = self.left < other.right and other.left < self.right
        return across and self.top < other.bottom and other.top < self.bottom


def shown(view: KeyView) -> tuple[Line, ...]:
    """Return the lines of a face, from top to bottom."""
    told = words(view)
    return (*told.quiet, *told.loud)


def box(line: Line) -> Box:
    """Return the box around all letters of a line; it must have at least one."""
    numbers = [float(number) for number in _NUMBER.findall(line.matrix)]
    wide, _, _, high, left, top = numbers
    points = list(_points(line.path))
    across = [left + x * wide for x, _ in points]
    down = [top + y * high for _, y in points]
    return Box(min(across), min(down), max(across), max(down))


def _points(path: str) -> Iterator[tuple[float, float]]:
    """Yield the points of a path, and those its curves lean to: no curve leaves their hull."""
    x = y = start_x = start_y = 0.0
    for command, written in _PIECE.findall(path):
        numbers = [float(number) for number in _NUMBER.findall(written)]
        if command == "M":
            x, y = numbers
            continue
        if command == "z":
            x, y = start_x, start_y
            continue
        if command in "hv":
            numbers = [*numbers, 0] if command == "h" else [0, *numbers]
        ends = [(x + dx, y + dy) for dx, dy in zip(numbers[::2], numbers[1::2], strict=True)]
        yield from ends
        x, y = ends[-1]
        if command == "m":
            start_x, start_y = x, y
