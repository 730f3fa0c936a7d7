"""Make the session of a slot the selected one: rows 2 and 3 act on it first.

It works without a running panel too. A session that comes to the slot meanwhile is never
selected in the place of the one that was there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from flightdeck.commands.result import Result
from flightdeck.commands.selecting import select_shown
from flightdeck.commands.slot_argument import add_slot, occupied
from flightdeck.fold.opening import fold_once, open_fold
from flightdeck.store.paths import StateFolder

if TYPE_CHECKING:
    import argparse

    from flightdeck.commands.result import Say

EXAMPLES = """examples:
  flightdeck select 2
  flightdeck send test         goes to that session"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Take the slot."""
    add_slot(parser)


def run(arguments: argparse.Namespace, say: Say) -> Result:
    """Select it.

    Raises:
        FlightdeckError: nobody is in that slot.
        Refused: another session has come to it meanwhile.
        Unavailable: the state folder cannot be written.
    """
    folder = StateFolder.from_environment()
    fold = open_fold(folder)
    outcome, panel = fold_once(fold)
    view = occupied(outcome.fleet, arguments.slot)
    select_shown(folder, view.slot, view.key)
    if not panel["running"]:
        fold_once(fold)  # the snapshot says so too
    return Result((f"slot {view.slot} is selected",))
