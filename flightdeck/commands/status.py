"""Show the fleet: every slot, its state and why.

Folds first, so it is right with or without a running panel.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from flightdeck.commands.result import Result
from flightdeck.fold.opening import fold_once, open_fold
from flightdeck.model.lifecycle import Reason, State
from flightdeck.store.paths import StateFolder
from flightdeck.store.snapshot import fleet_json
from flightdeck.system import clock

if TYPE_CHECKING:
    import argparse

    from flightdeck.commands.result import Say
    from flightdeck.model.fleet import SlotView

EXAMPLES = """examples:
  flightdeck status
  flightdeck status --json | jq '.slots[] | select(.state == "blocked")'"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Take --json."""
    parser.add_argument("--json", action="store_true", help="one object, flightdeck.status/1")


def run(arguments: argparse.Namespace, say: Say) -> Result:
    """Fold and return the fleet."""
    outcome, panel = fold_once(open_fold(StateFolder.from_environment()))
    fleet = outcome.fleet
    if arguments.json:
        return Result(data=fleet_json(fleet, panel))
    lines = [_line(view, clock.now()) for view in fleet.slots]
    if fleet.overflow:
        lines.append(f"{fleet.overflow} more without a slot, {fleet.overflow_blocked} blocked")
    where = f"panel on the {panel['deck']} deck, pid {panel['pid']}"
    lines.append(where if panel["running"] else "no panel is running")
    return Result(tuple(lines))


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
