"""The report for a bug: one text file in which every value was let in by name.

Nothing is copied out of a file somebody wrote: settings, layouts, verbs, prompts, titles
and branches appear as counts, sessions as numbers, paths not at all.

Source: README.md, "A report".
"""

from __future__ import annotations

import os
import platform
import re
from importlib import metadata
from typing import TYPE_CHECKING

from flightdeck import shipped
from flightdeck.doctor import told_by
from flightdeck.errors import Refused, Unavailable
from flightdeck.install import service_record
from flightdeck.install.services import ALL, Services, find_manager
from flightdeck.model.finding import Level
from flightdeck.system import clock

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from flightdeck.doctor.machine import Machine
    from flightdeck.doctor.visit import Told
    from flightdeck.store.paths import StateFolder

HEAD = """\
# A report of flightdeck

Written by `flightdeck doctor --report`. Read it before you send it.

It holds: versions, what `doctor` found, which hooks and services are in place, how many files
the state folder holds and how old they are, the states of sessions, and the last lines of the
journal and of the panel's log. It does not hold: paths, names of people, machines, projects,
branches or sessions, titles, prompts, tool input, your settings, layouts and verbs, or anything
of your environment. What is not known to flightdeck by name stands as <what it is>.
"""
_LIBRARIES = (
    *("strictyaml", "jinja2", "streamdeck", "hidapi", "cairosvg", "cairocffi", "resvg-py"),
    *("pillow", "watchdog", "tree-sitter", "tree-sitter-bash", "rich", "iterm2"),
)
_VERSION = re.compile(r"\d+(?:\.\d+){0,3}")
_OWN = (("layouts", "*.yaml"), ("verbs", "*.md"), ("risk", "*.yaml"), ("templates", "**/*.j2"))


def write_report(machine: Machine, told: Sequence[Told], path: Path) -> None:
    """Write the report of a visit to a new file, for its owner alone.

    Raises:
        Refused: something stands there already.
        Unavailable: it cannot be written.
    """
    text = render(machine, told)
    try:
        _write_new(path, text)
    except FileExistsError as error:
        hint = "name another file: flightdeck doctor --report FILE"
        raise Refused(f"'{path}' is there already", hint) from error
    except OSError as error:
        raise Unavailable(f"cannot write '{path}': {error.strerror}") from error


def _write_new(path: Path, text: str) -> None:
    """Write a file that is not there yet; one that cannot be written whole is not left."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
    handle = os.open(path, flags, 0o600)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as stream:
            stream.write(text)
    except BaseException:
        path.unlink()
        raise


def render(machine: Machine, told: Sequence[Told]) -> str:
    """Return the report of a visit."""
    parts = (
        ("Versions", _versions(machine)),
        ("Found", _findings(told)),
        ("Hooks", told_by.hooks(machine)),
        ("Services", _services(machine)),
        ("State folder", _folder(machine.folder)),
        ("Sessions and journal", told_by.sessions(machine.folder)),
        ("Log of the panel, its end", told_by.log(machine.folder.log / "panel.log")),
        ("Last crash", told_by.log(machine.folder.log / "crash.log")),
    )
    return HEAD + "".join(f"\n## {title}\n\n{_block(lines)}" for title, lines in parts)


def _block(lines: Iterable[str]) -> str:
    text = "\n".join(_as_far_as_told(lines))
    return f"```\n{text or 'nothing'}\n```\n"


def _as_far_as_told(lines: Iterable[str]) -> Iterator[str]:
    """Yield lines up to a fault, and its kind: a report is wanted where something is broken."""
    try:
        yield from lines
    except Exception as error:  # a bug in one part must not keep the others from being had
        yield f"the rest could not be looked at: {type(error).__name__}"


def _versions(machine: Machine) -> Iterator[str]:
    client = machine.client
    told = ".".join(map(str, client.version)) if client and client.version else "of no version"
    yield f"flightdeck {_installed('flightdeck')}"
    yield f"python {platform.python_version()} ({platform.python_implementation()})"
    yield f"{platform.system()} {_plain(platform.release())} {platform.machine()}"
    yield f"claude {told}" if client else "no claude"
    yield from (f"{name} {_installed(name)}" for name in _LIBRARIES)


def _installed(name: str) -> str:
    try:
        return _plain(metadata.version(name))
    except metadata.PackageNotFoundError:
        return "is not installed"


def _plain(version: str) -> str:
    """Return the numbers a version begins with; what follows may be anybody's words."""
    found = _VERSION.match(version)
    return found[0] if found else "of no known version"


def _findings(told: Iterable[Told]) -> Iterator[str]:
    for one in told:
        for finding in one.findings:
            what, hint = finding.public
            yield f"{finding.level.value:<8} {one.part:<9} {what}"
            if hint and finding.level is not Level.OK:
                yield f"{'':<18} mend: {hint}"


def _services(machine: Machine) -> Iterator[str]:
    services = Services(find_manager(machine.environ, machine.platform), machine.folder)
    yield f"{services.manager.title}, {'absent' if services.manager.absent else 'there'}"
    for job in ALL:
        count = sum(path.exists() for path in services.files_of(job))
        yield f"{job.name}: {count} files, {'ours' if services.has(job) else 'none of ours'}"
    record = service_record.load(machine.folder)
    yield f"record: {'settled' if record.settled else 'unsettled'}" if record else "no record"


def _folder(folder: StateFolder) -> Iterator[str]:
    now = clock.now()
    for name in ("inbox", "sessions", "asks", "queue", "gate", "blocked", "compiled", "log"):
        ages = sorted(now - info.st_mtime for info in _infos(folder.root / name))
        span = f", {ages[0]:.0f} to {ages[-1]:.0f} s old" if ages else ""
        yield f"{name + '/':<14} {len(ages)} files{span}"
    for path in (folder.slots, folder.journal, folder.lock, folder.panel_pid, folder.selected):
        yield f"{path.name:<14} {_aged(path, now)}"
    yield f"{'halt':<14} {'stands' if os.path.lexists(folder.halt) else 'is not there'}"
    for name, pattern in _OWN:
        mine, ours = folder.root / name, shipped.folder(name)
        own = list(mine.glob(pattern))
        known = sum((ours / path.relative_to(mine)).exists() for path in own)
        yield f"{name + '/':<14} {len(own)} files of one's own, {known} in place of a shipped one"
    yield f"{'local.yaml':<14} {_aged(folder.local, now)}"


def _infos(folder: Path) -> list[os.stat_result]:
    try:
        with os.scandir(folder) as entries:
            return [entry.stat(follow_symlinks=False) for entry in entries]
    except OSError:
        return []


def _aged(path: Path, now: float) -> str:
    try:
        info = path.lstat()
    except OSError:
        return "is not there"
    return f"{info.st_size} bytes, {now - info.st_mtime:.0f} s old, mode {info.st_mode & 0o777:o}"
