"""What `doctor` says of the services: in place, loaded, able to start, and run of late.

Looks, and changes nothing.

Source: README.md, "Services".
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from flightdeck.errors import FlightdeckError
from flightdeck.install import service_record, standing
from flightdeck.model.finding import Finding, Known, failure, ok, warning

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from flightdeck.install.services import Services
    from flightdeck.install.units import Job, Site

_APPLY = "flightdeck apply"
# A machine under load, or one that has just woken up, is no fault of the timer.
_LATE_S = 60.0
_MISSED = 4


def inspect_services(
    services: Services, wanted: Sequence[Job], site: Site, now: float
) -> Iterator[Finding]:
    """Return what there is to say of the jobs; the first of `wanted` is the reaper.

    `now` is in seconds since the epoch.
    """
    manager = services.manager
    if manager.absent:
        what = "no timer folds, because {why}; a panel and every command do"
        yield ok(what, why=manager.absent)
        return
    if not services.has(wanted[0]):
        what = "no timer folds: slots of dead sessions stay until a panel or a command looks"
        yield warning(what, _APPLY)
        return
    try:
        plan = services.plan(wanted, site)
    except FlightdeckError as error:
        yield failure("{message}", "{hint}", message=error.message, hint=error.hint)
        return
    faults = [*_cannot_start(services), *_late(services, wanted[0], now)]
    title = Known(manager.title)
    if plan.changes:
        files = ", ".join(str(change.file) for change in plan.changes)
        yield warning("out of date: {files}", _APPLY, files=files)
    elif not plan.is_none:
        yield failure("installed, and not loaded by {manager}", _APPLY, manager=title)
    elif not faults:
        names = Known(" and ".join(job.name for job in wanted))
        every = wanted[0].every_s
        yield ok("{jobs} by {manager}, every {s} s", jobs=names, manager=title, s=every)
    yield from faults


def _cannot_start(services: Services) -> Iterator[Finding]:
    """An upgrade may take away the very interpreter a command was written for."""
    record = service_record.load(services.state)
    if record is None or not record.executable:
        return
    command = Path(record.executable)
    gone = standing.missing(command)
    if gone == command:
        yield failure("services start {command}, which is not there", _APPLY, command=command)
    elif gone:
        what = "services start {command}, whose interpreter {gone} is not there"
        yield failure(what, f"install flightdeck again, then {_APPLY}", command=command, gone=gone)


def _late(services: Services, reaper: Job, now: float) -> Iterator[Finding]:
    """Each pass leaves its time behind; a timer that was just put there has not fired yet."""
    times = [path.stat().st_mtime for path in services.files_of(reaper) if path.exists()]
    if services.state.reaped.exists():
        times.append(services.state.reaped.stat().st_mtime)
    age = now - max(times, default=now)
    if age > max(_LATE_S, _MISSED * reaper.every_s):
        what = "the timer is there, and nothing was folded by it for {age:.0f} s"
        yield warning(what, services.manager.log_hint(reaper), age=age)
