"""The append-only journal: what happened to which session, one JSON object a line.

It holds ids, states, reasons and durations. Fields are let through by name, so that no
prompt, tool input or setting can get in by an oversight elsewhere. It is a convenience:
a full disk costs lines of it and never a fold.

Source: README.md, "The state folder".
"""

from __future__ import annotations

import contextlib
import errno
import json
import logging
import math
import os
import stat
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

_LOG = logging.getLogger(__name__)

FIELDS = frozenset(
    {
        "time",
        "event",
        "key",
        "session_id",
        "slot",
        "state",
        "from_state",
        "reason",
        "how",
        "error",
        "pid",
        "agent",
        "duration_ms",
        "request_id",
        "tool",
    }
)

# An id or a word is far shorter; a text that is not was never meant to be here.
_TEXT_CHARS = 200


class Journal:
    """Appends to `path`; at `max_bytes` it becomes `path.1`, and `kept` old ones stay.

    For one writer at a time: whoever holds the fold's lock.
    """

    def __init__(self, path: Path, max_bytes: int, kept: int) -> None:
        self._path = path
        self._max_bytes = max_bytes
        self._kept = kept
        self._failing = False

    def append(self, rows: Iterable[Mapping[str, object]]) -> None:
        """Write the rows in one piece, fields outside `FIELDS` left out; never raises.

        Where they cannot be written they are dropped, and the log says so once.
        """
        lines = "".join(_line(row) for row in rows)
        if not lines:
            return
        try:
            self._write(lines.encode("ascii"))
        except OSError as error:
            if not self._failing:
                _LOG.warning("journal: lines are dropped: %s", error)
            self._failing = True
        else:
            self._failing = False

    def _write(self, data: bytes) -> None:
        size = self._path.stat().st_size if self._path.is_file() else 0
        if size and size + len(data) > self._max_bytes:
            self._rotate()
        handle = _open(self._path)
        try:
            _make_private(handle)
            if os.write(handle, _separated(handle, data)) < len(data):
                raise OSError(errno.ENOSPC, "written in part only")
        finally:
            os.close(handle)

    def _rotate(self) -> None:
        """Move each file one place on; the last one falls off."""
        if self._kept < 1:
            self._path.unlink()
            return
        for number in range(self._kept - 1, 0, -1):
            with contextlib.suppress(FileNotFoundError):
                self._numbered(number).replace(self._numbered(number + 1))
        self._path.replace(self._numbered(1))

    def _numbered(self, number: int) -> Path:
        return self._path.with_name(f"{self._path.name}.{number}")


def _open(path: Path) -> int:
    # O_NONBLOCK: a FIFO of that name would hold the fold up for good.
    flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC | os.O_NONBLOCK
    return os.open(path, flags, 0o600)


def _make_private(handle: int) -> None:
    """Take away what others may do; a folder or FIFO of the journal's name is an OSError."""
    mode = os.fstat(handle).st_mode
    if not stat.S_ISREG(mode):
        raise OSError(errno.EINVAL, "not a regular file")
    if mode & 0o077:
        os.fchmod(handle, 0o600)


def _separated(handle: int, data: bytes) -> bytes:
    """Start a new line if a crash or a full disk left half of one."""
    size = os.fstat(handle).st_size
    torn = size > 0 and os.pread(handle, 1, size - 1) != b"\n"
    return b"\n" + data if torn else data


def _line(row: Mapping[str, object]) -> str:
    kept = {name: _short(row[name]) for name in row if name in FIELDS and _is_plain(row[name])}
    return json.dumps(kept, separators=(",", ":")) + "\n" if kept else ""


def _is_plain(value: object) -> bool:
    """Say whether it is one word or number: JSON has no infinity, and lists hide inputs."""
    if isinstance(value, float):
        return math.isfinite(value)
    return value is None or isinstance(value, str | int)


def _short(value: object) -> object:
    return value[:_TEXT_CHARS] if isinstance(value, str) else value
