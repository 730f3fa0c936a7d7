"""The risk rules: what is wrong with somebody's own, and that it costs the whole file.

Source: risk/README.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from flightdeck.doctor.visit import of_problem
from flightdeck.fold.judging import compile_rules
from flightdeck.model.finding import Finding, ok, warning

if TYPE_CHECKING:
    from collections.abc import Iterator

    from flightdeck.doctor.machine import Machine


def look(machine: Machine) -> Iterator[Finding]:
    """Say how many rules there are, and what is wrong with others."""
    rules = compile_rules(machine.folder)
    for problem in rules.problems:
        yield of_problem(problem)
    for file in sorted({problem.location.file for problem in rules.problems}):
        yield warning(
            "no rule of {file} counts until that is mended", "flightdeck validate", file=file
        )
    own = sum(rule.local for rule in rules.table.rules)
    more = ", {own} of your own" if own else ""
    if not rules.problems:
        yield ok("{count} risk rules" + more, count=len(rules.table.rules), own=own)
