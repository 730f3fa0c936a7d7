"""Acknowledge a teardown that was refused: its red key goes back, or dark if its agent has ended.

`flightdeck explain SLOT` says what refused it. A press of the key does the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from flightdeck.commands.result import Result
from flightdeck.commands.slot_argument import add_slot, occupied
from flightdeck.errors import Refused
from flightdeck.fold.opening import fold_once, open_fold
from flightdeck.panel import claims
from flightdeck.store.paths import StateFolder

if TYPE_CHECKING:
    import argparse

    from flightdeck.commands.result import Say

EXAMPLES = """examples:
  flightdeck explain 3
  flightdeck fail --clear 3"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Take the slot, and --clear, so that nothing is cleared by the bare name."""
    parser.add_argument(
        "--clear", action="store_true", required=True, help="take the refusal off the key"
    )
    add_slot(parser)


def run(arguments: argparse.Namespace, say: Say) -> Result:
    """Clear it.

    Raises:
        FlightdeckError: nobody is in the slot.
        Refused: no teardown of it was refused.
        Unavailable: the state folder cannot be written.
    """
    fold = open_fold(StateFolder.from_environment())
    view = occupied(fold_once(fold)[0].fleet, arguments.slot)
    if not view.refusal:
        raise Refused(
            f"no teardown of slot {view.slot} was refused",
            f"`flightdeck explain {view.slot}` says why its key shows what it shows",
        )
    fold_once(fold, claims.acknowledged(view.key))
    left = "its agent had ended, the slot is free" if view.ended else "its agent runs on"
    return Result((f"slot {view.slot} is cleared: {left}",))
