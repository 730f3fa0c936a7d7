"""Bring the window of a session forward and select it, as pressing its key does."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flightdeck.commands.result import Result
from flightdeck.commands.selecting import select_session
from flightdeck.commands.slot_argument import add_slot, occupied
from flightdeck.fold.opening import fold_once, open_fold
from flightdeck.hosts.catalogue import Hosts
from flightdeck.store.paths import StateFolder

if TYPE_CHECKING:
    import argparse

    from flightdeck.commands.result import Say

EXAMPLES = """examples:
  flightdeck status            which slot is whose
  flightdeck focus 2"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Take the slot."""
    add_slot(parser)


def run(arguments: argparse.Namespace, say: Say) -> Result:
    """Select and focus it, or raise what stands in the way."""
    folder = StateFolder.from_environment()
    outcome, _ = fold_once(open_fold(folder))
    view = occupied(outcome.fleet, arguments.slot)
    select_session(folder, view.key)
    hosts = Hosts()
    try:
        hosts.focus(view.place)
    finally:
        hosts.close()
    return Result((f"slot {view.slot} is in front ({view.place.kind})",))
