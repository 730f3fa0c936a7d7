"""Show a scripted fleet on a virtual deck: no agent, no deck, nothing installed.

Press an amber key and that session goes on, or answer it with the keys of the verdict
row; a verb goes to the session that is selected. It ends with ^C.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from flightdeck.commands.panel_arguments import (
    add_deck_arguments,
    ended_by_signals,
    where_it_is,
)
from flightdeck.commands.result import Result
from flightdeck.config.layouts import find_layout, load_layout
from flightdeck.config.verbs import load_verbs
from flightdeck.decks.catalogue import make_deck
from flightdeck.errors import FlightdeckError, Refused
from flightdeck.faces.cache import Faces
from flightdeck.hosts.app import open_target
from flightdeck.model.decks import MODELS
from flightdeck.model.layout import UrlTarget
from flightdeck.model.local import Local
from flightdeck.panel.demo import DemoFleet
from flightdeck.panel.loop import Panel
from flightdeck.panel.perform import BrakeWorld, VerbWorld, World
from flightdeck.store.paths import StateFolder
from flightdeck.system.run import run as run_program
from flightdeck.system.run import start

if TYPE_CHECKING:
    import argparse

    from flightdeck.commands.result import Say
    from flightdeck.ports import Deck

EXAMPLES = """examples:
  flightdeck demo                                     in a browser tab
  flightdeck demo --layout mine                       a layout of yours, by name or path
  flightdeck demo --deck recorder --seconds 5 --record /tmp/frames"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Take the deck and the layout, and whether to open a browser."""
    add_deck_arguments(parser, "browser")
    parser.add_argument("--layout", metavar="NAME|PATH", help="default: xl")
    parser.add_argument("--no-open", action="store_true", help="do not open the browser tab")


def run(arguments: argparse.Namespace, say: Say) -> Result:
    """Run the script until a signal, or for --seconds.

    Raises:
        FlightdeckError: no layout has that name.
        ConfigError: the layout has problems.
        Unavailable: the deck is not there, or has gone.
    """
    folder = StateFolder.from_environment()
    path = find_layout(arguments.layout, folder)
    layout = load_layout(path, Local(), load_verbs(folder), folder)
    deck = make_deck(
        arguments.deck, MODELS[layout.device], record=arguments.record, port=arguments.port
    )
    fleet = DemoFleet(layout.labels)
    brakes = BrakeWorld(fleet.halt, fleet.lift, gate=fleet.gate)
    world = World(
        fleet.press,
        _nothing_here,
        _nothing_here,
        fleet.answer,
        fleet.select,
        brakes,
        fleet.tear_down,
        VerbWorld(fleet.stage, fleet.unstage),
    )
    panel = Panel(layout, deck, fleet, world, Faces(deck.model.key).native)
    panel.on_open = lambda: _opened(deck, arguments, say)
    with ended_by_signals(panel):
        panel.run(arguments.seconds)
    return Result(("the demo has ended",))


def _nothing_here(what: object) -> None:
    raise Refused("only a demo")


def _opened(deck: Deck, arguments: argparse.Namespace, say: Say) -> None:
    say(where_it_is(deck, arguments.deck))
    if arguments.no_open or not deck.where.startswith("http"):
        return
    if sys.stdout is None or not sys.stdout.isatty():
        return
    try:
        open_target(UrlTarget(deck.where), run_program, start, sys.platform)
    except FlightdeckError:
        say("open that address in a browser")
