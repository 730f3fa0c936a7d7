"""Logs in the state folder: ids, states, tiers and durations, never prompts or tool input."""

from __future__ import annotations

import contextlib
import logging
import os
import tempfile
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import TYPE_CHECKING

from flightdeck.errors import Unavailable
from flightdeck.store import files
from flightdeck.store.paths import StateFolder

if TYPE_CHECKING:
    from collections.abc import Callable
    from io import TextIOWrapper

_BYTES = 512 * 1024
_KEPT = 3


class _PrivateFile(RotatingFileHandler):
    """A rotated file that is its owner's alone, each new one too; a full disk costs its lines."""

    def _open(self) -> TextIOWrapper:
        os.close(os.open(self.baseFilename, os.O_CREAT | os.O_WRONLY | os.O_CLOEXEC, 0o600))
        return super()._open()

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802 - logging's name
        """Drop the line: what logging does by itself is a trace on the terminal, a line each."""

    def close(self) -> None:
        """Close it; what could not be written by now never will be."""
        with contextlib.suppress(OSError):
            super().close()


def log_to(path: Path) -> Callable[[], None]:
    """Send all logging to `path`, rotated; returns what takes that back."""
    handler = _PrivateFile(path, maxBytes=_BYTES, backupCount=_KEPT, encoding="utf-8")
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    root = logging.getLogger()
    before = root.level
    root.addHandler(handler)
    root.setLevel(logging.INFO)

    def undo() -> None:
        root.removeHandler(handler)
        root.setLevel(before)
        handler.close()

    return undo


def keep_short(folder: Path) -> None:
    """Empty what services have said in `folder` once it is long: nothing else rotates that.

    They append, so that one that runs goes on at the new end.
    """
    for path in folder.glob("*.out"):
        with contextlib.suppress(OSError):
            if path.stat().st_size > _BYTES:
                os.truncate(path, 0)


def write_crash(trace: str) -> Path:
    """Keep the trace of an unexpected error and return where; never raises OSError."""
    state = StateFolder.from_environment()
    try:
        state.create()
        path = state.log / "crash.log"
        files.replace(path, trace.encode("utf-8", "backslashreplace"))
    except (OSError, Unavailable):
        path = Path(tempfile.mkstemp(prefix="flightdeck-crash-", suffix=".log")[1])
        path.write_text(trace, encoding="utf-8", errors="backslashreplace")
    return path
