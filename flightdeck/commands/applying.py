"""One step of `apply`: what it would change, what does it, and what is to be said of it."""

from __future__ import annotations

import os
import shlex
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

from flightdeck.commands.waiting import waiting
from flightdeck.errors import FlightdeckError
from flightdeck.install import service_record
from flightdeck.install.diff import render_diff
from flightdeck.install.jobs import wanted_jobs
from flightdeck.install.services import Services, find_manager
from flightdeck.install.surroundings import service_site
from flightdeck.install.units import panel
from flightdeck.store.instance import running_panel

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Sequence

    from flightdeck.commands.result import Say
    from flightdeck.install.commanding import Command
    from flightdeck.install.services import ServicePlan
    from flightdeck.install.target import Change
    from flightdeck.install.units import Job
    from flightdeck.store.paths import StateFolder

# Whose settings there are so far.
AGENT = "claude-code"


@dataclass(frozen=True, slots=True)
class Step:
    """Some files and commands; `already` may be empty, where there is nothing to say.

    `doing` is said while it takes long; `agent` is whose settings they are, None for a
    service.
    """

    changes: tuple[Change, ...]
    perform: Callable[[], object]
    done: str
    already: str
    doing: str = ""
    agent: str | None = None
    commands: tuple[Command, ...] = ()
    unsettled: bool = False

    @property
    def pending(self) -> bool:
        """Whether there is anything to do."""
        return bool(self.changes or self.commands or self.unsettled)

    @property
    def told(self) -> str:
        """What to say once it is done."""
        return self.done if self.pending else self.already

    def do(self) -> None:
        """Do it.

        Raises:
            FlightdeckError: it came to nothing; says why.
        """
        with waiting(self.doing):
            self.perform()


def hooks_step(
    change: Change, perform: Callable[[], object], done: str, already: str, doing: str
) -> Step:
    """Return the step that changes one settings file."""
    changes = () if change.is_none else (change,)
    return Step(changes, perform, done, already, doing, AGENT)


def show(steps: Sequence[Step], say: Say) -> None:
    """Show what would change and what would be run, as far as anything would."""
    colour = sys.stdout.isatty() and not os.environ.get("NO_COLOR")
    for step in steps:
        for change in step.changes:
            for line in render_diff(change, colour=colour):
                say(line)
        for command in step.commands:
            say(f"run: {shlex.join(command)}")


def question(steps: Sequence[Step]) -> str:
    """Return what to ask after all of it was shown; that may fill many screens."""
    files = ", ".join(str(change.file) for step in steps for change in step.changes)
    return f"write this to {files}? [y/N]" if files else "run this? [y/N]"


def what_would(steps: Sequence[Step]) -> str:
    """Return the one line that says what `apply` would do."""
    files = [str(change.file) for step in steps for change in step.changes]
    if files:
        return f"`flightdeck apply` would change {', '.join(files)}"
    return "`flightdeck apply` would change no file, but the services that run"


def service_steps(
    arguments: argparse.Namespace, state: StateFolder
) -> tuple[list[Step], list[str]]:
    """Return the step that brings the services in, and what a person should know.

    Raises:
        Refused: something that is not ours has the name of a file we need.
        FlightdeckError: what is there cannot be read.
    """
    if not arguments.services:
        return [], []
    manager = find_manager(os.environ, sys.platform)
    services = Services(manager, state)
    if manager.absent:
        without = "a panel and every command fold by themselves, nothing else does"
        return [], [f"no timer is installed: {manager.absent}; {without}"]
    wanted = wanted_jobs(services, with_panel=arguments.panel)
    return [_install(services, wanted, state)], _in_the_way(services, wanted, state)


def _in_the_way(services: Services, wanted: Sequence[Job], state: StateFolder) -> list[str]:
    """Say of a panel somebody started that the one of the service cannot run beside it."""
    other = running_panel(state)
    if other is None or services.has(panel()) or panel() not in wanted:
        return []
    start = services.manager.start_hint(panel())
    return [f"a panel runs already (pid {other.pid}); end it, then: {start}"]


def service_removal(states: Sequence[StateFolder]) -> Step:
    """Return the step that takes every service of ours out.

    Raises:
        FlightdeckError: what is there cannot be read.
    """
    owner = next((state for state in states if service_record.load(state)), states[0])
    services = Services(find_manager(os.environ, sys.platform), owner)
    step = _step(services.plan(), services.perform, "the hooks are out", services)
    done = f"no services of flightdeck are left in {services.manager.folder}"
    return step(done, "")


def _install(services: Services, wanted: Sequence[Job], state: StateFolder) -> Step:
    site = service_site(os.environ, state)
    plan = services.plan(wanted, site)
    names = " and ".join(job.name for job in wanted)
    step = _step(plan, lambda: services.perform(wanted, site), "the hooks are in place", services)
    where = f"{services.manager.title}, from {services.manager.folder}"
    return step(f"started by {where}: {names}", f"services are current: {names}")


def _step(
    plan: ServicePlan, perform: Callable[[], object], hooks: str, services: Services
) -> Callable[[str, str], Step]:
    def performed() -> None:
        try:
            perform()
        except FlightdeckError as error:
            told = f"{error.message}; the services are as they were, {hooks}"
            raise FlightdeckError(told, error.hint) from error

    def build(done: str, already: str) -> Step:
        return Step(
            plan.changes,
            performed,
            done,
            already,
            f"waiting for {services.manager.title}",
            commands=(*plan.before, *plan.after),
            unsettled=plan.unsettled,
        )

    return build
