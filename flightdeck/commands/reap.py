"""Fold once: take in what the hooks spooled, free the slots of dead sessions.

A permission hook that waits for a panel nobody runs any more is let go.
The 15 s timer calls it, so the truth does not depend on a running panel.
"""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

from flightdeck.commands.result import Result
from flightdeck.fold.opening import fold_once, open_fold
from flightdeck.store import asks
from flightdeck.store.instance import forget_dead
from flightdeck.store.log import keep_short
from flightdeck.store.paths import StateFolder

if TYPE_CHECKING:
    import argparse

    from flightdeck.commands.result import Say

EXAMPLES = """examples:
  flightdeck reap              once; `flightdeck apply` has a timer call it"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Take none."""


def run(arguments: argparse.Namespace, say: Say) -> Result:
    """Fold and say how many sessions there are."""
    folder = StateFolder.from_environment()
    fold = open_fold(folder)
    outcome, panel = fold_once(fold)
    _clear(folder, panel_alive=panel["running"])
    if outcome.snapshot is not None and not panel["running"]:
        _feed(fold.plan.renderers, outcome.snapshot)
    _leave_word(folder)
    live = sum(1 for view in outcome.fleet.slots if view.key)
    return Result((f"{live} live, {outcome.fleet.overflow} without a slot",))


def _leave_word(folder: StateFolder) -> None:
    """Say when this was, for `doctor`: a timer that has stopped is silent."""
    keep_short(folder.log)
    with contextlib.suppress(OSError):
        folder.reaped.touch(mode=0o600)


def _clear(folder: StateFolder, *, panel_alive: bool) -> None:
    """Clear what a killed panel and killed hooks left: nobody may wait for the dead."""
    if not panel_alive:
        forget_dead(folder)
    asks.sweep(folder.asks, panel_alive=panel_alive)


def _feed(renderers: tuple[str, ...], snapshot: str) -> None:
    """Tell the renderers, as the panel would if one ran."""
    if not renderers:
        return
    from flightdeck.panel.renderers import Renderers  # noqa: PLC0415 - rarely needed

    feeders = Renderers(renderers)
    feeders.send(snapshot)
    feeders.close()
