"""The transcript as a witness, where there is no registry: did somebody interrupt the turn?

Only the tail is read, only when the file changed, and nothing of it is kept but a time.

Source: Claude Code 2.1.332: a `user` line whose text starts `[Request interrupted by user`.
"""

from __future__ import annotations

import json
import os
import stat
from datetime import datetime
from pathlib import Path

_TAIL = 64 * 1024
_MARK = "[Request interrupted by user"


class Transcripts:
    """Remembers how far each transcript was seen, by size."""

    def __init__(self) -> None:
        self._seen: dict[str, tuple[int, float | None]] = {}

    def interrupted_at(self, path: str) -> float | None:
        """Return when the last line of the turn says it was interrupted, epoch seconds.

        None where it was not, was continued since, or cannot be read.
        """
        try:
            info = os.stat(path)  # noqa: PTH116 - a hot path
        except (OSError, ValueError):
            return None
        size = info.st_size
        if not stat.S_ISREG(info.st_mode):
            return None
        known = self._seen.get(path)
        if known and known[0] == size:
            return known[1]
        found = _last_mark(Path(path), size)
        self._seen[path] = (size, found)
        return found


def _last_mark(path: Path, size: int) -> float | None:
    try:
        with path.open("rb") as stream:
            stream.seek(max(0, size - _TAIL))
            lines = stream.read(_TAIL).splitlines()
    except OSError:
        return None
    for line in reversed(lines):
        row = _row(line)
        if row.get("type") in ("user", "assistant"):
            return _time(row) if _MARK in _words(row) else None
    return None


def _row(line: bytes) -> dict[str, object]:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    return row if isinstance(row, dict) else {}


def _words(row: dict[str, object]) -> str:
    message = row.get("message")
    content = message.get("content") if isinstance(message, dict) else None
    if isinstance(content, str):
        return content[: len(_MARK)]
    if not isinstance(content, list):
        return ""
    texts = (part.get("text") for part in content if isinstance(part, dict))
    return " ".join(text[: len(_MARK)] for text in texts if isinstance(text, str))


def _time(row: dict[str, object]) -> float | None:
    try:
        return datetime.fromisoformat(str(row.get("timestamp"))).timestamp()
    except (ValueError, OverflowError, OSError):  # no date, or none this machine can count
        return None
