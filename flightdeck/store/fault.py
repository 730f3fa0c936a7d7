"""`compiled/fault`: what is wrong with the files of the panel that runs, in one line.

The panel goes on with what it last could read; whoever shows the fleet says so.

Source: README.md, "Editing a layout".
"""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

from flightdeck.store import files

if TYPE_CHECKING:
    from flightdeck.store.paths import StateFolder

_NAME = "fault"
# A message of ours is shorter; whatever else lies there is not worth reading.
_MOST = 4_096


def write(folder: StateFolder, problem: str) -> None:
    """Keep `problem` for whoever asks; an empty one: that there is none.

    Raises:
        OSError: it could not be written.
    """
    path = folder.compiled / _NAME
    if problem:
        files.replace(path, problem.encode("utf-8", "backslashreplace"))
        return
    with contextlib.suppress(FileNotFoundError):
        path.unlink()


def read(folder: StateFolder) -> str:
    """Return the problem that was written last, "" if there is none."""
    try:
        return files.read(folder.compiled / _NAME, _MOST).decode("utf-8", "replace").strip()
    except OSError:
        return ""
