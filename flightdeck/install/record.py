"""What `apply` did to a settings file, so that `--remove` can undo it to the byte.

Lies in the state folder, one file for each settings file, beside a few backups. Losing
it costs the exact bytes of what was reformatted, nothing else.

Source: README.md, "The state folder".
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from flightdeck.install.target import Target
from flightdeck.store import files

if TYPE_CHECKING:
    from collections.abc import Mapping
    from types import UnionType

    from flightdeck.store.paths import StateFolder

_SCHEMA = "flightdeck.install/1"
_KEPT = 3
_TYPES: Mapping[str, type | UnionType] = {
    "file": str,
    "before": str | None,
    "written": str,
    "containers": list,
    "made_folder": bool,
    "at": int | float,
}


@dataclass(frozen=True, slots=True)
class Record:
    """`before` is the text without us, None for no file; `written` the SHA-256 of ours.

    `containers` are the JSON paths that were there before; `made_folder` says whether
    the configuration folder is our doing; `at` is when, in seconds since the epoch.
    """

    file: str
    before: str | None
    written: str
    containers: tuple[str, ...]
    made_folder: bool
    at: float


def digest(content: bytes) -> str:
    """Return what `Record.written` holds for `content`."""
    return hashlib.sha256(content).hexdigest()


@dataclass(frozen=True, slots=True)
class Records:
    """The records and backups of one state folder."""

    state: StateFolder

    @property
    def folder(self) -> Path:
        """Where they lie."""
        return self.state.root / "install"

    def load(self, target: Target) -> Record | None:
        """Return what is known of `target`; a torn or foreign file is nothing known."""
        record = _parse(self._path(target))
        return record if record and record.file == str(target.file) else None

    def targets(self) -> list[Target]:
        """Return every settings file there is a record of."""
        found = (_parse(path) for path in sorted(self.folder.glob("claude-code-*.json")))
        return [Target(Path(record.file).parent) for record in found if record]

    def save(self, record: Record) -> None:
        """Keep `record` in place of an older one of the same file."""
        make_private(self.folder)
        text = json.dumps({"schema": _SCHEMA, **asdict(record)})
        path = self._path(Target(Path(record.file).parent))
        files.replace(path, text.encode(), durable=True)

    def put_back(self, target: Target, record: Record | None) -> None:
        """Keep `record`, what was known of `target` before, or nothing if that was nothing."""
        if record:
            self.save(record)
        else:
            self.forget(target)

    def forget(self, target: Target) -> None:
        """Drop the record of `target`; the backups stay, somebody may want to go back."""
        self._path(target).unlink(missing_ok=True)
        with contextlib.suppress(OSError):
            self.folder.rmdir()

    def keep(self, target: Target, content: bytes, at: float) -> None:
        """Keep `content` as a backup of `target`, made at `at`, and the two before it."""
        folder = self.folder / "backup"
        make_private(folder)
        stem = self._path(target).stem
        files.replace(folder / f"{stem}.{int(at * 1e6):020}.json", content, durable=True)
        for old in sorted(folder.glob(f"{stem}.*.json"))[:-_KEPT]:
            old.unlink(missing_ok=True)

    def _path(self, target: Target) -> Path:
        return self.folder / f"claude-code-{digest(os.fsencode(target.file))[:8]}.json"


def make_private(folder: Path) -> None:
    """Make a folder and those above it; `mkdir` alone gives the mode to the last one only."""
    for missing in reversed([path for path in (folder, *folder.parents) if not path.exists()]):
        missing.mkdir(mode=0o700, exist_ok=True)


def _parse(path: Path) -> Record | None:
    try:
        found = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError):
        return None
    if not isinstance(found, dict) or found.pop("schema", None) != _SCHEMA:
        return None
    if set(found) != set(_TYPES) or not all(isinstance(found[k], t) for k, t in _TYPES.items()):
        return None
    return Record(**{**found, "containers": tuple(map(str, found["containers"]))})
