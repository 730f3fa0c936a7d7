"""What `doctor` says of the services: in place, loaded, able to start, and run of late.

Looks, and changes nothing.

Source: README.md, "Services".
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from flightdeck.errors import FlightdeckError
from flightdeck.install import service_record
from flightdeck.install.inspect import Finding, Level

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from flightdeck.install.services import Services
    from flightdeck.install.units import Job, Site

_APPLY = "flightdeck apply"
# A machine under load, or one that has just woken up, is no fault of the timer.
_LATE_S = 60.0
_MISSED = 4
_SHEBANG = 512


def inspect_services(
    services: Services, wanted: Sequence[Job], site: Site, now: float
) -> Iterator[Finding]:
    """Return what there is to say of the jobs; the first of `wanted` is the reaper.

    `now` is in seconds since the epoch.
    """
    manager = services.manager
    if manager.absent:
        what = f"no timer folds, because {manager.absent}; a panel and every command do"
        yield Finding(Level.OK, what)
        return
    if not services.has(wanted[0]):
        what = "no timer folds: slots of dead sessions stay until a panel or a command looks"
        yield Finding(Level.WARNING, what, _APPLY)
        return
    try:
        plan = services.plan(wanted, site)
    except FlightdeckError as error:
        yield Finding(Level.FAILURE, error.message, error.hint)
        return
    faults = [*_cannot_start(services), *_late(services, wanted[0], now)]
    if plan.changes:
        files = ", ".join(str(change.file) for change in plan.changes)
        yield Finding(Level.WARNING, f"out of date: {files}", _APPLY)
    elif not plan.is_none:
        what = f"installed, and not loaded by {manager.title}"
        yield Finding(Level.FAILURE, what, _APPLY)
    elif not faults:
        names = " and ".join(job.name for job in wanted)
        yield Finding(Level.OK, f"{names} by {manager.title}, every {wanted[0].every_s} s")
    yield from faults


def _cannot_start(services: Services) -> Iterator[Finding]:
    """An upgrade may take away the very interpreter a command was written for."""
    record = service_record.load(services.state)
    if record is None or not record.executable:
        return
    command = Path(record.executable)
    if not os.access(command, os.X_OK):
        yield Finding(Level.FAILURE, f"services start {command}, which is not there", _APPLY)
    elif gone := _gone_interpreter(command):
        what = f"services start {command}, whose interpreter {gone} is not there"
        yield Finding(Level.FAILURE, what, f"install flightdeck again, then {_APPLY}")


def _gone_interpreter(command: Path) -> str:
    with command.open("rb") as stream:
        line = stream.readline(_SHEBANG)
    words = line[2:].split() if line.startswith(b"#!") else []
    interpreter = os.fsdecode(words[0]) if words else ""
    return "" if not interpreter or os.access(interpreter, os.X_OK) else interpreter


def _late(services: Services, reaper: Job, now: float) -> Iterator[Finding]:
    """Each pass leaves its time behind; a timer that was just put there has not fired yet."""
    times = [path.stat().st_mtime for path in services.files_of(reaper) if path.exists()]
    if services.state.reaped.exists():
        times.append(services.state.reaped.stat().st_mtime)
    age = now - max(times, default=now)
    if age > max(_LATE_S, _MISSED * reaper.every_s):
        what = f"the timer is there, and nothing was folded by it for {age:.0f} s"
        yield Finding(Level.WARNING, what, services.manager.log_hint(reaper))
