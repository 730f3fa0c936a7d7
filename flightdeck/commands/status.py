"""Show the fleet: every slot, its state and why.

Right with or without a running panel. --watch on a terminal is a board with a key for
each verdict; anywhere else, and with --json, it prints the fleet at every change.
"""

from __future__ import annotations

import json
import os
import sys
from typing import TYPE_CHECKING, Any, NoReturn

from flightdeck.commands import slot_words
from flightdeck.commands.plain import plain
from flightdeck.commands.result import Result
from flightdeck.fold.opening import fold_once, open_fold
from flightdeck.store.paths import StateFolder
from flightdeck.store.snapshot import fleet_json
from flightdeck.system import clock

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Sequence

    from flightdeck.commands.result import Say
    from flightdeck.fold.folding import Fold
    from flightdeck.model.fleet import Fleet, PendingView, SlotView

    Panel = dict[str, Any]

EXAMPLES = """examples:
  flightdeck status
  flightdeck status --watch                  a board; j k to move, q to leave
  flightdeck status --watch | tee fleet.log  the fleet again at every change
  flightdeck status --json | jq '.slots[] | select(.state == "blocked")'"""

_LOOK_S = 0.5


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Take --json and --watch."""
    parser.add_argument("--json", action="store_true", help="one object, flightdeck.status/1")
    parser.add_argument(
        "--watch",
        action="store_true",
        help="a live board; not on a terminal: again at every change; JSON: one line each",
    )


def run(arguments: argparse.Namespace, say: Say) -> Result:
    """Fold and return the fleet; with --watch show it until told to stop.

    Raises:
        Unavailable: the state folder cannot be used.
    """
    folder = StateFolder.from_environment()
    if arguments.watch and not arguments.json and _terminal():
        from flightdeck.commands.board.loop import watch  # noqa: PLC0415 - draws with rich

        watch(folder)
        return Result()
    fold = open_fold(folder)
    if arguments.watch:
        _watch(fold, _as_json if arguments.json else _as_text, say)
    outcome, panel = fold_once(fold)
    if arguments.json:
        return Result(data=fleet_json(outcome.fleet, panel))
    return Result(tuple(_lines(outcome.fleet, panel)))


def _terminal() -> bool:
    """Say whether somebody sits at a terminal that can place what it shows."""
    if os.environ.get("TERM", "dumb") == "dumb":
        return False
    ends = (sys.stdin, sys.stdout)
    return all(end is not None and end.isatty() for end in ends)


def _watch(fold: Fold, told: Callable[[Fleet, Panel], str], say: Say) -> NoReturn:
    shown: tuple[Fleet, Panel] | None = None
    while True:
        outcome, panel = fold_once(fold)
        if shown != (outcome.fleet, panel):
            say(told(outcome.fleet, panel))
            shown = (outcome.fleet, panel)
        clock.pause(_LOOK_S)


def _as_json(fleet: Fleet, panel: Panel) -> str:
    return json.dumps(fleet_json(fleet, panel), ensure_ascii=True)


def _as_text(fleet: Fleet, panel: Panel) -> str:
    return "\n".join(_lines(fleet, panel)) + "\n"


def _lines(fleet: Fleet, panel: Panel) -> list[str]:
    lines = [
        *slot_words.brakes(fleet),
        *_table(fleet.slots, clock.now()),
        *slot_words.overflow(fleet),
        slot_words.where(panel),
    ]
    if panel.get("problem"):
        lines += [f"  {panel['problem']}", "  until that is mended it goes on with what it had"]
    return [plain(line) for line in lines]


def _table(views: Sequence[SlotView], now: float) -> list[str]:
    """Return a line for each slot, its columns as wide as what stands in them."""
    slots = max((len(str(view.slot)) for view in views), default=1)
    states = max((len(_state(view)) for view in views), default=0)
    indent = " " * (slots + 2)
    rows: list[str] = []
    for view in views:
        who, since = _who(view), slot_words.since(view, now)
        rows.append(f"{view.slot:>{slots}}  {_state(view):<{states}}  {since:>4}  {who}")
        rows += [f"{indent}{_waits(request, now)}" for request in view.pending]
        if view.refusal:
            rows.append(f"{indent}teardown refused, {view.refusal}")
    return [row.rstrip() for row in rows]


def _waits(request: PendingView, now: float) -> str:
    """Return one request: how dangerous, which tool, how often, and who can answer it."""
    where = "the deck can answer" if request.answerable else "in terminal"
    return f"{slot_words.call(request)}, {slot_words.age(now - request.since)}, {where}"


def _state(view: SlotView) -> str:
    why = slot_words.reason(view)
    return f"{view.state.value} ({why})" if why else view.state.value


def _who(view: SlotView) -> str:
    marks = slot_words.marks(view)
    tail = f" [{', '.join(marks)}]" if marks else ""
    return " ".join(part for part in (slot_words.name(view), tail) if part)
