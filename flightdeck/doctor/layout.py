"""The layout in force, this machine's own file, and the faces of somebody's own.

Source: layouts/README.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from flightdeck import shipped
from flightdeck.config.layouts import load_layout_or_shipped
from flightdeck.config.local import load_local
from flightdeck.doctor.visit import of_problem
from flightdeck.model.finding import Finding, Known, Level, ok

if TYPE_CHECKING:
    from collections.abc import Iterator

    from flightdeck.doctor.machine import Machine


def look(machine: Machine) -> Iterator[Finding]:
    """Say which layout is in force; its problems are raised, all of them."""
    folder = machine.folder
    layout, warnings = load_layout_or_shipped(None, folder, load_local(folder))
    for problem in warnings:
        yield of_problem(problem, Level.WARNING)
    if not warnings:
        ours = (shipped.folder("layouts") / f"{layout.name}.yaml").is_file()
        name = Known(layout.name) if ours else layout.name
        yield ok("layout {name} for {deck}", name=name, deck=Known(layout.device))
