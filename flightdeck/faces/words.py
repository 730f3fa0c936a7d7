"""Where the text of a face goes: labels, the lines of a confirmation, the word of a flash.

Knows no colour and no pixel: a key is 96 x 96 units, and a line of text is outlines.

Source: README.md, "The visual language"; templates/README.md, the contract with
face authors.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from flightdeck.faces import text

if TYPE_CHECKING:
    from flightdeck.model.keyview import KeyView

# Type sizes at which capitals (top) and small letters (bottom) are a whole number of
# pixels high on a 96 px key, so that their edges are sharp.
_TOP_SIZES = (13.72, 12.35, text.FLOOR)
_BOTTOM_SIZES = (18.28, 16.45, 14.62, 12.8, text.FLOOR)
_WIDE_SIZES = (18.28, 16.45, 14.62, 13.72, 12.35, text.FLOOR)
_MIDDLE = 48.0
# Less within the border of a selected key; more on keys that stand for no session.
_ROOM, _BORDERED_ROOM, _WIDE_ROOM = 80.0, 76.0, 86.0

# How far letters of size 1 reach above their baseline, capitals and all others, and below it.
_CAPITAL, _ABOVE, _BELOW = 0.73, 0.8, 0.24

# Lines that must be read to the letter: squeezed into a sixteenth of the room each, letters
# can still be told apart. What REMEMBER would write has no more than 13 on a line.
_MOST_LINES, _MOST_LETTERS = 5, 16
_LOWEST = 91.0
_HIGHEST, _UNDER_COUNT = 5.0, 24.0
_WIDEST_LEADING = 20.0
# How far down a glyph reaches where its author put it, and above more lines than two.
GLYPH_TO = 53.0
_GLYPH_TO = {3: 39.0, 4: 27.0, 5: 22.0}
_GLYPH_TO_PAIR = 50.0

# A flash is large on one line, else it takes two; up to so many letters it is whole.
_FLASH_ALONE, _FLASH_PAIR = 14.62, _WIDE_SIZES[2:]
_FLASH_LETTERS = 18


@dataclass(frozen=True, slots=True)
class Band:
    """The band a flash is written on, from edge to edge."""

    top: float
    height: float


# For a flash on one line, and on two.
_UNDER_GLYPH = Band(62, 26), Band(54, 37)
_IN_MIDDLE = Band(35, 26), Band(29, 37)


@dataclass(frozen=True, slots=True)
class Words:
    """The lines of a face, the quiet ones and the others; `band` is behind a flash."""

    quiet: tuple[text.Line, ...] = ()
    loud: tuple[text.Line, ...] = ()
    band: Band | None = None


def words(view: KeyView) -> Words:
    """Return the lines of a face, under the glyph or, where there is none, in its middle.

    Raises:
        ValueError: there are more `lines`, or longer ones, than can be shown whole.
    """
    if view.flash:
        return _flash(view, _flashing(view))
    if view.lines:
        return _whole(view)
    return _labels(view)


def crowned(view: KeyView) -> bool:
    """Say whether something stands above the text: a glyph, else the sign of the queue."""
    return view.glyph is not None or view.queued


def glyph_to(view: KeyView) -> float:
    """Return how far down the glyph of a face may reach; less where text needs its room."""
    if view.flash:
        return GLYPH_TO if len(_flashing(view)) == 1 else _GLYPH_TO_PAIR
    return _GLYPH_TO.get(len(view.lines), GLYPH_TO)


def _labels(view: KeyView) -> Words:
    under_glyph, room = crowned(view), _room(view)
    sizes = _WIDE_SIZES if room == _WIDE_ROOM else _BOTTOM_SIZES
    top, bottom = view.top.upper(), view.bottom
    if top and bottom:
        under = text.fit(bottom, sizes, room, _MIDDLE, 85 if under_glyph else 64)
        smaller = tuple(size for size in _TOP_SIZES if size <= under.size)
        return Words((text.fit(top, smaller, room, _MIDDLE, 67 if under_glyph else 43),), (under,))
    alone = 82 if under_glyph else 55
    return Words(
        (text.fit(top, _TOP_SIZES, room, _MIDDLE, alone - 1),) if top else (),
        (text.fit(bottom, sizes, room, _MIDDLE, alone),) if bottom else (),
    )


def _room(view: KeyView) -> float:
    if view.selected:
        return _BORDERED_ROOM
    return _ROOM if view.glyph else _WIDE_ROOM


def _whole(view: KeyView) -> Words:
    if len(view.lines) > _MOST_LINES or max(map(len, view.lines)) > _MOST_LETTERS:
        raise ValueError("lines that cannot be shown whole")
    lines = tuple(text.exact(line) for line in view.lines)
    highest, room = _highest(view), _BORDERED_ROOM if view.selected else _WIDE_ROOM
    leading = _leading(len(lines), highest)
    sizes = _sizes(lines, leading, room)
    tall = _CAPITAL * sizes[0] + leading * (len(lines) - 1)
    first = (highest + _LOWEST - _BELOW * sizes[-1] - tall) / 2 + _CAPITAL * sizes[0]
    drawn = tuple(
        text.whole(line, size, room, _MIDDLE, round(first + leading * index))
        for index, (line, size) in enumerate(zip(lines, sizes, strict=True))
    )
    return Words(drawn[:-1][:1], drawn[1:] or drawn)


def _highest(view: KeyView) -> float:
    """Return how high up on a face the first of its lines may reach."""
    if crowned(view):
        return glyph_to(view) + 4
    return _UNDER_COUNT if view.count > 0 else _HIGHEST


def _leading(lines: int, highest: float) -> float:
    """Return how far apart the baselines of so many lines are: whole pixels, for sharp edges."""
    room = _LOWEST - highest - (_CAPITAL + _BELOW) * _TOP_SIZES[1]
    return min(_WIDEST_LEADING, float(int(room / max(1, lines - 1))))


def _sizes(lines: tuple[str, ...], leading: float, room: float) -> tuple[float, ...]:
    """Return the type size of each line; those between the first and the last share one."""

    def sized(line: str, sizes: tuple[float, ...]) -> float:
        low = tuple(size for size in sizes if size * (_ABOVE + _BELOW) <= leading)
        return text.largest(line, low, room)

    first, between, last = lines[:-1][:1], lines[1:-1], lines[-1]
    shared = min((sized(line, _WIDE_SIZES) for line in between), default=text.FLOOR)
    return (
        *(sized(line, _TOP_SIZES) for line in first),
        *(shared for _ in between),
        sized(last, _WIDE_SIZES),
    )


def _flashing(view: KeyView) -> tuple[str, ...]:
    """Return a flash on one line if it is short or cannot be broken, else as two even ones."""
    word, room = text.readable(view.flash.upper()), _room(view)
    blanks = [index for index, letter in enumerate(word) if letter == " "]
    if not blanks or text.fits(word, _FLASH_ALONE, room):
        return (word,)
    halves = ((word[:at], word[at + 1 :]) for at in blanks)
    return min(halves, key=lambda pair: max(map(text.width, pair)))


def _flash(view: KeyView, parts: tuple[str, ...]) -> Words:
    pair, room = len(parts) == 2, _room(view)
    sizes = _FLASH_PAIR if pair else _WIDE_SIZES
    size = min(text.largest(part, sizes, room) for part in parts)
    band = _UNDER_GLYPH[pair] if crowned(view) else _IN_MIDDLE[pair]
    first = band.top + (16 if pair else 20)
    drawn = (_flashed(part, size, room, first + 15 * row) for row, part in enumerate(parts))
    return Words(loud=tuple(drawn), band=band)


def _flashed(part: str, size: float, room: float, baseline: float) -> text.Line:
    if len(part) > _FLASH_LETTERS:
        return text.fit(part, (size,), room, _MIDDLE, baseline)
    return text.whole(part, size, room, _MIDDLE, baseline)
