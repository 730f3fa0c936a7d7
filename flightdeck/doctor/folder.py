"""The state folder: there, private, ours, writable, on a disk that keeps promises, and folded.

Source: README.md, "The state folder".
"""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import TYPE_CHECKING

from flightdeck.install.snippets import BOUND
from flightdeck.model.finding import Finding, Known, Level, failure, ok, warning
from flightdeck.store import asks
from flightdeck.store.instance import running_panel
from flightdeck.system import clock

if TYPE_CHECKING:
    from collections.abc import Iterator

    from flightdeck.doctor.machine import Machine
    from flightdeck.store.paths import StateFolder

_APPLY, _REAP = "flightdeck apply", "flightdeck reap"
_STALE_S = 60.0
# The least a fold and a log need; below it writes fail one after the other.
_ROOM_BYTES = 4 * 1024 * 1024
_LOG_BYTES = 4 * 1024 * 1024
_ELSEWHERE = "set FLEET_HOME to a folder of your own on this machine, then `flightdeck apply`"
# Locks, links or pipes are missing there, or are known to this machine alone.
_SHARED = frozenset(
    ("afs", "cifs", "exfat", "fuse.rclone", "fuse.sshfs", "nfs", "nfs4", "smb3", "smbfs", "vfat")
)
_SYNCED = ("CloudStorage", "Dropbox", "Google Drive", "Mobile Documents", "OneDrive")


def look(machine: Machine) -> Iterator[Finding]:
    """Say of the state folder what is wrong with it."""
    folder = machine.folder
    faults = list(_absent(folder.root))
    if not faults:
        faults = list(_access(folder))
        if all(fault.level is not Level.FAILURE for fault in faults):
            faults += [*_disk(folder.root, machine.root), *_unfolded(folder), *_leftovers(folder)]
    yield from faults or [ok("state folder {folder}", folder=folder.root)]


def _absent(root: Path) -> Iterator[Finding]:
    try:
        os.lstat(root)
    except FileNotFoundError:
        yield warning("{folder} is not there yet", _APPLY, folder=root)
        return
    except OSError as error:
        why = Known(error.strerror or "it cannot be looked at")
        yield failure("{folder} cannot be reached: {why}", _ELSEWHERE, folder=root, why=why)
        return
    if not root.exists():
        where = root.readlink()
        what = "{folder} is a link to {other}, which is not there"
        yield failure(what, "rm {folder} && flightdeck apply", folder=root, other=where)
    elif not root.is_dir():
        hint = "mv {folder} {folder}.old && flightdeck apply"
        yield failure("{folder} is not a folder", hint, folder=root)


def _access(folder: StateFolder) -> Iterator[Finding]:
    root, info = folder.root, folder.root.stat()
    mode = stat.S_IMODE(info.st_mode)
    if info.st_uid != os.geteuid():
        yield failure("{folder} belongs to somebody else", _ELSEWHERE, folder=root)
        return
    if mode & 0o077:
        what, told = "{folder} can be read by others (mode {mode})", Known(f"{mode:o}")
        yield warning(what, "chmod 700 {folder}", folder=root, mode=told)
    if os.statvfs(root).f_flag & os.ST_RDONLY:
        yield failure("{folder} is on a disk that is read-only", _ELSEWHERE, folder=root)
        return
    if mode & 0o700 != 0o700 or not os.access(root, os.R_OK | os.W_OK | os.X_OK):
        what, told = "{folder} cannot be used (mode {mode})", Known(f"{mode:o}")
        yield failure(what, "chmod 700 {folder}", folder=root, mode=told)
        return
    for part in (folder.inbox, folder.sessions, folder.asks, folder.queue, folder.log):
        if part.exists() and not part.is_dir():
            hint = "mv {folder} {folder}.old && flightdeck apply"
            yield failure("{folder} is not a folder", hint, folder=part)


def _disk(root: Path, machine: Path) -> Iterator[Finding]:
    disk = os.statvfs(root)
    room = disk.f_bavail * disk.f_frsize
    if room < _ROOM_BYTES or (disk.f_files and not disk.f_favail):
        what = "the disk of {folder} is full: {room} kB are left"
        hint = "see what fills it: df -h {folder}"
        yield failure(what, hint, folder=root, room=room // 1024)
    real = Path(os.path.realpath(root))
    if kind := _kind_of_disk(real, machine):
        what = "{folder} is on a disk of kind {kind}: locks, links or pipes do not hold there"
        yield warning(what, _ELSEWHERE, folder=root, kind=Known(kind))
    if synced := next((name for name in _SYNCED if name in real.parts), ""):
        what = "{folder} is copied to other machines by {name}: what it holds is this one's"
        yield warning(what, _ELSEWHERE, folder=root, name=Known(synced))


def _kind_of_disk(real: Path, machine: Path) -> str:
    """Return what the disk of a folder is, if it is of a kind to be warned of; Linux only."""
    try:
        lines = (machine / "proc/self/mountinfo").read_text("utf-8", "replace").splitlines()
    except OSError:
        return ""
    best: tuple[int, str] = (0, "")
    for line in lines:
        before, _, after = line.partition(" - ")
        words, kinds = before.split(" "), after.split(" ")
        mount = Path(_unescaped(words[4])) if len(words) > 4 else None
        if mount and kinds and (mount == real or mount in real.parents):
            best = max(best, (len(mount.parts), kinds[0]), key=lambda found: found[0])
    return best[1] if best[1] in _SHARED else ""


def _unescaped(path: str) -> str:
    return path.replace("\\040", " ").replace("\\011", "\t").replace("\\134", "\\")


def _unfolded(folder: StateFolder) -> Iterator[Finding]:
    waiting = sum(1 for _ in folder.inbox.glob("*.ev")) if folder.inbox.is_dir() else 0
    age = clock.now() - folder.slots.stat().st_mtime if folder.slots.exists() else 0.0
    if waiting >= BOUND:
        what = "{count} events wait, and hooks put no more beside them: nobody folds"
        yield failure(what, _REAP, count=waiting)
    elif waiting and age > _STALE_S:
        what = "{count} events wait, nobody has folded for {age:.0f} s"
        yield warning(what, _REAP, count=waiting, age=age)


def _leftovers(folder: StateFolder) -> Iterator[Finding]:
    """What crashes leave, as far as nobody would ever clear it away."""
    if running_panel(folder) is None and (fifos := asks.standing(folder.asks)):
        what = "{count} pipe{s} of permission hooks left by a panel that has gone"
        plural = Known("" if len(fifos) == 1 else "s")
        yield warning(what, _REAP, count=len(fifos), s=plural)
    for path in sorted(folder.log.glob("*.out")):
        if (size := path.stat().st_size) > _LOG_BYTES:
            what = "{file} has grown to {size} MB"
            yield warning(what, _REAP, file=path, size=size // 1_000_000)
