"""Single values of a layout: durations, sizes, colours and counts.

Each function takes the text as written and returns what it means, or raises
`BadValue`; none knows where the text stood.

Source: layouts/README.md, "Values".
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from flightdeck.model.contrast import contrast

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

LIGHT_INK = "#ffffff"
DARK_INK = "#000000"

# Patterns an editor is given too: what Python and ECMAScript read alike.
COLOUR = "#[0-9A-Fa-f]{6}"
WHOLE = "[0-9]{1,9}"
WORD = "[a-z0-9]+(?:-[a-z0-9]+)*"
AMOUNT = "[0-9]{1,9}(?:[.][0-9]{1,3})?"
FLAGS = ("yes", "no")
SECONDS_AND_MS = {"ms": 1, "s": 1000}
BYTES = {"kB": 1_000, "MB": 1_000_000}

_COLOUR = re.compile(COLOUR)
_NUMBER_AND_UNIT = re.compile(f"({AMOUNT}) ?([A-Za-z]*)")
_WHOLE = re.compile(WHOLE)


class BadValue(ValueError):
    """A value that means nothing here; `hint` shows one that would."""

    def __init__(self, message: str, hint: str) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


def colour(text: str) -> str:
    """Return a colour as `#rrggbb`, lower case."""
    if not _COLOUR.fullmatch(text):
        raise BadValue(f"'{text[:20]}' is not a colour", "write six digits in quotes: '#F5A623'")
    return text.lower()


def duration(name: str, least_ms: int, most_ms: int) -> Callable[[str], int]:
    """Return a parser of durations (`800 ms`, `3 s`) between two bounds, in milliseconds."""
    return _measure(name, SECONDS_AND_MS, (least_ms, most_ms), f"{least_ms} ms")


def size(name: str, least: int, most: int) -> Callable[[str], int]:
    """Return a parser of sizes (`500 kB`, `1 MB`) between two bounds, in bytes."""
    return _measure(name, BYTES, (least, most), "1 MB")


def count(name: str, unit: str, least: int, most: int) -> Callable[[str], int]:
    """Return a parser of whole numbers with a unit word (`11 characters`)."""
    return _measure(name, {unit: 1}, (least, most), f"{least} {unit}")


def measured_in(units: Iterable[str]) -> str:
    """Return the pattern of a number with one of these units."""
    return f"{AMOUNT} ?(?:{'|'.join(units)})"


def whole(text: str) -> int | None:
    """Return a whole number without sign, or None."""
    return int(text) if _WHOLE.fullmatch(text) else None


def flag(text: str) -> bool:
    """Return what `yes` or `no` says."""
    if text not in FLAGS:
        raise BadValue(f"'{text[:20]}' is neither yes nor no", "write `yes` or `no`")
    return text == "yes"


def readable_ink(ground: str) -> str:
    """Return the light or the dark ink, whichever reads better on `ground`."""
    return max((LIGHT_INK, DARK_INK), key=lambda ink: contrast(ink, ground))


def _measure(
    name: str, units: dict[str, int], bounds: tuple[int, int], example: str
) -> Callable[[str], int]:
    def parse(text: str) -> int:
        written = _NUMBER_AND_UNIT.fullmatch(text)
        if written is None:
            raise BadValue(f"'{name}' is no number with a unit", f"write it like `{example}`")
        number, unit = written.groups()
        if unit not in units:
            told = f"has the unit '{unit}'" if unit else "has no unit"
            raise BadValue(f"'{name}' {told}", f"write `{_with_unit(number, bounds, units)}`")
        value = round(float(number) * units[unit])
        if not bounds[0] <= value <= bounds[1]:
            raise BadValue(f"'{name}' of {text} is out of range", _range(bounds, units))
        return value

    return parse


def _with_unit(number: str, bounds: tuple[int, int], units: dict[str, int]) -> str:
    """Return the number with the unit that makes sense of it, else the least value."""
    for unit, factor in units.items():
        if bounds[0] <= float(number) * factor <= bounds[1]:
            return f"{number} {unit}"
    return _written(bounds[0], units)


def _range(bounds: tuple[int, int], units: dict[str, int]) -> str:
    return f"from {_written(bounds[0], units)} to {_written(bounds[1], units)}"


def _written(value: int, units: dict[str, int]) -> str:
    unit, factor = max(
        ((u, f) for u, f in units.items() if value % f == 0 and value >= f), key=lambda uf: uf[1]
    )
    return f"{value // factor} {unit}"
