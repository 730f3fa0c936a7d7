"""Look at layouts and start one: what is in force, written where, and a schema for editors.

`show` prints a layout with everything it stands on as one file, each value with where it was
written; it loads again to the same panel. The pins of local.yaml are not in it. `new` prints the
smallest layout that works on a deck, or writes it with the schema beside it. `list` names the
layouts there are. `schema` is `flightdeck schema layout`.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from flightdeck.commands.layout_files import new_layout
from flightdeck.commands.result import Result, Say
from flightdeck.commands.schema_files import schema_for_editors
from flightdeck.config.compiling import compile_layout
from flightdeck.config.layouts import find_layout, known_layouts, resolve_layout
from flightdeck.config.merging import EXTENDS
from flightdeck.config.rendering import in_order, origins_of, render_yaml, to_plain
from flightdeck.config.schema import LAYOUT
from flightdeck.config.text import shown
from flightdeck.config.verbs import load_verbs
from flightdeck.errors import ConfigError
from flightdeck.model.decks import MODELS
from flightdeck.store.paths import StateFolder

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

EXAMPLES = """\
examples:
  flightdeck layout show                       the panel in force, each value with its file:line
  flightdeck layout show desk.yaml --no-origin > whole.yaml
  flightdeck layout new --out ~/.fleet/layouts/xl.yaml    your own panel, laid over the shipped one
  flightdeck layout new --model stream-deck-mini --out mini.yaml
  flightdeck layout list
  flightdeck layout schema --out layout.schema.json       for the editor, see layouts/README.md
"""

_SHOW, _LIST = "flightdeck.layout-show/1", "flightdeck.layout-list/1"
_COLUMNS = ("name", "device", "extends", "from")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the four things that can be asked for."""
    asked = parser.add_subparsers(dest="asked", required=True, metavar="show|new|list|schema")
    show = asked.add_parser("show", help="a layout with all it stands on, as one file")
    show.add_argument("layout", nargs="?", metavar="NAME|PATH", help="default: xl")
    show.add_argument("--no-origin", action="store_true", help="without where it was written")
    show.add_argument("--json", action="store_true", help=f"one object, {_SHOW}")
    new = asked.add_parser("new", help="the smallest layout that works, with what to try")
    new.add_argument("--model", choices=sorted(MODELS), help="default: that of --from")
    new.add_argument("--from", dest="parent", metavar="NAME|PATH", help="default: xl if it fits")
    new.add_argument("--out", type=Path, metavar="FILE", help="write it, and the schema beside it")
    listing = asked.add_parser("list", help="name, deck, what it stands on, and whose")
    listing.add_argument("--json", action="store_true", help=f"one object, {_LIST}")
    schema = asked.add_parser("schema", help="`flightdeck schema layout`, for editors")
    schema.add_argument("--out", type=Path, metavar="FILE", help="write it there")


def run(arguments: argparse.Namespace, say: Say) -> Result:
    """Answer what was asked.

    Raises:
        ConfigError: the layout has problems.
        FlightdeckError: no layout has that name.
        Refused: a file is there already, or the layout does not fit the deck.
        Unavailable: the file cannot be written.
    """
    folder = StateFolder.from_environment()
    match arguments.asked:
        case "show":
            path = find_layout(arguments.layout, folder)
            return _shown(path, folder, origins=not arguments.no_origin, as_json=arguments.json)
        case "new":
            return new_layout(arguments, folder)
        case "list":
            return _listed(folder, as_json=arguments.json)
        case _:
            return schema_for_editors(LAYOUT, arguments.out)


def _shown(path: Path, folder: StateFolder, *, origins: bool, as_json: bool) -> Result:
    document = resolve_layout(path, folder)
    layout = compile_layout(path.stem, document, load_verbs(folder))
    if not as_json:
        return Result(tuple(render_yaml(document, origins=origins)))
    data: dict[str, object] = {
        "schema": _SHOW,
        "name": layout.name,
        "files": [document.file, *(parent.file for parent in document.parents)],
        "layout": to_plain(in_order(document)),
    }
    return Result(data={**data, "origins": origins_of(document)} if origins else data)


def _listed(folder: StateFolder, *, as_json: bool) -> Result:
    rows = [_row(name, path, folder) for name, path in known_layouts(folder).items()]
    notes = tuple(
        f"{shown(Path(str(row['path'])))} cannot be used: `flightdeck validate` says why"
        for row in rows
        if row["device"] is None
    )
    if as_json:
        return Result(data={"schema": _LIST, "layouts": rows}, notes=notes)
    return Result(tuple(_table([_COLUMNS, *(_cells(row) for row in rows)])), notes=notes)


def _row(name: str, path: Path, folder: StateFolder) -> dict[str, str | None]:
    whose = "yours" if path.parent == folder.root / "layouts" else "shipped"
    row = {"name": name, "device": None, "extends": None, "from": whose, "path": str(path)}
    try:
        document = resolve_layout(path, folder)
        device = compile_layout(name, document, load_verbs(folder)).device
    except ConfigError:
        return row
    named = to_plain(document.root) if document.root else {}
    extends = named.get(EXTENDS) if isinstance(named, dict) else None
    return {**row, "device": device, "extends": str(extends) if extends else None}


def _cells(row: dict[str, str | None]) -> tuple[str, ...]:
    return tuple(row[column] or "-" for column in _COLUMNS)


def _table(rows: list[tuple[str, ...]]) -> Iterator[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        yield "  ".join(cell.ljust(w) for cell, w in zip(row, widths, strict=True)).rstrip()
