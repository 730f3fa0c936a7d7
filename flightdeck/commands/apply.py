"""Install flightdeck's hooks and its timer, or take them out again.

Shows the difference, asks, keeps a backup and writes. What others put into the same
file is never touched; `--remove` leaves the file as it was before the first `apply`.
Running sessions take the hooks up within a second. The timer folds when no panel runs;
`--panel` has launchd or systemd run the panel, too.
"""

from __future__ import annotations

import argparse
import os
import sys
from typing import TYPE_CHECKING

from flightdeck.commands.applying import (
    Step,
    service_removals,
    service_steps,
    show,
    what_would,
)
from flightdeck.commands.result import Exit, Result
from flightdeck.config.layouts import load_layout_or_shipped
from flightdeck.config.local import load_local
from flightdeck.errors import ConfigError, FlightdeckError, Unavailable
from flightdeck.fold.judging import compile_rules
from flightdeck.install import claude_code, client, desired, faults
from flightdeck.install.diff import render_diff
from flightdeck.install.document import read
from flightdeck.install.record import Records
from flightdeck.install.target import Change, Target
from flightdeck.model.plan import PanelPlan
from flightdeck.store import plan as plans
from flightdeck.store.paths import StateFolder

if TYPE_CHECKING:
    from collections.abc import Callable

    from flightdeck.commands.result import Say

EXAMPLES = """\
examples:
  flightdeck apply --plan      what would change; exit 1 if anything would
  flightdeck apply --yes       write it without asking, for scripts
  flightdeck apply --panel     the panel, too, starts by itself from now on
  flightdeck apply --remove    take out exactly what was put in
"""

_KINDS = ("claude-code",)

