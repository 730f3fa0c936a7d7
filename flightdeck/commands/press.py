"""Press a key of the running panel, exactly as a thumb does.

Exit codes: 0 it was done, 1 refused, 4 the key is armed and a second press confirms.
"""

from __future__ import annotations

import argparse
import re
from typing import TYPE_CHECKING

from flightdeck.commands.panel_door import ask_panel, told
from flightdeck.model.deck import Position
from flightdeck.store.paths import StateFolder

if TYPE_CHECKING:
    from flightdeck.commands.result import Result, Say

EXAMPLES = """exit codes:
  0 done, 1 refused, 4 armed: press again to confirm

examples:
  flightdeck press 1.3            the third key of the top row
  flightdeck press 1.3 --hold 0.9"""

_LONGEST_HOLD_S = 60.0


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Take the key and how long it is held."""
    parser.add_argument("key", type=_position, metavar="ROW.COLUMN", help="both from 1")
    parser.add_argument("--hold", type=_seconds, default=0.0, metavar="SECONDS")


def run(arguments: argparse.Namespace, say: Say) -> Result:
    """Press it and return what came of it.

    Raises:
        Refused: it does nothing now; the reason and hint.
        Unavailable: no panel runs.
    """
    key: Position = arguments.key
    request = {"do": "press", "row": key.row, "column": key.column, "hold": arguments.hold}
    return told(str(key), ask_panel(StateFolder.from_environment(), request, arguments.hold))


def _position(text: str) -> Position:
    match = re.fullmatch(r"(\d{1,2})\.(\d{1,2})", text)
    if match is None:
        raise argparse.ArgumentTypeError(f"'{text}' is not ROW.COLUMN, such as 1.3")
    return Position(int(match[1]), int(match[2]))


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1.0
    if not 0 <= seconds <= _LONGEST_HOLD_S:
        raise argparse.ArgumentTypeError(f"'{text}' is not 0 to {_LONGEST_HOLD_S:g} seconds")
    return seconds
