"""What really lies in a worktree: read from disk, whatever git says or was told not to see.

Everything that is no folder is listed, and nothing is followed. Names are bytes, as git
has them. Knows nothing of git but how a file's content becomes an object's name.

Source: gitformat-loose(5) of git's documentation, "blob"; proc_pid_mountinfo(5).
"""

from __future__ import annotations

import hashlib
import os
import re
import stat
from dataclasses import dataclass, field
from pathlib import Path

from flightdeck.system import clock
from flightdeck.system.worktree_git import Unproven

_CHUNK = 1 << 20
_MOST_FILES = 500_000
_MOUNTS = Path("/proc/self/mountinfo")
_SHA256_DIGITS = 64


@dataclass(frozen=True, slots=True)
class OnDisk:
    """A regular file or a link, as it lies there."""

    link: bool
    executable: bool
    size: int


@dataclass(frozen=True, slots=True)
class Contents:
    """Everything below a folder: paths are bytes, relative to it.

    `checkouts` are the `.git` entries below the top, `odd` what is neither file, link nor
    folder, `mounts` folders on another file system.
    """

    files: dict[bytes, OnDisk] = field(default_factory=dict)
    checkouts: list[bytes] = field(default_factory=list)
    odd: list[bytes] = field(default_factory=list)
    mounts: list[bytes] = field(default_factory=list)


def read_contents(top: str, until: float) -> Contents:
    """Return what lies below `top`; `until` is a deadline in monotonic seconds.

    Raises:
        Unproven: something cannot be read, or there is too much for the time.
    """
    root = os.fsencode(top)
    found = Contents()
    try:
        device = os.lstat(root).st_dev
        waiting = [b""]
        while waiting:
            if clock.monotonic() > until or len(found.files) > _MOST_FILES:
                raise Unproven("there is too much in it to be looked at in time")
            waiting += _read_folder(root, waiting.pop(), device, found)
        found.mounts.extend(_mounts(root))
    except OSError as error:
        where = os.fsdecode(error.filename or root)
        raise Unproven(f"{where} cannot be read: {error.strerror}") from error
    return found


def _read_folder(root: bytes, folder: bytes, device: int, found: Contents) -> list[bytes]:
    """Take in one folder and return the folders in it."""
    below: list[bytes] = []
    with os.scandir(root + b"/" + folder) as entries:
        for entry in entries:
            path = folder + entry.name
            info = entry.stat(follow_symlinks=False)
            # On a file system that ignores case, git takes any spelling for its own.
            if entry.name.lower() == b".git":
                if folder:
                    found.checkouts.append(path)
                    continue
                if stat.S_ISREG(info.st_mode):
                    continue
            if info.st_dev != device:
                found.mounts.append(path)
            elif stat.S_ISDIR(info.st_mode):
                below.append(path + b"/")
            elif stat.S_ISREG(info.st_mode) or stat.S_ISLNK(info.st_mode):
                found.files[path] = OnDisk(
                    stat.S_ISLNK(info.st_mode), bool(info.st_mode & stat.S_IXUSR), info.st_size
                )
            else:
                found.odd.append(path)
    return below


def _mounts(root: bytes) -> list[bytes]:
    """Return what is mounted below `root`; a folder bound to itself has no device of its own."""
    try:
        lines = _MOUNTS.read_bytes().splitlines()
    except FileNotFoundError:
        return []
    points = [_unescaped(line.split(b" ")[4]) for line in lines if line.count(b" ") > 4]
    return [point[len(root) + 1 :] for point in points if point.startswith(root + b"/")]


def _unescaped(text: bytes) -> bytes:
    return re.sub(rb"\\([0-7]{3})", lambda octal: bytes([int(octal[1], 8)]), text)


def same_blob(top: str, path: bytes, entry: OnDisk, name: str) -> bool:
    """Say whether a file's bytes, or a link's target, are those of the blob called `name`.

    Raises:
        Unproven: it cannot be read, or changes while it is.
    """
    full = os.fsencode(top) + b"/" + path
    try:
        if entry.link:
            target = os.readlink(full)  # noqa: PTH115 - bytes, not a path
            digest = _digest(name, len(target))
            digest.update(target)
            return digest.hexdigest() == name
        return _file_digest(full, name, entry.size) == name
    except OSError as error:
        raise Unproven(f"{os.fsdecode(path)} cannot be read: {error.strerror}") from error


def read_whole(top: str, path: bytes, size: int) -> bytes:
    """Return the bytes of a regular file that has `size` of them.

    Raises:
        Unproven: it cannot be read, or is not that long any more.
    """
    full = os.fsencode(top) + b"/" + path
    try:
        handle = _opened(full, size)
        with os.fdopen(handle, "rb") as stream:
            data = stream.read(size + 1)
    except OSError as error:
        raise Unproven(f"{os.fsdecode(path)} cannot be read: {error.strerror}") from error
    if len(data) != size:
        raise _changing(path)
    return data


def _file_digest(full: bytes, name: str, size: int) -> str:
    digest = _digest(name, size)
    handle, left = _opened(full, size), size
    try:
        while data := os.read(handle, min(_CHUNK, left + 1)):
            digest.update(data)
            left -= len(data)
            if left < 0:
                break
    finally:
        os.close(handle)
    if left:
        raise _changing(full)
    return digest.hexdigest()


def _opened(full: bytes, size: int) -> int:
    # What was a file a moment ago may be a link or a FIFO now: neither is followed.
    handle = os.open(full, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    info = os.fstat(handle)
    if stat.S_ISREG(info.st_mode) and info.st_size == size:
        return handle
    os.close(handle)
    raise _changing(full)


def _changing(path: bytes) -> Unproven:
    return Unproven(f"{os.fsdecode(path)} changes while it is read")


def _digest(name: str, size: int) -> hashlib._Hash:
    """Begin the name of a blob, in the hash the repository uses."""
    chosen = hashlib.sha256 if len(name) == _SHA256_DIGITS else hashlib.sha1
    return chosen(b"blob %d\0" % size, usedforsecurity=False)
