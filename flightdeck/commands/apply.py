"""Install flightdeck's hooks and its timer, or take them out again.

Shows the difference, asks, keeps a backup and writes. What others put into the same
file is never touched; `--remove` leaves the file as it was before the first `apply`,
and says what is left of the state folder. Running sessions take the hooks up within a
second. The timer folds when no panel runs; `--panel` has launchd or systemd run the
panel, too.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import sys
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from flightdeck.commands import removing
from flightdeck.commands.applying import (
    AGENT,
    Step,
    hooks_step,
    question,
    service_steps,
    show,
    what_would,
)
from flightdeck.commands.result import Exit, Result
from flightdeck.commands.waiting import waiting
from flightdeck.config.layouts import load_layout_or_shipped
from flightdeck.config.local import load_local
from flightdeck.errors import ConfigError, FlightdeckError, Unavailable
from flightdeck.fold.judging import compile_rules
from flightdeck.install import (
    claude_code,
    client,
    desired,
    faults,
    folders,
    remains,
    roots,
    service_record,
)
from flightdeck.install.diff import render_diff
from flightdeck.install.document import read
from flightdeck.install.record import Records
from flightdeck.install.target import Change, Target
from flightdeck.model.plan import PanelPlan
from flightdeck.store import plan as plans
from flightdeck.store.paths import StateFolder

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from flightdeck.commands.result import Say

EXAMPLES = """\
examples:
  flightdeck apply --plan      what would change; exit 1 if anything would
  flightdeck apply --yes       write it without asking, for scripts
  flightdeck apply --panel     the panel, too, starts by itself from now on
  flightdeck apply --remove    take out exactly what was put in
"""

_KINDS = (AGENT,)


@dataclass(slots=True)
class _Plan:
    """What there is to do, and to say; nobody has to mend what a note tells.

    `states` are the state folders a removal clears.
    """

    steps: list[Step]
    warnings: list[str]
    notes: list[str] = field(default_factory=list)
    states: tuple[StateFolder, ...] = ()

    @property
    def pending(self) -> list[Step]:
        """The steps that would change anything."""
        return [step for step in self.steps if step.pending]


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
    with waiting("looking at what is there"):
        plan = _removal(state, arguments) if arguments.remove else _installation(state, arguments)
    if not arguments.json:
        show(plan.pending, say)
    if arguments.plan:
        return _result(arguments, plan)
    refusal = _consent(arguments, plan, say) if plan.pending else None
    if refusal:
        return refusal
    if arguments.remove:
        _take_out(plan)
    else:
        _put_in(state, plan)
    return _result(arguments, plan)


def _take_out(plan: _Plan) -> None:
    with remains.alone(plan.states[0]):
        for step in plan.pending:
            step.do()
        plan.notes += removing.tidy(plan.states)


def _put_in(state: StateFolder, plan: _Plan) -> None:
    made = folders.missing(state.root)
    try:
        remains.create(state)  # also where nothing is pending: without it the hooks are silent
        with remains.alone(state):
            remains.create(state)  # whoever we waited for may have taken it out
            with waiting("checking the layout and the risk rules"):
                plan.warnings += _compiled(state)
            for step in plan.pending:
                step.do()
            claude_code.sweep(Target(client.config_folder(os.environ)), Records(state))
    except FlightdeckError:
        if made and not Records(state).targets():
            with contextlib.suppress(FlightdeckError):
                remains.clear(state)
            folders.take_out(map(str, made))
        raise


def _installation(state: StateFolder, arguments: argparse.Namespace) -> _Plan:
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
    former = [other for other in roots.state_folders(target) if other != state]
    step = hooks_step(
        change,
        lambda: _install(target, wanted, state, former),
        f"hooks for {len(wanted)} events are in {target.file}",
        f"hooks in {target.file} are current, nothing to change",
        f"writing {target.file}",
    )
    services, notes = service_steps(arguments, state)
    notes += desired.own_notes(version, client.find_site(state.root))
    doubts = (*client.folder_doubts(os.environ), *desired.doubts(version))
    return _Plan([step, *services], [*doubts, *_faults(change)], notes)


def _install(
    target: Target, wanted: Mapping[str, str], state: StateFolder, former: Sequence[StateFolder]
) -> None:
    """Write the hooks, and move what is known of them here from where they went so far."""
    claude_code.install(target, wanted, Records(state), map(Records, former))
    for other in former:
        service_record.take_over(state, other)
        if not Records(other).targets():
            remains.clear(other)


def _compiled(state: StateFolder) -> list[str]:
    """Compile layout and rules for folds without a panel, and return what is wrong with them."""
    rules = compile_rules(state)
    try:
        local = load_local(state)
        layout, problems = load_layout_or_shipped(None, state, local)
        plans.write(state, PanelPlan.of(layout, local))
    except ConfigError as error:
        problems = error.problems
    except OSError as error:
        raise state.unusable(error) from error
    return [f"{problem.location}: {problem.message}" for problem in (*problems, *rules.problems)]


def _removal(state: StateFolder, arguments: argparse.Namespace) -> _Plan:
    states = removing.states_of(state)
    steps, warnings = removing.removal(states, arguments)
    return _Plan(steps, warnings, states=states)


def _faults(change: Change) -> list[str]:
    text = claude_code.text_of(change.after, change.file)
    found = faults.malformed(read(text, str(change.file)))
    return [
        f"{change.file}: {fault}; Claude Code skips the whole file until that is mended"
        for fault in found
    ]


def _consent(arguments: argparse.Namespace, plan: _Plan, say: Say) -> Result | None:
    """Return None if the change may be written, else what to answer."""
    if arguments.yes:
        return None
    if arguments.json or not sys.stdin.isatty():
        notes = ("flightdeck: nobody to ask", "  hint: --yes writes it, --plan only looks")
        return Result(notes=notes, code=Exit.USAGE)
    say(question(plan.pending))
    if sys.stdin.readline().strip().lower() in {"y", "yes"}:
        return None
    return Result(lines=("nothing was changed",), code=Exit.NO)


def _result(arguments: argparse.Namespace, plan: _Plan) -> Result:
    drift = bool(plan.pending)
    applied = drift and not arguments.plan
    left = arguments.remove and plan.warnings  # files our hooks may still be in
    code = Exit.NO if left or (arguments.plan and drift) else Exit.DONE
    warnings, notes = plan.warnings, plan.notes
    told = (*(f"warning: {text}" for text in warnings), *(f"note: {text}" for text in notes))
    if arguments.json:
        data = _envelope(plan.steps, [*warnings, *notes], applied=applied)
        return Result(code=code, notes=told, data=data)
    if arguments.plan and drift:
        return Result(code=code, notes=(*told, what_would(plan.steps)))
    return Result(code=code, notes=told, lines=tuple(s.told for s in plan.steps if s.told))


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
