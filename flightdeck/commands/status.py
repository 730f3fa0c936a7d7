"""Show the fleet: every slot, its state and why.

Folds first, so it is right with or without a running panel.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NoReturn

from flightdeck.commands.plain import plain
from flightdeck.commands.result import Result
from flightdeck.fold.opening import fold_once, open_fold
from flightdeck.model.fleet import BYPASS
from flightdeck.model.lifecycle import Reason
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
    lines = [*_brakes(fleet), *_table(fleet.slots, clock.now())]
    if fleet.overflow:
        lines.append(f"{fleet.overflow} more without a slot, {fleet.overflow_blocked} blocked")
    lines.append(_where(panel))
    return [plain(line) for line in lines]


def _brakes(fleet: Fleet) -> list[str]:
    """Return what is to be read before anything else."""
    if not fleet.halted:
        return []
    lines = ["HALTED: no new tool call runs; `flightdeck halt --off` lifts it"]
    if fleet.untracked:
        who = f"{fleet.untracked} untracked, out of its reach"
        lines.append(f"  {who}: `flightdeck doctor` names them")
    return lines


def _where(panel: Panel) -> str:
    if not panel["running"]:
        return "no panel is running"
    if panel["deck"] is None:
        return "a panel is starting"
    return f"panel on the {panel['deck']} deck, pid {panel['pid']}"


def _table(views: Sequence[SlotView], now: float) -> list[str]:
    """Return a line for each slot, its columns as wide as what stands in them."""
    slots = max((len(str(view.slot)) for view in views), default=1)
    states = max((len(_state(view)) for view in views), default=0)
    indent = " " * (slots + 2)
    rows: list[str] = []
    for view in views:
        who, since = _who(view), _since(view, now)
        rows.append(f"{view.slot:>{slots}}  {_state(view):<{states}}  {since:>4}  {who}")
        rows += [f"{indent}{_waits(request, now)}" for request in view.pending]
        if view.refusal:
            rows.append(f"{indent}teardown refused, {view.refusal}")
    return [row.rstrip() for row in rows]


def _waits(request: PendingView, now: float) -> str:
    """Return one request: how dangerous, which tool, how often, and who can answer it."""
    times = f" \u00d7{request.repeats}" if request.repeats > 1 else ""
    where = "the deck can answer" if request.answerable else "in terminal"
    call = f"{request.tier} {request.tool or 'request'}{times}".strip()
    return f"{call}, {_age(now - request.since)}, {where}"


def _state(view: SlotView) -> str:
    reason = view.reason.value if view.reason and view.reason is not Reason.TURN else ""
    why = view.error or reason
    return f"{view.state.value} ({why})" if why else view.state.value


def _since(view: SlotView, now: float) -> str:
    return _age(now - view.since) if view.since else ""


def _who(view: SlotView) -> str:
    known = (
        ("GUARDED", view.gated),
        ("bypass", view.permission_mode == BYPASS),
        ("selected", view.selected),
        ("registry only", view.untracked),
        ("stale", view.stale),
        ("being torn down", view.ending),
        (f"queued: {view.queued}", bool(view.queued)),
    )
    marks = [mark for mark, on in known if on]
    tail = f" [{', '.join(marks)}]" if marks else ""
    return " ".join(part for part in (view.repo, view.title or view.branch, tail) if part)


def _age(seconds: float) -> str:
    if seconds < 60:
        return f"{max(0, int(seconds))}s"
    if seconds < 3600:
        return f"{int(seconds // 60)}m"
    return f"{int(seconds // 3600)}h"
