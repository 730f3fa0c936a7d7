"""Session records, `sessions/<key>.json`: one a process, replaced whole.

A torn or foreign file is skipped, named, and left alone: starting from an empty map
would move every key on the panel.
"""

from __future__ import annotations

import contextlib
import json
import logging
import os
from typing import TYPE_CHECKING

from flightdeck.model.session import Session
from flightdeck.store import files
from flightdeck.store.codec import from_json, to_json

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

_LOG = logging.getLogger(__name__)
_LARGEST = 1024 * 1024


class SessionFiles:
    """The folder of session records, and which of its files could not be read."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.broken: dict[str, str] = {}
        self._file_of: dict[str, str] = {}

    def load(self) -> dict[str, Session]:
        """Return every readable record by its key."""
        sessions: dict[str, Session] = {}
        broken: dict[str, str] = {}
        self._file_of = {}
        for name in self._names():
            try:
                session = _read(self.folder / name)
            except (OSError, ValueError, RecursionError) as error:
                broken[name] = str(error) or type(error).__name__
                continue
            if session.key not in sessions:
                sessions[session.key] = session
                self._file_of[session.key] = name
        self._report(broken)
        return sessions

    def save(self, session: Session) -> None:
        """Write one record.

        Raises:
            OSError: the folder is gone or the disk is full; the old record stands.
        """
        name = self._file_of.get(session.key) or self._free_name(session.key)
        data = json.dumps(to_json(session), ensure_ascii=True)
        files.replace(self.folder / name, data.encode())
        self._file_of[session.key] = name

    def remove(self, keys: Iterable[str]) -> None:
        """Take the records of ended processes away."""
        for key in keys:
            name = self._file_of.pop(key, None)
            if name is not None:
                with contextlib.suppress(OSError):
                    (self.folder / name).unlink()

    def _names(self) -> list[str]:
        try:
            return sorted(n for n in os.listdir(self.folder) if _is_record(n))  # noqa: PTH208
        except OSError:
            return []

    def _free_name(self, key: str) -> str:
        """A broken file keeps its name: the new record stands beside it."""
        name = f"{key}.json"
        return name if name not in self.broken else f"{key}.new.json"

    def _report(self, broken: dict[str, str]) -> None:
        for name in broken.keys() - self.broken.keys():
            _LOG.warning("session record %s skipped: %s", name, broken[name])
        self.broken = broken


def _is_record(name: str) -> bool:
    return name.endswith(".json") and not name.startswith(".")


def _read(path: Path) -> Session:
    session = from_json(Session, json.loads(files.read(path, _LARGEST)))
    if not isinstance(session, Session) or not session.key:
        raise ValueError("not a session record")
    return session
