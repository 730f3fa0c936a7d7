"""The inbox: hook events nobody has folded yet, one file each, oldest first.

An event of ours that cannot be read is dropped and counted, because it can never be
read; a stranger's file is left alone.

Source: templates/hooks/spool.sh.j2, which writes it.
"""

from __future__ import annotations

import contextlib
import logging
import os
import re
from dataclasses import dataclass
from pathlib import Path

from flightdeck.model.event import Event, Unreadable, parse

_LOG = logging.getLogger(__name__)
_OURS = re.compile(r"^(\d{1,10})\.[A-Za-z]{1,40}\.ev$")
_TEMPORARY = re.compile(r"^\.\d{1,10}\.[A-Za-z]{1,40}\.tmp$")
_LARGEST = 32 * 1024 * 1024
_ABANDONED_S = 120.0


@dataclass(frozen=True, slots=True)
class Batch:
    """Events in the order they happened, and the files to remove once they are folded."""

    events: tuple[Event, ...]
    files: tuple[Path, ...]


def read(inbox: Path, now: float) -> Batch:
    """Return what waits in `inbox`; `now` (epoch seconds) ages out abandoned temporaries."""
    found: list[tuple[int, int, Path]] = []
    try:
        with os.scandir(inbox) as entries:
            for entry in entries:
                if match := _OURS.match(entry.name):
                    found += _stamped(entry, int(match[1]))
                elif _TEMPORARY.match(entry.name):
                    _clear_abandoned(entry, now)
    except OSError:
        return Batch((), ())
    found.sort()
    events = [event for stamp, _, path in found if (event := _event(path, stamp))]
    return Batch(tuple(events), tuple(path for _, _, path in found))


def remove(batch: Batch) -> None:
    """Take the folded events out of the inbox."""
    for path in batch.files:
        with contextlib.suppress(OSError):
            path.unlink()


def _stamped(entry: os.DirEntry[str], pid: int) -> list[tuple[int, int, Path]]:
    try:
        info = entry.stat(follow_symlinks=False)
    except OSError:
        return []
    return [(info.st_mtime_ns, pid, Path(entry.path))] if entry.is_file() else []


def _event(path: Path, stamp: int) -> Event | None:
    try:
        if path.stat().st_size > _LARGEST:
            _LOG.warning("event %s is too large to be one, dropped", path.name)
            return None
        data = path.read_bytes()
        return parse(data, f"{stamp}-{path.name.partition('.')[0]}", stamp / 1e9)
    except OSError as error:
        _LOG.warning("event %s cannot be read: %s", path.name, error.strerror)
    except Unreadable as error:
        _LOG.warning("event %s dropped: %s", path.name, error)
    return None


def _clear_abandoned(entry: os.DirEntry[str], now: float) -> None:
    """A hook killed while it wrote leaves its temporary file behind."""
    with contextlib.suppress(OSError):
        if now - entry.stat(follow_symlinks=False).st_mtime > _ABANDONED_S:
            Path(entry.path).unlink()
