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
    outcome, _ = fold_once(fold)
    live = sum(1 for view in outcome.fleet.slots if view.key)
    return Result((f"{live} live, {outcome.fleet.overflow} without a slot",))
