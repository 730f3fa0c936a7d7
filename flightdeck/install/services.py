"""Our jobs as files of the service manager: planned, put there, taken out, all or nothing.

A file of ours carries a mark; one without it, and whatever is no plain file, is somebody
else's and is never touched. Whoever is killed half-way is caught up with by the next run.

Source: README.md, "Services".
"""

from __future__ import annotations

import contextlib
import os
import stat
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from flightdeck.errors import FlightdeckError
from flightdeck.install import service_record as records
from flightdeck.install.folders import missing, refuse_dangling, take_out
from flightdeck.install.launchd import Launchd, find_launchd
from flightdeck.install.service_files import content, ours, put
from flightdeck.install.service_record import ServiceRecord
from flightdeck.install.systemd import Systemd, find_systemd
from flightdeck.install.target import Change
from flightdeck.install.units import panel, reaper
from flightdeck.model.layout import Timings
from flightdeck.store import files

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from flightdeck.install.commanding import Command
    from flightdeck.install.units import Job, Site
    from flightdeck.store.paths import StateFolder

Manager = Launchd | Systemd

# Everything we ever install, whatever its interval.
ALL = (reaper(Timings().reap_ms), panel())


@dataclass(frozen=True, slots=True)
class ServicePlan:
    """What would become of the files, and what the manager would be told before and after.

    `entering` are the jobs to be started anew, `leaving` those to be taken out.
    """

    changes: tuple[Change, ...] = ()
    before: tuple[Command, ...] = ()
    after: tuple[Command, ...] = ()
    entering: tuple[Job, ...] = ()
    leaving: tuple[Job, ...] = ()
    unsettled: bool = False

    @property
    def is_none(self) -> bool:
        """Whether all is as it should be."""
        return not (self.changes or self.before or self.after or self.unsettled)


def find_manager(environ: Mapping[str, str], platform: str) -> Manager:
    """Return the service manager of this user on this machine; it may be absent."""
    return find_launchd(environ) if platform == "darwin" else find_systemd(environ)


