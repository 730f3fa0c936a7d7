"""Small risk tables, written as a rule file is."""

from __future__ import annotations

import textwrap
from pathlib import Path
from typing import TYPE_CHECKING

from flightdeck.config.document import parse_document
from flightdeck.config.risk import RiskFile, compile_risk
from flightdeck.model.risk import Table
from flightdeck.risk.judge import TableJudge

if TYPE_CHECKING:
    from flightdeck.model.risk import Judgement

HOME = "/home/ada"

# What no test here is about.
_EXAMPLES = "    matches:\n      - x\n    spares:\n      - y\n"


def compiled(text: str, base: Table | None = None, *, local: bool = False) -> RiskFile:
    """Return a rule file of this text, whatever is wrong with it."""
    document = parse_document(textwrap.dedent(text), "rules.yaml")
    return compile_risk(Path("rules.yaml"), document, base or Table(), local=local)


def table(text: str, base: Table | None = None, *, local: bool = False) -> Table:
    """Return the table of a rule file that has no problem."""
    file = compiled(text, base, local=local)
    assert file.problems == ()
    return file.table


def rule(fields: str, name: str = "it", tier: str = "high") -> str:
    """Return a rule of these lines, with the fields every rule must have."""
    lines = textwrap.indent(textwrap.dedent(fields).strip("\n"), "    ")
    return f"  {name}:\n    tier: {tier}\n    why: because\n{lines}\n{_EXAMPLES}"


def rules(*fields: str, tier: str = "high", sections: str = "") -> Table:
    """Return a table with a rule for each of some fields, named `a`, `b` and so on."""
    named = (rule(f, name=chr(97 + at), tier=tier) for at, f in enumerate(fields))
    return table(f"{textwrap.dedent(sections)}\nrules:\n{''.join(named)}")


def bash(told: Table, command: str, cwd: str = "") -> Judgement:
    """Return what a table says of a command."""
    return TableJudge(told, HOME)("Bash", {"command": command}, cwd)


def trips(told: Table, command: str, cwd: str = "") -> bool:
    """Return whether a rule of a table speaks of a command."""
    return bool(TableJudge(told, HOME).speaking("Bash", {"command": command}, cwd))
