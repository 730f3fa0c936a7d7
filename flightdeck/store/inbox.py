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

from flightdeck.model.event import Event, Unreadable, is_whole, parse

_LOG = logging.getLogger(__name__)
_OURS = re.compile(r"^(\d{1,10})\.[A-Za-z]{1,40}\.ev$")
_LARGEST = 32 * 1024 * 1024
_TOO_LARGE = b"\n\x1e\n"  # whole, and no event
# A hook writes for milliseconds; what is not whole by then was left by a killed one.
_ABANDONED_S = 30.0


@dataclass(frozen=True, slots=True)
class Batch:
    """Events in the order they happened, and the files to remove once they are folded."""

    events: tuple[Event, ...]
    files: tuple[Path, ...]


def read(inbox: Path, now: float) -> Batch:
    """Return what waits in `inbox`.

    A file that is not whole or not to be read is left for the next time, and dropped once
    it is older than any hook runs: enough of them would keep every hook from spooling.
    `now` is in epoch seconds.
    """
    found: list[tuple[int, int, Path]] = []
    try:
        with os.scandir(inbox) as entries:
            for entry in entries:
                if match := _OURS.match(entry.name):
                    found += _stamped(entry, int(match[1]))
    except OSError:
        return Batch((), ())
    events: list[Event] = []
    files: list[Path] = []
    for stamp, _, path in sorted(found):
        data = _bytes(path)
        written_s = now - stamp / 1e9
        if not is_whole(data) and written_s < _ABANDONED_S:
            continue
        files.append(path)
        events += _parsed(data, path.name, stamp)
    return Batch(tuple(events), tuple(files))


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


def _bytes(path: Path) -> bytes:
    """Return what is in the file, as far as an event may reach; nothing if it cannot be read."""
    try:
        with path.open("rb") as stream:
            # One read: a second one would see what the hook has written in between.
            data = stream.read(_LARGEST + 1)
    except OSError:
        return b""
    # What is too large to be an event is not kept waiting for its last line.
    return _TOO_LARGE if len(data) > _LARGEST else data


def _parsed(data: bytes, name: str, stamp: int) -> list[Event]:
    ident = f"{stamp}-{name.partition('.')[0]}"
    try:
        return [parse(data, ident, stamp / 1e9)]
    except Unreadable as error:
        _LOG.warning("event %s dropped: %s", name, error)
        return []
