"""`selected.json`: the one truth of which session rows 2 and 3 act on.

A file that is broken, foreign or missing selects nothing. Whether the session still
lives is for the fold to know.

Source: README.md, "The state folder".
"""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

from flightdeck.store import files

if TYPE_CHECKING:
    from flightdeck.store.paths import StateFolder

_LARGEST = 4096


def write(folder: StateFolder, key: str) -> None:
    """Select the session with `key`, "" for none.

    Raises:
        OSError: it could not be written; the old selection stands.
    """
    files.replace(folder.selected, json.dumps({"key": key}).encode())


def read(folder: StateFolder) -> str:
    """Return the key of the selected session, "" for none."""
    try:
        data = json.loads(files.read(folder.selected, _LARGEST))
    except (OSError, ValueError, RecursionError):
        return ""
    key = data.get("key") if isinstance(data, dict) else None
    return key if isinstance(key, str) else ""


class Selection:
    """Remembers the selection for as long as its file stays the same."""

    def __init__(self, folder: StateFolder) -> None:
        self._folder = folder
        self._path = os.fspath(folder.selected)
        self._known: tuple[object, str] = (None, "")

    def key(self) -> str:
        """Return what `read` would, read anew only when the file has changed."""
        stamp = _stamp(self._path)
        if stamp != self._known[0]:
            self._known = (stamp, read(self._folder) if stamp else "")
        return self._known[1]


def _stamp(path: str) -> object:
    """Return what changes when the file is replaced or written over, None where it is not."""
    try:
        now = os.stat(path)  # noqa: PTH116 - asked at every pass, a Path costs more than the answer
    except OSError:
        return None
    return (now.st_mtime_ns, now.st_ino, now.st_size)
