"""What is handed to launchd and systemd: two jobs, and the files that describe them.

Everything a job needs is written into its file, for a service manager starts it with next
to no environment. Pure but for the templates; knows no manager that runs.

Source: launchd.plist(5); systemd.service(5), systemd.timer(5), "QUOTING" and
"SPECIFIERS" in systemd.syntax(7) and systemd.unit(5).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from flightdeck.errors import FlightdeckError
from flightdeck.templating import render_markup, render_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

_VERSION = 1
# Any version is ours: an older file has to be recognised to be replaced.
_MARK = re.compile(rb"^(?:# |<!-- )flightdeck:[0-9]+:service\b", re.MULTILINE)
_MARK_WITHIN = 400

# systemd refuses these in the name of a program, quoted or not.
_NOT_IN_A_PROGRAM = re.compile(r"[\"'\\]")
_PLAIN_WORD = re.compile(r"[\w@+=:,./-]+", re.ASCII)


@dataclass(frozen=True, slots=True)
class Job:
    """One thing that runs by itself: `every_s` seconds apart, or 0 for all the time."""

    name: str
    what: str
    words: tuple[str, ...]
    every_s: int = 0


@dataclass(frozen=True, slots=True)
class Site:
    """What is written into every file of this machine: the command, folder and environment."""

    executable: Path
    root: Path
    environment: Mapping[str, str]

    def log(self, job: Job) -> str:
        """Return the file that gets what the job says."""
        return str(self.root / "log" / f"{job.name}.out")


def reaper(every_ms: int) -> Job:
    """Return the job that folds when nobody else does; `every_ms` in milliseconds."""
    return Job("reap", "flightdeck: free the slots of dead sessions", ("reap",), every_ms // 1000)


def panel() -> Job:
    """Return the job that keeps the panel on the deck."""
    return Job("panel", "flightdeck: the panel", ("run",))


def is_ours(content: bytes) -> bool:
    """Say whether a file carries our mark, of this version or another."""
    return _MARK.search(content[:_MARK_WITHIN]) is not None


def label(job: Job) -> str:
    """Return what launchd calls the job."""
    return f"flightdeck.{job.name}"


def unit(job: Job) -> str:
    """Return the unit of systemd that is enabled for the job."""
    return f"flightdeck-{job.name}.{'timer' if job.every_s else 'service'}"


def launchd_files(job: Job, site: Site) -> dict[str, str]:
    """Return the text of each file launchd needs for the job, by its name.

    Raises:
        FlightdeckError: a path cannot stand in a file of UTF-8 text.
    """
    values = {
        "version": _VERSION,
        "label": label(job),
        "words": [_checked(word) for word in (str(site.executable), *job.words)],
        "environment": {name: _checked(value) for name, value in site.environment.items()},
        "log": _checked(site.log(job)),
        "every_s": job.every_s,
    }
    return {f"{label(job)}.plist": render_markup("services/launchd.plist.j2", values)}


def systemd_files(job: Job, site: Site) -> dict[str, str]:
    """Return the text of each file systemd needs for the job, by its name.

    Raises:
        FlightdeckError: a path cannot stand in a file of UTF-8 text.
    """
    values = {
        "version": _VERSION,
        "what": job.what,
        "command": _command((str(site.executable), *job.words)),
        "environment": [_word(f"{name}={value}") for name, value in site.environment.items()],
        "log": _checked(site.log(job)).replace("%", "%%"),
        "every_s": job.every_s,
    }
    found = {
        f"flightdeck-{job.name}.service": render_text("services/systemd.service.j2", values),
    }
    if job.every_s:
        found[unit(job)] = render_text("services/systemd.timer.j2", values)
    return found


def _command(words: Iterable[str]) -> str:
    program, *others = words
    if _NOT_IN_A_PROGRAM.search(program):
        return _command(("/bin/sh", "-c", 'exec "$0" "$@"', program, *others))
    # The colon says that a dollar is a dollar.
    colon = ":" if any("$" in word for word in (program, *others)) else ""
    return colon + " ".join(map(_word, (program, *others)))


def _word(text: str) -> str:
    """Return one word for systemd, whatever is in it."""
    safe = _checked(text).replace("%", "%%")
    if _PLAIN_WORD.fullmatch(text):
        return safe
    quoted = safe.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{quoted}"'


def _checked(text: str) -> str:
    if not text.isprintable():
        raise FlightdeckError(
            f"{text!r} cannot be written into a service",
            "use a folder whose name has no control characters and is valid UTF-8",
        )
    return text
