"""List the face and hook templates there are, show one, or say where its file is.

A template of yours in ~/.fleet/templates/faces or ~/.fleet/templates/hooks wins over the
shipped one of its name. templates/README.md says what a template is given.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from flightdeck import shipped
from flightdeck.commands.result import Result, Say
from flightdeck.config.reader import choices, quoted
from flightdeck.config.templates import SUFFIXES, template_files
from flightdeck.config.text import decoded, plain, shown
from flightdeck.errors import FlightdeckError
from flightdeck.store.paths import StateFolder

if TYPE_CHECKING:
    import argparse
    from pathlib import Path

EXAMPLES = """\
examples:
  flightdeck templates list
  flightdeck templates show faces/key.svg.j2
  mkdir -p ~/.fleet/templates/faces
  cp "$(flightdeck templates path faces/key.svg.j2)" ~/.fleet/templates/faces/   and edit the copy
  flightdeck preview --out panel.png                                             and look at it
"""

SCHEMA = "flightdeck.templates/1"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the three things that can be asked for."""
    asked = parser.add_subparsers(dest="asked", required=True, metavar="list|show|path")
    listing = asked.add_parser("list", help="their names, and whose each of them is")
    listing.add_argument("--json", action="store_true", help=f"one object, {SCHEMA}")
    for word, what in {"show": "its text", "path": "the file it is in"}.items():
        asked.add_parser(word, help=what).add_argument("name", metavar="TEMPLATE")


def run(arguments: argparse.Namespace, say: Say) -> Result:
    """Answer what was asked.

    Raises:
        FlightdeckError: there is no template of that name.
        ConfigError: its file cannot be read.
    """
    folder = StateFolder.from_environment()
    found = known_templates(folder)
    if arguments.asked == "list":
        return _listed(found, folder, as_json=arguments.json)
    if arguments.name not in found:
        raise FlightdeckError(
            f"unknown template {quoted(arguments.name)}", choices(arguments.name, found)
        )
    path = found[arguments.name]
    if arguments.asked == "path":
        return Result((str(path),))
    return Result((plain(decoded(path, shown(path))).rstrip("\n"),))


def known_templates(folder: StateFolder) -> dict[str, Path]:
    """Return the file of each template by its name, the user's own before the shipped one."""
    places = (shipped.folder("templates"), folder.templates)
    return {
        f"{kind}/{path.name}": path
        for place in places
        for kind in SUFFIXES
        for path in template_files(place / kind, kind)
    }


def _listed(found: dict[str, Path], folder: StateFolder, *, as_json: bool) -> Result:
    rows = [
        {
            "name": name,
            "from": "yours" if path.parent.parent == folder.templates else "shipped",
            "path": str(path),
        }
        for name, path in sorted(found.items())
    ]
    if as_json:
        return Result(data={"schema": SCHEMA, "templates": rows})
    width = max(len(row["name"]) for row in rows)
    return Result(tuple(f"{row['name']:<{width}}  {row['from']}" for row in rows))
