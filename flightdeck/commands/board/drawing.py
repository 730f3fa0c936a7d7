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
from rich.text import Text  # noqa: TID251 - the same

from flightdeck.commands.board.choosing import Deed
from flightdeck.commands.board.columns import shares
from flightdeck.model.lifecycle import Reason, State

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from flightdeck.commands.board.choosing import Menu
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
# On a window narrower than this, why and since when give way to who and what waits; on one
# that is not wide, what waits and what else is to be known share a column.
_NARROW, _WIDE = 60, 100
# What a low screen shows none of is told by `?`.
HELP = (
    *("j k move", "a approve", "d deny", "r remember", "x interrupt", "t steer"),
    *("v verb", "s select", "f focus", "H halt", "? keys", "q quit"),
)
_MENU_HELP = ("type a name", "up down", "Enter takes it", "Esc leaves")
_ASK = {Deed.SEND: "send which verb to slot", Deed.STEER: "deny with which steer, slot"}


@dataclass(frozen=True, slots=True)
class Picture:
    """Everything a frame shows; two that are equal look the same.

    `cursor` is the slot keys act on. `note` says what came of the last key, `below` what is
    wrong with the panel's files, who has no slot and which panel runs. While there is a
    `menu` it takes the keys.
    """

    rows: tuple[Row, ...] = ()
    cursor: int = 0
    brakes: tuple[str, ...] = ()
    below: tuple[str, ...] = ()
    note: str = ""
    menu: Menu | None = None


def draw(picture: Picture, width: int, height: int, *, shapes: bool = True) -> list[str]:
    """Return the lines of a frame, `height` at most, none wider than `width` cells.

    Without `shapes` the glyphs are characters every terminal has.
    """
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
    return lines if shapes else [line.translate(_ASCII) for line in lines]


def _parts(picture: Picture, console: Console) -> list[Text]:
    """Return what stands below each other; what matters least goes first on a low screen."""
    width, height = console.size
    above = [_line(text, "bold #ffffff on #b42318") for text in picture.brakes]
    # What an armed key would do has to be read whole.
    note = list(Text(picture.note, style="bold").wrap(console, width))
    if not picture.note:
        room = max(1, height - len(above) - len(picture.rows) - 1)
        note = list(_whole(picture, width).wrap(console, width))[:room]
    if picture.menu:
        menu = _menu(picture.menu, width, height - len(above) - len(note) - 2)
        return [*above, *_table(_around(picture, 1), picture.cursor, width), *menu, *note]
    below = [_line(text, "") for text in picture.below]
    below += [_line(text, "dim") for text in _filled(HELP, width)]
    room = height - len(above) - len(note) - len(picture.rows) - 1
    below = below[: max(0, room)]
    least = min(3, len(picture.rows))
    fit = max(least, height - len(above) - len(note) - len(below) - 1)
    return [*above, *_table(_around(picture, fit), picture.cursor, width), *note, *below]


def _around(picture: Picture, fit: int) -> Sequence[Row]:
    """Return as many rows as fit, the cursor's among them."""
    at = next((i for i, row in enumerate(picture.rows) if row.slot == picture.cursor), 0)
    first, last = _window(at, len(picture.rows), fit)
    return picture.rows[first:last]


def _window(at: int, number: int, fit: int) -> tuple[int, int]:
    """Return from where to where `fit` of so many are shown, the one at `at` among them."""
    first = max(0, min(at - fit // 2, number - fit))
    return first, first + fit


def _menu(menu: Menu, width: int, height: int) -> list[Text]:
    """Return what can be chosen, the one Enter takes among them."""
    fitting = menu.fitting
    first, last = _window(menu.at, len(fitting), max(1, height - 2))
    title = f"{_ASK[menu.deed]} {menu.row.slot}? {menu.typed}_"
    lines = [_line(title, "bold")]
    for at, choice in enumerate(fitting[first:last], first):
        about = f"  ({choice.about})" if choice.about else ""
        here = at == menu.at
        lines.append(_line(f"{'>' if here else ' '} {choice.name}{about}", "bold" if here else ""))
    return [*lines, *(_line(text, "dim") for text in _filled(_MENU_HELP, width))][: max(2, height)]


def _filled(words: Iterable[str], width: int) -> Iterator[str]:
    """Return lines with as many of these in each as have room."""
    line = ""
    for word in words:
        longer = f"{line}  {word}" if line else word
        if line and len(longer) > width:
            yield line
            longer = word
        line = longer
    yield line


def _table(rows: Sequence[Row], cursor: int, width: int) -> list[Text]:
    """Return a heading and a line for each row, its columns as wide as there is room for."""
    narrow = width < _NARROW
    heading = ["   ", "state", "since", "who", "waits", ""]
    told = [[_line(text, "dim") for text in heading], *(_cells(r, cursor, width) for r in rows)]
    for cells in told if width < _WIDE else []:
        cells[4:] = [Text(", ").join([cell for cell in cells[4:] if cell])]
    for cells in told if narrow else []:
        del cells[2]
    fixed = 2 if narrow else 3
    wanted = [max(cell.cell_len for cell in column) for column in zip(*told, strict=True)]
    gap = 1 if narrow else 2
    room = width - gap * (len(wanted) - 1)
    given = shares(wanted[:fixed], room)
    given += shares(wanted[fixed:], room - sum(given))
    return [_joined(cells, given, gap) for cells in told]


def _whole(picture: Picture, width: int) -> Text:
    """Return what has no room in the row of the cursor, if it has none."""
    row = next((row for row in picture.rows if row.slot == picture.cursor), None)
    if row is None or sum(cell.cell_len + 2 for cell in _cells(row, -1, width)) <= width:
        return Text()
    return Text("; ".join(part for part in (row.who, row.waits, row.marks) if part))


def _cells(row: Row, cursor: int, width: int) -> list[Text]:
    here = row.slot == cursor
    return [
        _line(f"{'>' if here else ' '}{row.slot:>2}", "bold" if here else ""),
        _state(row, width),
        _line(row.since, ""),
        _line(row.who, "bold" if here else ""),
        _line(row.waits, "bold"),
        _line(row.marks, ""),
    ]


def _joined(cells: Sequence[Text], widths: Sequence[int], gap: int) -> Text:
    for cell, width in zip(cells, widths, strict=True):
        cell.truncate(width, overflow="ellipsis", pad=True)
    line = Text(" " * gap, no_wrap=True, end="\n").join(cells)
    line.rstrip()
    return line


def _state(row: Row, width: int) -> Text:
    # What waits says of itself that it asks for permission.
    told = width >= _WIDE or (width >= _NARROW and row.kind is not Reason.PERMISSION)
    why = row.why if told else ""
    asks = _ASKS.get(row.kind) if row.kind and row.state is State.BLOCKED else None
    word = f"{row.state.value} ({why})" if why else row.state.value
    return _line(f" {asks or _GLYPHS[row.state]} {word} ", STYLES[row.state])


def _line(text: str, style: str) -> Text:
    return Text(text, style=style, no_wrap=True, overflow="ellipsis", end="\n")