@dataclass(frozen=True, slots=True)
class Services:
    """Our jobs with one manager, remembered in one state folder."""

    manager: Manager
    state: StateFolder

    def has(self, job: Job) -> bool:
        """Say whether a file of that job is there, and ours."""
        return any(ours(path) is not None for path in self.files_of(job))

    def plan(self, wanted: Sequence[Job] = (), site: Site | None = None) -> ServicePlan:
        """Return what it takes to have the jobs `wanted`, and none of ours beside them.

        `site` is needed only where a job is wanted at all.

        Raises:
            Refused: something that is not ours has the name of a file we need.
            FlightdeckError: a file cannot be read, or the manager does not say what runs.
        """
        record = records.load(self.state)
        unsettled = record is not None and not (record.settled and wanted)
        texts = {
            self.manager.folder / name: text.encode()
            for job in wanted
            if site
            for name, text in self.manager.files(job, site).items()
        }
        changes = [change for change in self._all_changes(texts, record) if not change.is_none]
        if changes and wanted:
            refuse_dangling(self.manager.folder)
        standing = self.manager.standing((*wanted, *_without(wanted)))
        leaving = tuple(job for job in _without(wanted) if self._is_here(job, standing))
        entering = tuple(
            job
            for job in wanted
            if unsettled or job.name not in standing or self._is_in(job, changes)
        )
        return ServicePlan(
            tuple(changes),
            self.manager.before(leaving, entering, standing),
            self.manager.after(leaving or (() if wanted else _without(wanted)), entering)
            if changes or unsettled or entering
            else (),
            entering,
            leaving,
            unsettled,
        )

    def perform(self, wanted: Sequence[Job] = (), site: Site | None = None) -> ServicePlan:
        """Do what `plan` says, and return it.

        Raises:
            FlightdeckError: nothing was changed; says why.
        """
        plan = self.plan(wanted, site)
        if plan.is_none:
            return plan
        known = records.load(self.state)
        try:
            kept = self._begin(known, wanted, site)
            self._write(plan)
            self._finish(wanted, kept)
            self._verify(wanted, site)
        except BaseException as error:
            self._undo(plan, known)
            if isinstance(error, OSError):
                told = f"cannot write {error.filename or self.manager.folder}: {error.strerror}"
                raise FlightdeckError(
                    told, "make it writable, or `flightdeck apply --no-services`"
                ) from error
            raise
        return plan

    def _begin(
        self, known: ServiceRecord | None, wanted: Sequence[Job], site: Site | None
    ) -> dict[Path, int]:
        """Write down what is about to happen; return the modes of folders that must survive it."""
        folder = self.manager.folder
        made = list(known.made) if known else []
        if wanted:
            beside = [path for path in self.manager.beside() if not path.exists()]
            made += [str(path) for path in (*missing(folder), *beside) if str(path) not in made]
        executable = str(site.executable) if site else ""
        records.save(self.state, ServiceRecord(str(folder), executable, tuple(made)))
        if wanted:
            folder.mkdir(parents=True, exist_ok=True)
        there = [path for path in self.manager.beside() if path.is_dir() and str(path) not in made]
        return {path: stat.S_IMODE(path.stat().st_mode) for path in there}

    def _write(self, plan: ServicePlan) -> None:
        for command in plan.before:
            self.manager.perform(command)
        for change in plan.changes:
            put(change.file, change.after)
        for command in plan.after:
            self.manager.perform(command)

    def _finish(self, wanted: Sequence[Job], kept: Mapping[Path, int]) -> None:
        """Leave folders as they were, and write down that all is said and done."""
        self._sweep()
        for path, mode in kept.items():
            if not path.is_dir():
                path.mkdir()
                path.chmod(mode)
        record = records.load(self.state)
        if wanted and record:
            records.save(self.state, replace(record, settled=True))
            return
        take_out(record.made if record else ())
        records.forget(self.state)

    def _verify(self, wanted: Sequence[Job], site: Site | None) -> None:
        if not self.plan(wanted, site).is_none:
            raise FlightdeckError(
                f"{self.manager.title} took the services, and does not keep them",
                "please report this; `flightdeck apply --no-services` goes without",
            )

    def _undo(self, plan: ServicePlan, known: ServiceRecord | None) -> None:
        """Put everything back; what the manager refuses now was told already."""
        fresh = [job for job in plan.entering if not self._was_there(job, plan.changes)]
        old = [job for job in (*plan.entering, *plan.leaving) if job not in fresh]
        with contextlib.suppress(FlightdeckError):
            for command in self.manager.before(fresh, (), self.manager.standing(fresh)):
                self.manager.perform(command)
        for change in plan.changes:
            with contextlib.suppress(OSError):
                put(change.file, change.before)
        with contextlib.suppress(FlightdeckError):
            standing = self.manager.standing(old)
            for command in self.manager.after(fresh, [j for j in old if j.name not in standing]):
                self.manager.perform(command)
        with contextlib.suppress(OSError):
            self._sweep()
            made = records.load(self.state)
            before = known.made if known else ()
            take_out([path for path in (made.made if made else ()) if path not in before])
            if known:
                records.save(self.state, known)
            else:
                records.forget(self.state)

    def _all_changes(
        self, texts: Mapping[Path, bytes], record: ServiceRecord | None
    ) -> Iterable[Change]:
        for path, text in texts.items():
            yield Change(path, content(path), text)
        folders = [self.manager.folder, *([Path(record.folder)] if record else [])]
        for folder in dict.fromkeys(folders):
            for job in ALL:
                for name in self.manager.names(job):
                    if folder / name not in texts:
                        yield Change(folder / name, ours(folder / name), None)

    def files_of(self, job: Job) -> list[Path]:
        """Return the paths of the files the job consists of, there or not."""
        return [self.manager.folder / name for name in self.manager.names(job)]

    def _is_in(self, job: Job, changes: Iterable[Change]) -> bool:
        return bool({change.file for change in changes} & set(self.files_of(job)))

    def _is_here(self, job: Job, standing: Collection[str]) -> bool:
        """Say whether there is something of ours to take out; a stranger's job has a file."""
        orphan = job.name in standing and not any(map(os.path.lexists, self.files_of(job)))
        return orphan or self.has(job)

    def _was_there(self, job: Job, changes: Iterable[Change]) -> bool:
        own = set(self.files_of(job))
        touched = [change for change in changes if change.file in own]
        return not touched or any(change.before is not None for change in touched)

    def _sweep(self) -> None:
        """Take out what a killed run left half-written, and links that lead nowhere now."""
        for job in ALL:
            for path in self.files_of(job):
                files.forget_halves(path)
        self.manager.sweep(ALL)


def _without(wanted: Iterable[Job]) -> tuple[Job, ...]:
    here = {job.name for job in wanted}
    return tuple(job for job in ALL if job.name not in here)
