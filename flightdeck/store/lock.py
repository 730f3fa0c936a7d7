"""Who may write: a kernel lock, so that a killed holder leaves nothing to clean up.

The lock file of the fold also counts how often the records changed, so that a panel
knows whether what it remembers is still what stands on disk.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
from typing import TYPE_CHECKING

from flightdeck.errors import Unavailable
from flightdeck.system import clock

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

RETRY_S = 0.002
_DIGITS = 20


class Held:
    """The lock while it is held."""

    def __init__(self, handle: int) -> None:
        self._handle = handle

    def generation(self) -> bytes:
        """Return the mark of the last change of the records; b"" before the first."""
        return os.pread(self._handle, _DIGITS, 0)

    def bump(self) -> bytes:
        """Mark that the records change now, and return the new mark."""
        try:
            number = int(self.generation() or b"0") + 1
        except ValueError:
            number = clock.monotonic_ns()
        # Always as long: truncating a file costs more than all the rest of a fold.
        text = b"%0*d" % (_DIGITS, number)
        os.pwrite(self._handle, text, 0)
        return text


@contextlib.contextmanager
def held(path: Path, *, patience_s: float) -> Iterator[Held]:
    """Hold the lock file `path` for the length of the block.

    Raises:
        Unavailable: another process kept it for longer than `patience_s`.
        OSError: the state folder is not there.
    """
    handle = _open(path)
    try:
        _take(handle, patience_s)
        yield Held(handle)
    finally:
        os.close(handle)


def _open(path: Path) -> int:
    flags = os.O_RDWR | os.O_CLOEXEC
    try:
        return os.open(path, flags)  # creating locks the whole folder, at twenty times the price
    except FileNotFoundError:
        return os.open(path, flags | os.O_CREAT, 0o600)


def _take(handle: int, patience_s: float) -> None:
    deadline = clock.monotonic() + patience_s
    while not taken(handle):
        if clock.monotonic() > deadline:
            message = f"another flightdeck has kept the state folder for {patience_s:g} s"
            raise Unavailable(message, "`flightdeck doctor` names it")
        clock.pause(RETRY_S)


def taken(handle: int, *, shared: bool = False) -> bool:
    """Take the lock of an open file if it is free now, and say whether it was."""
    try:
        fcntl.flock(handle, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
