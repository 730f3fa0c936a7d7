"""Fold once: take in what the hooks spooled, free the slots of dead sessions.

The 15 s timer calls it, so the truth does not depend on a running panel.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from flightdeck.commands.result import Result
from flightdeck.fold.opening import fold_once, open_fold
from flightdeck.store.paths import StateFolder

if TYPE_CHECKING:
    import argparse

    from flightdeck.commands.result import Say


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Take none."""


def run(arguments: argparse.Namespace, say: Say) -> Result:
    """Fold and say how many sessions there are."""
    fold = open_fold(StateFolder.from_environment())
    outcome, panel = fold_once(fold)
    if outcome.snapshot is not None and not panel["running"]:
        _feed(fold.plan.renderers, outcome.snapshot)
    live = sum(1 for view in outcome.fleet.slots if view.key)
    return Result((f"{live} live, {outcome.fleet.overflow} without a slot",))


def _feed(renderers: tuple[str, ...], snapshot: str) -> None:
    """Tell the renderers, as the panel would if one ran."""
    if not renderers:
        return
    from flightdeck.panel.renderers import Renderers  # noqa: PLC0415 - rarely needed

    feeders = Renderers(renderers)
    feeders.send(snapshot)
    feeders.close()
