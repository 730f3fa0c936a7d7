"""The FIFOs of permission hooks that wait, `asks/<pid>.fifo`, and what crashes left of them.

Whoever has the write end holds the hook; closing it lets the hook go with nothing
printed. Only a FIFO of this user under a hook's name counts: what else lies there is
left alone.

Source: templates/hooks/wait.sh.j2, which makes them.
"""

from __future__ import annotations

import contextlib
import errno
import os
import re
import stat
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from flightdeck.system import clock, pipes, process

if TYPE_CHECKING:
    from collections.abc import Iterable

_NAME = re.compile(r"([1-9][0-9]{0,9})\.fifo")
_REQUEST = re.compile(r"([0-9]{1,20})-([1-9][0-9]{0,9})")
# A hook makes its FIFO and comes to read within milliseconds; the inbox waits as long.
_ABANDONED_S = 30.0
# How long a sweep stands beside a hook that is about to read.
_PATIENCE_S = 0.1
_NOT_A_FIFO = frozenset({errno.ENOENT, errno.ENOTDIR, errno.ELOOP, errno.EISDIR})
RETRY_S = 0.002


@dataclass(frozen=True, slots=True)
class Fifo:
    """One of them: the pid of its hook, and when it was made, in nanoseconds since the epoch."""

    path: Path
    pid: int
    inode: tuple[int, int]
    made_ns: int

    def request(self, known: Iterable[str]) -> str:
        """Return which of the requests `known` its hook waits with, "" if none.

        A request is called `<time of its event>-<pid>`, and the FIFO was there first. So
        one with an earlier time was of another process, whose pid came round again.
        """
        found = [(int(match[1]), match[0]) for match in map(_REQUEST.fullmatch, known) if match]
        mine = [
            (at, name) for at, name in found if at >= self.made_ns and name.endswith(f"-{self.pid}")
        ]
        return min(mine)[1] if mine else ""

    def abandoned(self, now: float) -> bool:
        """Say whether nobody will come to read, if nobody reads; `now` in epoch seconds."""
        return not process.takes_signals(self.pid) or now - self.made_ns / 1e9 > _ABANDONED_S


def standing(folder: Path) -> list[Fifo]:
    """Return those there are in `folder`; none where it cannot be read."""
    found: list[Fifo] = []
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                with contextlib.suppress(OSError):
                    info = entry.stat(follow_symlinks=False)
                    found += _described(Path(entry.path), info)
    except OSError:
        return []
    return found


def waits(folder: Path, request_id: str) -> bool:
    """Say whether the hook of this request waits now; never raises."""
    match = _REQUEST.fullmatch(request_id)
    if match is None:
        return False
    path = folder / f"{match[2]}.fifo"
    try:
        found = _described(path, path.lstat())
    except OSError:
        return False
    return any(fifo.request([request_id]) for fifo in found)


def open_end(fifo: Fifo) -> int | None:
    """Return its write end, None while nobody reads.

    Raises:
        FileNotFoundError: it is gone, or another one stands in its place.
        OSError: it cannot be opened now.
    """
    flags = os.O_WRONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_NOCTTY | os.O_CLOEXEC
    try:
        handle = os.open(fifo.path, flags)
    except OSError as error:
        if error.errno == errno.ENXIO:
            return None
        if error.errno in _NOT_A_FIFO:
            raise FileNotFoundError(fifo.path) from error
        raise
    if fifo not in _described(fifo.path, os.fstat(handle)):
        os.close(handle)
        raise FileNotFoundError(fifo.path)
    return handle


def take_back(fifo: Fifo, handle: int) -> bool:
    """Say whether something written into it was left unread; if so, nobody can read it now.

    `handle` is its write end.
    """
    flags = os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC
    try:
        reader = os.open(fifo.path, flags)
    except OSError:
        return pipes.unread(handle) > 0
    try:
        if _inode(os.fstat(reader)) != fifo.inode:
            return pipes.unread(handle) > 0
        return bool(pipes.drained(reader))
    finally:
        os.close(reader)


def remove(fifo: Fifo) -> None:
    """Take it out of the folder, unless another one stands in its place."""
    with contextlib.suppress(OSError):
        if _inode(fifo.path.lstat()) == fifo.inode:
            fifo.path.unlink()


def sweep(folder: Path, *, panel_alive: bool) -> int:
    """Clear away what crashes left, and return how many FIFOs went.

    One whose hook is gone goes. With no panel alive nobody will answer the others
    either: they are let go, and print nothing.
    """
    swept = 0
    for fifo in standing(folder):
        with contextlib.suppress(OSError):  # it went by itself, or the next sweep tries again
            gone = not process.takes_signals(fifo.pid)
            if gone or (not panel_alive and (_let_go(fifo) or fifo.abandoned(clock.now()))):
                remove(fifo)
                swept += 1
    return swept


def _let_go(fifo: Fifo) -> bool:
    """End the hook that reads it; return whether there was one within a moment."""
    until = clock.monotonic() + _PATIENCE_S
    while (handle := open_end(fifo)) is None:
        if clock.monotonic() >= until:
            return False
        clock.pause(RETRY_S)
    remove(fifo)
    os.close(handle)
    return True


def _described(path: Path, info: os.stat_result) -> list[Fifo]:
    """Return the FIFO there, if it is one of this user under a hook's name."""
    match = _NAME.fullmatch(path.name)
    if not match or not stat.S_ISFIFO(info.st_mode) or info.st_uid != os.geteuid():
        return []
    return [Fifo(path, int(match[1]), _inode(info), info.st_mtime_ns)]


def _inode(info: os.stat_result) -> tuple[int, int]:
    return info.st_dev, info.st_ino
