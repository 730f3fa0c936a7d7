"""The launchd of the person logged in at the screen: whether it is there, what it is told.

Source: launchctl(1); launchd.plist(5).
"""

from __future__ import annotations

import os
import pwd
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from flightdeck.errors import Unavailable
from flightdeck.hosts import programs
from flightdeck.install.commanding import failed
from flightdeck.install.units import label, launchd_files
from flightdeck.system import clock
from flightdeck.system.run import run

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from flightdeck.install.commanding import Command
    from flightdeck.install.units import Job, Site
    from flightdeck.system.run import Completed

_TIMEOUT_S = 30.0
# A job that was told to go is gone a little later, and until then its name is taken.
_GOING = frozenset({5, 36, 37})
_PATIENCE_S = 20.0
_LOOK_EVERY_S = 0.2


@dataclass(frozen=True, slots=True)
class Launchd:
    """The manager of this user; `absent` says why none can be used, and is empty if one can."""

    folder: Path
    absent: str = ""
    environ: Mapping[str, str] = field(default_factory=dict)

    title: ClassVar[str] = "launchd"

    def names(self, job: Job) -> tuple[str, ...]:
        """Return the files the job consists of."""
        return (f"{label(job)}.plist",)

    def files(self, job: Job, site: Site) -> dict[str, str]:
        """Return the text of each of them."""
        return launchd_files(job, site)

    def log_hint(self, job: Job) -> str:
        """Return the command that says how the job fares."""
        return f"launchctl print {_domain()}/{label(job)}"

    def start_hint(self, job: Job) -> str:
        """Return the command that starts the job by hand."""
        return f"launchctl kickstart {_domain()}/{label(job)}"

    def beside(self) -> tuple[Path, ...]:
        """Return the folders the manager itself makes: none."""
        return ()

    def standing(self, jobs: Collection[Job]) -> frozenset[str]:
        """Return the names of the jobs that are loaded."""
        if self.absent:
            return frozenset()
        return frozenset(job.name for job in jobs if self._is_loaded(f"{_domain()}/{label(job)}"))

    def before(
        self, going: Collection[Job], changed: Collection[Job], standing: Collection[str]
    ) -> tuple[Command, ...]:
        """Return what is said before files change: what is loaded has to go first."""
        loaded = [job for job in (*going, *changed) if job.name in standing]
        return tuple(("launchctl", "bootout", f"{_domain()}/{label(job)}") for job in loaded)

    def after(self, going: Collection[Job], changed: Collection[Job]) -> tuple[Command, ...]:
        """Return what is said once the files are as they should be."""
        del going
        if self.absent:
            return ()
        return tuple(
            ("launchctl", "bootstrap", _domain(), str(self.folder / name))
            for job in changed
            for name in self.names(job)
        )

    def perform(self, command: Command) -> Completed:
        """Run one of these commands, and see it through.

        Raises:
            FlightdeckError: it failed; says how, and what to run by hand.
        """
        until = clock.monotonic() + _PATIENCE_S
        done = _call(command, self.environ)
        while self._is_under_way(command, done.code) and clock.monotonic() < until:
            clock.pause(_LOOK_EVERY_S)
            if command[1] == "bootstrap":
                done = _call(command, self.environ)
        gone = command[1] == "bootout" and not self._is_loaded(command[2])
        if done.code and not gone:
            raise failed(command, done)
        return done

    def sweep(self, jobs: Collection[Job]) -> None:
        """Do nothing: launchd keeps nothing beside the file itself."""

    def _is_under_way(self, command: Command, code: int) -> bool:
        if command[1] == "bootstrap":
            return code in _GOING
        return code in {0, *_GOING} and self._is_loaded(command[2])

    def _is_loaded(self, target: str) -> bool:
        return _call(("launchctl", "print", target), self.environ).code == 0


def find_launchd(environ: Mapping[str, str]) -> Launchd:
    """Return launchd, to be used only for the home of whom it serves."""
    home = Path(environ.get("HOME", "").strip() or Path.home())
    folder = home / "Library" / "LaunchAgents"
    if os.path.realpath(home) != os.path.realpath(_account_home()):
        return Launchd(folder, f"launchd reads nothing in {folder}: HOME is not your home")
    try:
        told = _call(("launchctl", "print", _domain()), environ)
    except Unavailable:
        return Launchd(folder, "there is no launchd here")
    if told.code:
        return Launchd(folder, "nobody is logged in at the screen, so launchd starts nothing")
    return Launchd(folder, "", environ)


def _domain() -> str:
    return f"gui/{os.getuid()}"


def _account_home() -> str:
    return pwd.getpwuid(os.getuid()).pw_dir


def _call(command: Command, environ: Mapping[str, str]) -> Completed:
    return run((programs.find(command[0]), *command[1:]), timeout_s=_TIMEOUT_S, env=environ)
