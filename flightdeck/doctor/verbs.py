"""The verbs: what is wrong with somebody's own, on a key or on none.

Source: verbs/README.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from flightdeck.config.verbs import load_verbs
from flightdeck.doctor.visit import of_problem
from flightdeck.model.finding import Finding, ok

if TYPE_CHECKING:
    from collections.abc import Iterator

    from flightdeck.doctor.machine import Machine


def look(machine: Machine) -> Iterator[Finding]:
    """Say of every verb what is wrong with it; a fragment's problem is told once."""
    verbs = load_verbs(machine.folder)
    problems = dict.fromkeys(one for some in verbs.problems.values() for one in some)
    for problem in problems:
        yield of_problem(problem)
    if not problems:
        yield ok("{count} verbs", count=len(verbs.usable))
