"""The one door to files that are replaced: written beside, then renamed over, and read whole."""

from __future__ import annotations

import contextlib
import errno
import os
import re
import stat
import tempfile
from functools import partial
from typing import TYPE_CHECKING

from flightdeck.system import clock

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

_HALF = r"\.{name}\.(?P<pid>[0-9]+)\.[^.]+\.tmp"
# Its process may be long gone, and its number another's by now.
_FORGOTTEN_AFTER_S = 3600.0


def read(path: Path, most: int = -1) -> bytes:
    """Return what is in a file, `most` bytes of it.

    Raises:
        OSError: it cannot be read, or is no file: a pipe of that name would hang the reader.
    """
    handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise OSError(errno.EINVAL, "not a regular file")
        with open(handle, "rb", closefd=False) as stream:
            return stream.read(most)
    finally:
        os.close(handle)


def replace(
    path: Path,
    data: bytes,
    *,
    durable: bool = False,
    mode: int = 0o600,
    like: Path | None = None,
    last_look: Callable[[], None] | None = None,
) -> None:
    """Put `data` at `path` so that a reader sees the old or the new file, never half of one.

    `durable` also forces it to disk, for files a person would miss after a power cut.
    `like` is a file whose mode is taken instead of `mode`, and, as far as this process may,
    its owner, group and extended attributes, access lists among them. `last_look` is called
    when only the rename is left; what it raises calls the rename off.
    The caller resolves links first if they are to stay links.

    Raises:
        OSError: it could not be written; `path` is as it was and nothing is left beside it.
    """
    finish = partial(_take_over, like) if like else partial(_allow, mode)
    _put(path, data, finish, durable=durable, last_look=last_look)


def copy(source: Path, path: Path) -> None:
    """Put at `path` what is at `source`, with all that `replace` takes over, and its times.

    Raises:
        OSError: it could not be read or written; nothing is left at or beside `path`.
    """

    def finish(handle: int) -> None:
        _take_over(source, handle)
        there = source.stat()
        os.utime(handle, ns=(there.st_atime_ns, there.st_mtime_ns))

    _put(path, source.read_bytes(), finish)


def forget_halves(path: Path) -> None:
    """Remove what processes that were killed while they replaced `path` left beside it.

    Raises:
        OSError: one of them cannot be removed.
    """
    _forget(path.parent, _HALF.format(name=re.escape(path.name)))


def forget_halves_in(folder: Path) -> None:
    """Do the same for every file of a folder that is ours alone.

    Raises:
        OSError: one of them cannot be removed.
    """
    _forget(folder, _HALF.format(name=".+"))


def _put(
    path: Path,
    data: bytes,
    finish: Callable[[int], None],
    *,
    durable: bool = False,
    last_look: Callable[[], None] | None = None,
) -> None:
    """Write `data` beside `path`, have the open file finished, and rename it."""
    prefix = f".{path.name}.{os.getpid()}."
    handle, name = tempfile.mkstemp(prefix=prefix, suffix=".tmp", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
            stream.flush()
            finish(handle)
            if durable:
                os.fsync(handle)
        if last_look:
            last_look()
        os.replace(name, path)  # noqa: PTH105 - both are names already
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(name)  # noqa: PTH108 - it is a name already
        raise


def _allow(mode: int, handle: int) -> None:
    os.fchmod(handle, mode)


def _forget(folder: Path, pattern: str) -> None:
    named = re.compile(pattern)
    for left in list(folder.iterdir()) if folder.is_dir() else ():
        found = named.fullmatch(left.name)
        if found and (_is_nobody(int(found["pid"])) or _is_old(left)):
            left.unlink(missing_ok=True)


def _is_old(path: Path) -> bool:
    try:
        return clock.now() - path.lstat().st_mtime > _FORGOTTEN_AFTER_S
    except FileNotFoundError:
        return False


def _take_over(source: Path, handle: int) -> None:
    there = source.stat()
    with contextlib.suppress(PermissionError):
        os.fchown(handle, there.st_uid, there.st_gid)
    os.fchmod(handle, stat.S_IMODE(there.st_mode))  # giving a file away clears bits of it
    for name in os.listxattr(source) if hasattr(os, "listxattr") else ():
        with contextlib.suppress(OSError):  # some belong to the system, some to root alone
            os.setxattr(handle, name, os.getxattr(source, name))


def _is_nobody(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    except (OSError, OverflowError):  # somebody else's, or no pid at all
        return False
    return False
