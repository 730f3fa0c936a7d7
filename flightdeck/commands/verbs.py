"""List the verbs there are, show the text of one as it is sent, or say where its file is.

A verb of yours in ~/.fleet/verbs wins over the shipped one of its name. What is shown of a
prompt is all of it, the rules that come before its own text included.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from flightdeck.commands.result import Result, Say
from flightdeck.config.reader import choices, quoted
from flightdeck.config.text import shown
from flightdeck.config.verbs import Verbs, load_verbs
from flightdeck.errors import ConfigError, FlightdeckError
from flightdeck.store.paths import StateFolder

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator
    from pathlib import Path

EXAMPLES = """\
examples:
  flightdeck verbs list
  flightdeck verbs show justify
  mkdir -p ~/.fleet/verbs
  cp "$(flightdeck verbs path justify)" ~/.fleet/verbs/   and edit the copy
"""

SCHEMA = "flightdeck.verbs/1"

Row = dict[str, str | bool | None]

_COLUMNS = ("name", "kind", "label", "confirm", "from")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the three things that can be asked for."""
    asked = parser.add_subparsers(dest="asked", required=True, metavar="list|show|path")
    listing = asked.add_parser(
        "list", help="name, kind, label, whether it asks for a second press, and whose"
    )
    listing.add_argument("--json", action="store_true", help=f"one object, {SCHEMA}")
    for word, what in {"show": "the text as it is sent", "path": "the file it is in"}.items():
        asked.add_parser(word, help=what).add_argument("name", metavar="VERB")


def run(arguments: argparse.Namespace, say: Say) -> Result:
    """Answer what was asked.

    Raises:
        FlightdeckError: there is no verb of that name.
        ConfigError: its file has problems, so it has no text.
    """
    folder = StateFolder.from_environment()
    verbs = load_verbs(folder)
    if arguments.asked == "list":
        return _listed(verbs, folder, as_json=arguments.json)
    _known(arguments.name, verbs)
    if arguments.asked == "path":
        return Result((str(verbs.paths[arguments.name]),))
    if arguments.name in verbs.problems:
        raise ConfigError(verbs.problems[arguments.name])
    return Result((verbs.usable[arguments.name].text,))


def _listed(verbs: Verbs, folder: StateFolder, *, as_json: bool) -> Result:
    rows = [_row(name, path, verbs, folder) for name, path in verbs.paths.items()]
    notes = tuple(
        f"{shown(verbs.paths[name])} cannot be used: `flightdeck validate` says why"
        for name in verbs.problems
    )
    if as_json:
        return Result(data={"schema": SCHEMA, "verbs": rows}, notes=notes)
    return Result(tuple(_table([_COLUMNS, *(_cells(row) for row in rows)])), notes=notes)


def _cells(row: Row) -> tuple[str, ...]:
    return tuple("yes" if row[name] is True else str(row[name] or "-") for name in _COLUMNS)


def _table(rows: list[tuple[str, ...]]) -> Iterator[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        yield "  ".join(cell.ljust(w) for cell, w in zip(row, widths, strict=True)).rstrip()


def _row(name: str, path: Path, verbs: Verbs, folder: StateFolder) -> Row:
    verb = verbs.usable.get(name)
    return {
        "name": name,
        "kind": verb.kind.value if verb else None,
        "label": verb.label if verb else None,
        "confirm": verb.confirm if verb else None,
        "from": "yours" if path.parent == folder.verbs else "shipped",
        "path": str(path),
    }


def _known(name: str, verbs: Verbs) -> None:
    if name.startswith("_"):
        told = f"{quoted(name)} is a fragment of verbs, not a verb"
        raise FlightdeckError(told, choices(name, verbs.paths))
    if name not in verbs.paths:
        raise FlightdeckError(f"unknown verb {quoted(name)}", choices(name, verbs.paths))
