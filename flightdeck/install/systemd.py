"""The systemd user manager: whether one answers here, where it reads units, what it is told.

Source: systemctl(1); org.freedesktop.systemd1(5), "UnitPath".
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from flightdeck.errors import Unavailable
from flightdeck.hosts import programs
from flightdeck.install.commanding import failed
from flightdeck.install.units import systemd_files, unit
from flightdeck.system.run import run

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from flightdeck.install.commanding import Command
    from flightdeck.install.units import Job, Site
    from flightdeck.system.run import Completed

# A panel that is started again may take its time to end.
_TIMEOUT_S = 30.0
_ASK = "systemctl", "--user"
_QUOTED_OR_PLAIN = re.compile(r'"((?:[^"\\]|\\.)*)"|(\S+)')


@dataclass(frozen=True, slots=True)
class Systemd:
    """The manager of this user; `absent` says why none can be used, and is empty if one can."""

    folder: Path
    absent: str = ""
    environ: Mapping[str, str] = field(default_factory=dict)

    title: ClassVar[str] = "systemd"

    def names(self, job: Job) -> tuple[str, ...]:
        """Return the files the job consists of; what starts it comes last."""
        return tuple(dict.fromkeys((f"flightdeck-{job.name}.service", unit(job))))

    def files(self, job: Job, site: Site) -> dict[str, str]:
        """Return the text of each of them."""
        return systemd_files(job, site)

    def log_hint(self, job: Job) -> str:
        """Return the command that says how the job fares."""
        return f"systemctl --user status flightdeck-{job.name}.service"

    def start_hint(self, job: Job) -> str:
        """Return the command that starts the job by hand."""
        return f"systemctl --user start flightdeck-{job.name}.service"

    def beside(self) -> tuple[Path, ...]:
        """Return the folders the manager itself makes beside our files."""
        return tuple(self.folder / f"{name}.target.wants" for name in ("timers", "default"))

    def standing(self, jobs: Collection[Job]) -> frozenset[str]:
        """Return the names of the jobs that start by themselves, and of timers that run.

        Raises:
            FlightdeckError: the manager does not say.
        """
        if self.absent or not jobs:
            return frozenset()
        asked = ("Id", "UnitFileState", "ActiveState", "NeedDaemonReload")
        words = (*_ASK, "show", *(f"-p{name}" for name in asked), "--", *map(unit, jobs))
        told = self.perform(words)
        found = [_pairs(block) for block in told.out.split("\n\n")]
        up = {pairs.get("Id") for pairs in found if _stands(pairs)}
        return frozenset(job.name for job in jobs if unit(job) in up)

    def before(
        self, going: Collection[Job], changed: Collection[Job], standing: Collection[str]
    ) -> tuple[Command, ...]:
        """Return what is said before files change; `changed` go on until they are replaced."""
        del changed, standing
        units = [unit(job) for job in going if (self.folder / unit(job)).exists()]
        return ((*_ASK, "disable", "--now", *units),) if units and not self.absent else ()

    def after(self, going: Collection[Job], changed: Collection[Job]) -> tuple[Command, ...]:
        """Return what is said once the files are as they should be."""
        if self.absent or not (going or changed):
            return ()
        units = tuple(map(unit, changed))
        start = ((*_ASK, "enable", *units), (*_ASK, "restart", *units)) if units else ()
        return ((*_ASK, "daemon-reload"), *start)

    def perform(self, command: Command) -> Completed:
        """Run one of these commands.

        Raises:
            FlightdeckError: it failed; says how, and what to run by hand.
        """
        done = _call(command, self.environ)
        if done.code:
            raise failed(command, done)
        return done

    def sweep(self, jobs: Collection[Job]) -> None:
        """Take out links to what is gone: without a manager nobody else does."""
        gone = [unit(job) for job in jobs if not (self.folder / unit(job)).exists()]
        for folder in self.folder.glob("*.wants"):
            for link in (folder / name for name in gone):
                if link.is_symlink():
                    link.unlink()


def find_systemd(environ: Mapping[str, str]) -> Systemd:
    """Return the user manager, to be used only if it reads the units of this very home."""
    home = Path(environ.get("HOME", "").strip() or Path.home())
    named = environ.get("XDG_CONFIG_HOME", "").strip()
    config = [Path(named)] if named and Path(named).is_absolute() else []
    places = [path / "systemd" / "user" for path in (*config, home / ".config")]
    # A login by `su` has no name for the folder the manager listens in.
    env = {"XDG_RUNTIME_DIR": f"/run/user/{os.getuid()}", **environ}
    try:
        told = _call((*_ASK, "show", "-pUnitPath", "--value"), env)
    except Unavailable:
        return Systemd(places[0], "there is no systemd here")
    if told.code:
        return Systemd(places[0], "no systemd user manager answers here")
    read = {re.sub(r"\\(.)", r"\1", a) or b for a, b in _QUOTED_OR_PLAIN.findall(told.out)}
    for place in places:
        if str(place) in read:
            return Systemd(place, "", env)
    return Systemd(places[0], f"the systemd user manager reads no units in {places[0]}")


def _call(command: Command, environ: Mapping[str, str]) -> Completed:
    return run((programs.find(command[0]), *command[1:]), timeout_s=_TIMEOUT_S, env=environ)


def _pairs(block: str) -> dict[str, str]:
    return dict(line.split("=", 1) for line in block.splitlines() if "=" in line)


def _stands(pairs: Mapping[str, str]) -> bool:
    """A panel may be down for a good reason; a timer that does not run is none."""
    runs = pairs.get("ActiveState") == "active" or not pairs.get("Id", "").endswith(".timer")
    enabled = pairs.get("UnitFileState") == "enabled"
    return enabled and runs and pairs.get("NeedDaemonReload") == "no"
