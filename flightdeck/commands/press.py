"""Press a key of the running panel, exactly as a thumb does."""

from __future__ import annotations

import argparse
import re
from typing import TYPE_CHECKING

from flightdeck.commands.result import Exit, Result
from flightdeck.errors import Unavailable
from flightdeck.model.deck import Position
from flightdeck.panel.control import ask
from flightdeck.store.instance import running_panel
from flightdeck.store.paths import StateFolder

if TYPE_CHECKING:
    from flightdeck.commands.result import Say

EXAMPLES = """examples:
  flightdeck press 1.3            the third key of the top row
  flightdeck press 1.3 --hold 0.9"""

_ANSWER_S = 15.0
_LONGEST_HOLD_S = 60.0


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Take the key and how long it is held."""
    parser.add_argument("key", type=_position, metavar="ROW.COLUMN", help="both from 1")
    parser.add_argument("--hold", type=_seconds, default=0.0, metavar="SECONDS")


def run(arguments: argparse.Namespace, say: Say) -> Result:
    """Press it and return what came of it."""
    panel = running_panel(StateFolder.from_environment())
    if panel is None or not panel.control:
        raise Unavailable("no panel is running", "start one with `flightdeck run`")
    key: Position = arguments.key
    request = {"do": "press", "row": key.row, "column": key.column, "hold": arguments.hold}
    answer = ask(panel.control, request, _ANSWER_S + arguments.hold)
    problem = str(answer.get("problem", "the panel did not say what came of it"))
    if problem:
        hint = str(answer.get("hint", ""))
        notes = (f"flightdeck: {problem}", *([f"  hint: {hint}"] if hint else []))
        return Result(notes=notes, code=Exit.NO)
    return Result((f"{key}: {answer.get('done', 'done')}",))


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
