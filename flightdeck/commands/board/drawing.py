"""One frame of the board as text for a terminal of a given size.

State is said three times, by colour, glyph and word: the words alone are enough. Colours
are left out where NO_COLOR is set, and reduced to what the terminal has. Only here is
`rich` known. Nothing that comes in may hold a control character: `rows` sees to that.

Source: README.md, "The state table"; https://no-color.org.
"""

from __future__ import annotations

import io
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rich.console import Console, Group  # noqa: TID251 - this module is its door
from rich.table import Table  # noqa: TID251 - the same
from rich.text import Text  # noqa: TID251 - the same

from flightdeck.model.lifecycle import Reason, State

if TYPE_CHECKING:
    from collections.abc import Sequence

    from flightdeck.commands.board.rows import Row

# The colours of the shipped layout: a terminal's reader knows the panel by them.
STYLES = {
    State.BLOCKED: "bold #000000 on #f5a623",
    State.WORKING: "#ffffff on #1256a3",
    State.DONE: "#ffffff on #238636",
    State.IDLE: "#c9ccd1 on #25282d",
    State.FAILED: "bold #ffffff on #b42318",
    State.EMPTY: "dim",
}
_GLYPHS = {
    State.BLOCKED: "\u25b2",
    State.WORKING: "\u25b6",
    State.DONE: "\u2713",
    State.IDLE: "\u00b7",
    State.FAILED: "\u2715",
    State.EMPTY: " ",
}
_ASKS = {Reason.QUESTION: "?", Reason.PLAN: "\u2261"}
_ASCII = str.maketrans(
    {"\u25b2": "^", "\u25b6": ">", "\u2713": "v", "\u00b7": ".", "\u2715": "x", "\u2261": "="}
    | {"\u2026": "~", "\u00d7": "x"}
)
# On a window narrower than this, why and since when give way to who and what waits.
_NARROW = 60
_HELP = "j k move  f focus  s select  a approve  d deny  r remember  x interrupt  q quit"


@dataclass(frozen=True, slots=True)
class Picture:
    """Everything a frame shows; two that are equal look the same.

    `cursor` is the slot keys act on. `note` says what came of the last key, `below` who
    has no slot and which panel runs.
    """

    rows: tuple[Row, ...] = ()
    cursor: int = 0
    brakes: tuple[str, ...] = ()
    below: tuple[str, ...] = ()
    note: str = ""


def draw(picture: Picture, width: int, height: int, encoding: str) -> list[str]:
    """Return the lines of a frame, `height` at most, none wider than `width` cells."""
    console = Console(
        file=io.StringIO(),
        force_terminal=True,
        force_jupyter=False,
        width=width,
        height=height,
        markup=False,
        emoji=False,
        highlight=False,
        legacy_windows=False,
    )
    with console.capture() as captured:
        console.print(Group(*_parts(picture, console)), no_wrap=True, overflow="ellipsis")
    lines = captured.get().splitlines()[:height]
    return lines if _can_show(encoding) else [line.translate(_ASCII) for line in lines]


def _parts(picture: Picture, console: Console) -> list[Text | Table]:
    """Return what stands below each other; what matters least goes first on a low screen."""
    width, height = console.size
    above = [_line(text, "bold #ffffff on #b42318") for text in picture.brakes]
    # What an armed key would do has to be read whole.
    note = list(Text(picture.note, style="bold").wrap(console, width)) or [Text()]
    below = [*(_line(text, "") for text in picture.below), _line(_HELP, "dim")]
    room = height - len(above) - len(note) - len(picture.rows) - 1
    below = below[: max(0, room)]
    least = min(3, len(picture.rows))
    fit = max(least, height - len(above) - len(note) - len(below) - 1)
    rows = _around(picture, fit)
    return [*above, _table(rows, picture.cursor, narrow=width < _NARROW), *note, *below]


def _around(picture: Picture, fit: int) -> Sequence[Row]:
    """Return as many rows as fit, the cursor's among them."""
    at = next((i for i, row in enumerate(picture.rows) if row.slot == picture.cursor), 0)
    first = max(0, min(at - fit // 2, len(picture.rows) - fit))
    return picture.rows[first : first + fit]


def _table(rows: Sequence[Row], cursor: int, *, narrow: bool) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="dim")
    for heading in ("", "", "state", *(() if narrow else ("since",))):
        table.add_column(heading, no_wrap=True)
    for heading in ("who", "waits", ""):
        # A column that may wrap is one that shrinks; its texts are cut and never do.
        table.add_column(heading)
    for row in rows:
        here = row.slot == cursor
        table.add_row(
            _line(">" if here else " ", "bold"),
            _line(str(row.slot), "bold" if here else ""),
            _state(row, "" if narrow else row.why),
            *([] if narrow else [_line(row.since, "")]),
            _line(row.who, "bold" if here else ""),
            _line(row.waits, "bold"),
            _line(row.marks, ""),
        )
    return table


def _state(row: Row, why: str) -> Text:
    asks = _ASKS.get(row.kind) if row.kind and row.state is State.BLOCKED else None
    word = f"{row.state.value} ({why})" if why else row.state.value
    return _line(f" {asks or _GLYPHS[row.state]} {word} ", STYLES[row.state])


def _line(text: str, style: str) -> Text:
    return Text(text, style=style, no_wrap=True, overflow="ellipsis", end="\n")


def _can_show(encoding: str) -> bool:
    try:
        "".join(_GLYPHS.values()).encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return False
    return True
