"""The brakes: a fleet that stands still on purpose must not look like one that is broken.

Source: README.md, "HALT" and "GATE".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from flightdeck.model.finding import Finding, Known, ok, warning
from flightdeck.store import gates, latch

if TYPE_CHECKING:
    from collections.abc import Iterator

    from flightdeck.doctor.machine import Machine
    from flightdeck.store.paths import StateFolder


def look(machine: Machine) -> Iterator[Finding]:
    """Say whether the fleet is halted, and how many sessions are gated."""
    folder = machine.folder
    if latch.stands(folder):
        what = "HALTED: no new tool call runs while {file} stands"
        yield warning(what, _lifted_by(folder), file=folder.halt)
        return
    gated = len(gates.standing(folder))
    what = "not halted; {count} gate{s} closed" if gated else "not halted"
    yield ok(what, count=gated, s=Known("" if gated == 1 else "s"))


def _lifted_by(folder: StateFolder) -> str:
    halt = folder.halt
    if halt.is_dir() and not halt.is_symlink() and any(halt.iterdir()):
        return "look into {file}, then remove it"
    return "flightdeck halt --off"
