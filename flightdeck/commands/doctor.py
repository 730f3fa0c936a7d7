"""Look at every moving part and say what to mend.

Ends with 1 if anything is a failure. Each finding that is not ok names the one command or
edit that mends it. --report writes what was found for a bug report, without your names,
paths, prompts and settings.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from flightdeck.commands.plain import plain
from flightdeck.commands.result import Exit, Result
from flightdeck.doctor.machine import Machine
from flightdeck.doctor.visit import PARTS, visit
from flightdeck.errors import Unavailable
from flightdeck.model.finding import Level
from flightdeck.store.paths import StateFolder

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator, Sequence

    from flightdeck.commands.result import Say
    from flightdeck.doctor.visit import Told
    from flightdeck.model.finding import Finding

EXAMPLES = """examples:
  flightdeck doctor
  flightdeck doctor --json | jq '.checks[] | select(.level != "ok")'
  flightdeck doctor --report                 writes flightdeck-report.md"""

_REPORT = "flightdeck-report.md"
SLOW = "looking at every part"
_WORDS = {Level.OK: "ok", Level.WARNING: "warning", Level.FAILURE: "FAILURE"}
_LEVEL, _PART = max(map(len, _WORDS.values())), max(map(len, PARTS))


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Take --json, or --report and where to write it."""
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="one object, flightdeck.doctor/1")
    form.add_argument(
        "--report",
        nargs="?",
        type=Path,
        const=Path(_REPORT),
        metavar="FILE",
        help=f"write a report for a bug; default: {_REPORT}",
    )


def run(arguments: argparse.Namespace, say: Say) -> Result:
    """Look at everything and return what was found.

    Raises:
        Unavailable: nobody knows where the state folder would be, or a report cannot be written.
        Refused: the file for the report is there already.
    """
    machine = _machine()
    told = visit(machine)
    if arguments.report:
        return _reported(machine, told, arguments.report)
    failed = any(one.level is Level.FAILURE for one in told)
    code = Exit.NO if failed else Exit.DONE
    if arguments.json:
        return Result(data=_as_json(told), code=code)
    lines = [line for one in told for f in one.findings for line in _lines(one.part, f)]
    return Result((*map(plain, lines), _summary(told)), code=code)


def _reported(machine: Machine, told: Sequence[Told], path: Path) -> Result:
    from flightdeck.doctor.report import write_report  # noqa: PLC0415 - rarely wanted

    write_report(machine, told, path)
    return Result((f"written to {path.absolute()}", "read it before you send it"))


def _machine() -> Machine:
    try:
        folder = StateFolder.from_environment()
    except RuntimeError as error:
        raise Unavailable("there is no home folder here", "set HOME, or FLEET_HOME") from error
    try:
        cwd = Path.cwd()
    except OSError:  # somebody has removed it
        cwd = Path("/")
    return Machine(os.environ, cwd, folder, sys.platform)


def _as_json(told: Sequence[Told]) -> dict[str, object]:
    return {
        "schema": "flightdeck.doctor/1",
        "checks": [
            {"part": one.part, "level": f.level.value, "what": f.what, "hint": f.mend or None}
            for one in told
            for f in one.findings
        ],
    }


def _lines(part: str, finding: Finding) -> Iterator[str]:
    yield f"{_WORDS[finding.level]:<{_LEVEL}}  {part:<{_PART}}  {finding.what}"
    if finding.mend and finding.level is not Level.OK:
        yield f"{'':<{_LEVEL}}  {'':<{_PART}}  mend: {finding.mend}"


def _summary(told: Sequence[Told]) -> str:
    counts = {level: sum(f.level is level for one in told for f in one.findings) for level in Level}
    failures, warnings = counts[Level.FAILURE], counts[Level.WARNING]
    if not failures and not warnings:
        return "all is well"
    parts = [_counted(failures, "failure"), _counted(warnings, "warning")]
    return " and ".join(part for part in parts if part)


def _counted(number: int, word: str) -> str:
    return f"{number} {word}{'s' if number > 1 else ''}" if number else ""
