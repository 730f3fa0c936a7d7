"""The SLOT argument of several commands: a number as the snapshot has it, from 0."""

from __future__ import annotations

from argparse import ArgumentTypeError
from typing import TYPE_CHECKING

from flightdeck.errors import FlightdeckError
from flightdeck.model.lifecycle import State

if TYPE_CHECKING:
    import argparse

    from flightdeck.model.fleet import Fleet, SlotView


def add_slot(parser: argparse.ArgumentParser, *, optional: bool = False) -> None:
    """Take a slot number; where it is `optional` and missing, None."""
    parser.add_argument(
        "slot",
        type=_number,
        nargs="?" if optional else None,
        metavar="SLOT",
        help="slot number, from 0 at the left",
    )


def _number(word: str) -> int:
    try:
        return int(word)
    except ValueError as error:
        told = f"a slot is a number, not '{word}': `flightdeck status` shows who is where"
        raise ArgumentTypeError(told) from error


def occupied(fleet: Fleet, slot: int) -> SlotView:
    """Return the session in a slot.

    Raises:
        FlightdeckError: there is no such slot, or nobody is in it.
    """
    view = existing(fleet, slot)
    if view.state is State.EMPTY:
        raise FlightdeckError(f"slot {slot} is empty", "`flightdeck status` shows who is where")
    return view


def existing(fleet: Fleet, slot: int) -> SlotView:
    """Return a slot, whoever is in it.

    Raises:
        FlightdeckError: there is no such slot.
    """
    view = next((v for v in fleet.slots if v.slot == slot), None)
    if view is None:
        have = ", ".join(str(v.slot) for v in fleet.slots)
        raise FlightdeckError(f"there is no slot {slot}", f"the layout shows {have}")
    return view
