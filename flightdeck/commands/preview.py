"""Draw the whole deck into a PNG: a layout as it will look, without a deck.

Face templates of your own in ~/.fleet/templates/faces draw it, as they would draw the keys.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from flightdeck.commands.result import Result
from flightdeck.config.layouts import find_layout, load_layout
from flightdeck.config.local import load_local
from flightdeck.config.templates import FACES, load_templates
from flightdeck.config.verbs import load_verbs
from flightdeck.errors import ConfigError, FlightdeckError, Refused, Unavailable
from flightdeck.faces.sheet import draw_deck
from flightdeck.faces.trial import only_check, problems_of
from flightdeck.model.decks import MODELS
from flightdeck.model.display import display
from flightdeck.panel.demo import picture
from flightdeck.store.paths import StateFolder
from flightdeck.store.snapshot import fleet_from_json

if TYPE_CHECKING:
    import argparse

    from flightdeck.commands.result import Say
    from flightdeck.model.deck import DeckModel
    from flightdeck.model.fleet import Fleet
    from flightdeck.model.layout import Layout

EXAMPLES = """examples:
  flightdeck preview --out panel.png
  flightdeck status --json > fleet.json; flightdeck preview --fleet fleet.json --out now.png"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Take the layout, the fleet to show, and the file to write."""
    parser.add_argument("--layout", metavar="NAME|PATH", help="default: xl")
    parser.add_argument("--model", choices=sorted(MODELS), help="default: the layout's own")
    parser.add_argument(
        "--fleet", type=Path, metavar="FILE", help="a snapshot as `status --json` prints it"
    )
    parser.add_argument("--scale", type=int, default=1, choices=(1, 2, 3), help="default: 1")
    parser.add_argument("--out", type=Path, required=True, metavar="FILE.png")


def run(arguments: argparse.Namespace, say: Say) -> Result:
    """Draw it and return where it went.

    Raises:
        ConfigError: the layout has problems, or a face template has.
        Refused: the layout does not fit the model asked for.
        Unavailable: the file cannot be written.
    """
    folder = StateFolder.from_environment()
    path = find_layout(arguments.layout, folder)
    layout = load_layout(path, load_local(folder), load_verbs(folder), folder)
    model = _model(layout, arguments.model)
    views = display(layout, _fleet(arguments.fleet, layout))
    templates = load_templates(FACES, folder.templates / FACES)
    size_px = (model.key.width * arguments.scale, model.key.height * arguments.scale)
    if problems := problems_of(templates, [size_px], set(views.values()), only_check):
        raise ConfigError(problems)
    picture_of_it = draw_deck(views, model, arguments.scale, templates)
    try:
        picture_of_it.save(arguments.out, "PNG")
    except OSError as error:
        raise Unavailable(f"cannot write '{arguments.out}': {error.strerror}") from error
    size = "{} x {}".format(*picture_of_it.size)
    return Result((f"{layout.name} on a {model.title} is in {arguments.out} ({size} px)",))


def _model(layout: Layout, wanted: str | None) -> DeckModel:
    model = MODELS[wanted or layout.device]
    if model.grid != layout.grid:
        have = f"{layout.grid.columns} x {layout.grid.rows}"
        shape = f"{model.grid.columns} x {model.grid.rows}"
        raise Refused(
            f"layout '{layout.name}' is for {have} keys, a {model.title} has {shape}",
            "give a layout made for it with --layout",
        )
    return model


def _fleet(path: Path | None, layout: Layout) -> Fleet:
    if path is None:
        return picture(layout.labels)
    try:
        return fleet_from_json(json.loads(path.read_bytes()))
    except OSError as error:
        raise Unavailable(f"cannot read '{path}': {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        raise FlightdeckError(
            f"'{path}' is no fleet snapshot: {error}", "`flightdeck status --json` prints one"
        ) from error