# Steps, warnings, and notes: what is worth knowing, and nobody has to mend.
_Look = tuple[list[Step], list[str], list[str]]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what `apply` takes."""
    parser.add_argument("--plan", action="store_true", help="change nothing, exit 1 on drift")
    parser.add_argument("--remove", action="store_true", help="take our hooks out again")
    parser.add_argument(
        "--agent",
        nargs="+",
        action="extend",
        choices=_KINDS,
        metavar="NAME",
        help=f"only these agents, installed or not: {', '.join(_KINDS)}",
    )
    parser.add_argument(
        "--panel",
        action=argparse.BooleanOptionalAction,
        help="have the panel started at login, or no more; default: as it is",
    )
    parser.add_argument(
        "--no-services",
        dest="services",
        action="store_false",
        help="leave launchd or systemd alone",
    )
    parser.add_argument("--yes", action="store_true", help="do not ask")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(arguments: argparse.Namespace, say: Say) -> Result:
    """Plan, show, ask and write.

    Raises:
        FlightdeckError: a settings file cannot be read, or is not what it should be;
            nothing was changed.
    """
    state = StateFolder.from_environment()
    look = _removal if arguments.remove else _installation
    steps, warnings, notes = look(state, arguments)
    pending = [step for step in steps if step.pending]
    if not arguments.json:
        show(pending, say)
    if arguments.plan:
        return _result(arguments, steps, warnings, notes)
    refusal = _consent(arguments, say) if pending else None
    if refusal:
        return refusal
    if not arguments.remove:
        state.create()  # also where nothing is pending: without it the hooks are silent
        warnings += _compiled(state)
    for step in pending:
        step.perform()
    return _result(arguments, steps, warnings, notes)


def _installation(state: StateFolder, arguments: argparse.Namespace) -> _Look:
    target = Target(client.config_folder(os.environ))
    found = client.find_client(os.environ)
    if found is None and not arguments.agent and not target.folder.is_dir():
        raise Unavailable(
            "no agent flightdeck knows is installed here",
            "install Claude Code, or name it: flightdeck apply --agent claude-code",
        )
    version = found.version if found else None
    wanted = desired.desired(version, client.find_site(state.root))
    change = claude_code.plan_install(target, wanted)
    step = _step(
        change,
        lambda: claude_code.install(target, wanted, Records(state)),
        f"hooks for {len(wanted)} events are in {target.file}",
        f"hooks in {target.file} are current, nothing to change",
    )
    services, notes = service_steps(arguments, state)
    notes += desired.own_notes(version, client.find_site(state.root))
    doubts = (*client.folder_doubts(os.environ), *desired.doubts(version))
    return [step, *services], [*doubts, *_faults(change)], notes


def _compiled(state: StateFolder) -> list[str]:
    """Compile layout and rules for folds without a panel, and return what is wrong with them."""
    rules = compile_rules(state)
    try:
        local = load_local(state)
        layout, problems = load_layout_or_shipped(None, state, local)
    except ConfigError as error:
        problems = error.problems
    else:
        plans.write(state, PanelPlan.of(layout, local))
    return [f"{problem.location}: {problem.message}" for problem in (*problems, *rules.problems)]


def _removal(state: StateFolder, arguments: argparse.Namespace) -> _Look:
    steps, warnings = _removals(Records(state))
    return [*steps, *service_removals(arguments, state)], warnings, []


def _removals(records: Records) -> tuple[list[Step], list[str]]:
    """Everything there is a record of, and the settings file of this environment.

    A file that cannot be read keeps our hooks in no other one; it is told as a warning.
    """
    here = Target(client.config_folder(os.environ))
    steps: list[Step] = []
    refusals: list[FlightdeckError] = []
    for target in dict.fromkeys([here, *records.targets()]):
        try:
            steps.append(_taken_out(target, records))
        except FlightdeckError as error:
            refusals.append(error)
    if not steps:
        raise refusals[0]
    return steps, [error.message for error in refusals]


def _taken_out(target: Target, records: Records) -> Step:
    return _step(
        claude_code.plan_remove(target, records),
        lambda: claude_code.remove(target, records),
        f"no hooks of flightdeck are left in {target.file}",
        f"no hooks of flightdeck are in {target.file}, nothing to change",
    )


def _step(change: Change, perform: Callable[[], object], done: str, already: str) -> Step:
    return Step(() if change.is_none else (change,), perform, done, already, _KINDS[0])


def _faults(change: Change) -> list[str]:
    text = claude_code.text_of(change.after, change.file)
    found = faults.malformed(read(text, str(change.file)))
    return [
        f"{change.file}: {fault}; Claude Code skips the whole file until that is mended"
        for fault in found
    ]


def _consent(arguments: argparse.Namespace, say: Say) -> Result | None:
    """Return None if the change may be written, else what to answer."""
    if arguments.yes:
        return None
    if arguments.json or not sys.stdin.isatty():
        notes = ("flightdeck: nobody to ask", "  hint: --yes writes it, --plan only looks")
        return Result(notes=notes, code=Exit.USAGE)
    say("write this? [y/N]")
    if sys.stdin.readline().strip().lower() in {"y", "yes"}:
        return None
    return Result(lines=("nothing was changed",), code=Exit.NO)


def _result(
    arguments: argparse.Namespace, steps: list[Step], warnings: list[str], notes: list[str]
) -> Result:
    drift = any(step.pending for step in steps)
    applied = drift and not arguments.plan
    left = arguments.remove and warnings  # files our hooks may still be in
    code = Exit.NO if left or (arguments.plan and drift) else Exit.DONE
    told = (*(f"warning: {text}" for text in warnings), *(f"note: {text}" for text in notes))
    if arguments.json:
        data = _envelope(steps, [*warnings, *notes], applied=applied)
        return Result(code=code, notes=told, data=data)
    if arguments.plan and drift:
        return Result(code=code, notes=(*told, what_would(steps)))
    return Result(code=code, notes=told, lines=tuple(step.told for step in steps if step.told))


def _envelope(steps: list[Step], warnings: list[str], *, applied: bool) -> dict[str, object]:
    return {
        "schema": "flightdeck.apply/1",
        "applied": applied,
        "changes": [
            {
                "agent": step.agent,
                "file": str(change.file),
                "action": _action(change),
                "diff": "\n".join(render_diff(change)),
            }
            for step in steps
            for change in step.changes
        ],
        "commands": [list(command) for step in steps for command in step.commands],
        "warnings": warnings,
    }


def _action(change: Change) -> str:
    if change.before is None:
        return "create"
    return "delete" if change.after is None else "change"
