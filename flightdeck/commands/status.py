"""Show the fleet: every slot, its state and why.

Folds first, so it is right with or without a running panel.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NoReturn

from flightdeck.commands.result import Result
from flightdeck.fold.opening import fold_once, open_fold
from flightdeck.model.lifecycle import Reason, State
from flightdeck.store.paths import StateFolder
from flightdeck.store.snapshot import fleet_json
from flightdeck.system import clock

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable

    from flightdeck.commands.result import Say
    from flightdeck.fold.folding import Fold
    from flightdeck.model.fleet import Fleet, SlotView

    Panel = dict[str, Any]

EXAMPLES = """examples:
  flightdeck status
  flightdeck status --watch
  flightdeck status --json | jq '.slots[] | select(.state == "blocked")'"""

_LOOK_S = 0.5


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Take --json and --watch."""
    parser.add_argument("--json", action="store_true", help="one object, flightdeck.status/1")
    parser.add_argument(
        "--watch", action="store_true", help="again at every change, until ^C; JSON: one line each"
    )


def run(arguments: argparse.Namespace, say: Say) -> Result:
    """Fold and return the fleet; with --watch say it at every change and never return.

    Raises:
        Unavailable: the state folder cannot be used.
    """
    fold = open_fold(StateFolder.from_environment())
    if arguments.watch:
        _watch(fold, _as_json if arguments.json else _as_text, say)
    outcome, panel = fold_once(fold)
    if arguments.json:
        return Result(data=fleet_json(outcome.fleet, panel))
    return Result(tuple(_lines(outcome.fleet, panel)))


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
    lines = [_line(view, clock.now()) for view in fleet.slots]
    if fleet.overflow:
        lines.append(f"{fleet.overflow} more without a slot, {fleet.overflow_blocked} blocked")
    where = f"panel on the {panel['deck']} deck, pid {panel['pid']}"
    lines.append(where if panel["running"] else "no panel is running")
    return lines


def _line(view: SlotView, now: float) -> str:
    if view.state is State.EMPTY:
        return f"{view.slot}  empty"
    why = view.error or (view.reason.value if _worth_saying(view) and view.reason else "")
    marks = [m for m, on in (("registry only", view.untracked), ("stale", view.stale)) if on]
    state = f"{view.state.value}{f' ({why})' if why else ''}"
    who = " ".join(part for part in (view.repo, view.title or view.branch) if part)
    tail = f"  [{', '.join(marks)}]" if marks else ""
    return f"{view.slot}  {state:<22} {_age(now - view.since):>5}  {who}{tail}"


def _worth_saying(view: SlotView) -> bool:
    return view.reason is not Reason.TURN


def _age(seconds: float) -> str:
    if seconds < 60:
        return f"{max(0, int(seconds))}s"
    if seconds < 3600:
        return f"{int(seconds // 60)}m"
    return f"{int(seconds // 3600)}h"
