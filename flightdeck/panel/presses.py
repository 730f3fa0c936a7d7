"""What the control socket may ask of the panel: press a key, nothing else yet."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flightdeck.errors import FlightdeckError
from flightdeck.model.deck import Position
from flightdeck.model.effect import Effect, Focus, Open, Run

if TYPE_CHECKING:
    from flightdeck.panel.loop import Panel

_ANSWER_S = 14.0
_LONGEST_HOLD_S = 60.0


def answer(panel: Panel, request: dict[str, Any]) -> dict[str, Any]:
    """Do what a request asks and say what came of it; `problem` is empty if it was done."""
    try:
        return _press(panel, request)
    except FlightdeckError as error:
        return {"problem": error.message, "hint": error.hint}
    except (KeyError, TypeError, ValueError, OverflowError):
        return {"problem": "the panel does not know this request", "hint": "same version?"}


def _press(panel: Panel, request: dict[str, Any]) -> dict[str, Any]:
    if request.get("do") != "press":
        raise ValueError("unknown request")
    position = Position(int(request["row"]), int(request["column"]))
    grid = panel.layout.grid
    if not grid.holds(position):
        shape = f"{grid.rows} rows of {grid.columns}"
        raise FlightdeckError(f"there is no key {position}", f"the deck has {shape} keys")
    hold_s = float(request.get("hold", 0))
    if not 0 <= hold_s <= _LONGEST_HOLD_S:
        raise ValueError("no length of time to hold a key")
    done = panel.press(position, hold_s, _ANSWER_S)
    return {"problem": done.problem, "hint": done.hint, "done": _said(done.effect)}


def _said(effect: Effect | None) -> str:
    match effect:
        case Focus(_, place):
            return f"session in front ({place.kind})"
        case Open():
            return "opened"
        case Run(argv):
            return f"started {argv[0]}"
        case _:
            return "nothing to do"
