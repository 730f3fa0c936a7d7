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
from typing import TYPE_CHECKING, Any

from flightdeck.install import folders
from flightdeck.install.target import Target
from flightdeck.store import files

if TYPE_CHECKING:
    from collections.abc import Mapping
    from types import UnionType

    from flightdeck.store.paths import StateFolder

_SCHEMA = "flightdeck.install/2"
_FIRST_SCHEMA = "flightdeck.install/1"
_KEPT = 3
_TYPES: Mapping[str, type | UnionType] = {
    "file": str,
    "before": str | None,
    "written": str,
    "earlier": str,
    "containers": list,
    "made": list,
    "at": int | float,
}


@dataclass(frozen=True, slots=True)
class Record:
    """`before` is the text without us, None for no file; `written` the SHA-256 of ours.

    `earlier` is that of the text it takes the place of, where that was ours, too: whoever
    is killed in between leaves the earlier one standing. `containers` are the JSON paths
    that were there before; `made` are folders of our doing; `at` is when, in seconds since
    the epoch.
    """

    file: str
    before: str | None
    written: str
    containers: tuple[str, ...]
    made: tuple[str, ...]
    at: float
    earlier: str = ""


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
        folders.make_private(self.folder)
        text = json.dumps({"schema": _SCHEMA, **asdict(record)})
        path = self._path(Target(Path(record.file).parent))
        files.replace(path, text.encode(), durable=True)

    def forget(self, target: Target) -> None:
        """Drop the record of `target`, and the backups that say what the file says itself."""
        if not self.folder.is_dir():
            return
        self._path(target).unlink(missing_ok=True)
        with contextlib.suppress(OSError):
            content = target.real.read_bytes()
            for path in self._backups(target):
                if path.read_bytes() == content:
                    path.unlink()
        folders.take_out(map(str, (self.folder, self._backup)))

    def keep_original(self, target: Target) -> None:
        """Keep a copy with all that its bytes do not tell: owner, times, access list.

        Not the very file, by a second name: an agent that runs watches that file, and hears
        of another in its place only if it is gone for good. On a full disk the bytes in the
        record have to do. A removal that was killed may have put a copy there already.
        """
        self.bring_back(target)
        folders.make_private(self.folder)
        with contextlib.suppress(OSError):
            files.copy(target.real, self._original(target))

    def bring_back(self, target: Target) -> None:
        """Put the copy in place of a file that has its bytes; in any case keep it no longer.

        With it come back the owner, the times and the access list.
        """
        original = self._original(target)
        if not self.folder.is_dir():
            return
        with contextlib.suppress(OSError):
            if original.read_bytes() == target.real.read_bytes():
                os.replace(original, target.real)  # noqa: PTH105 - the door would make a copy
        original.unlink(missing_ok=True)

    def take_over(self, others: Records, target: Target) -> None:
        """Know of `target` what the records of another state folder know; they no longer do."""
        record = others.load(target)
        if record is None:
            return
        if self.load(target) is None:
            self.save(record)
        folders.make_private(self._backup)
        for path in (others._original(target), *others._backups(target)):
            with contextlib.suppress(OSError):  # the two may lie on two disks
                os.replace(path, self.folder / path.relative_to(others.folder))  # noqa: PTH105
        others._original(target).unlink(missing_ok=True)
        others.forget(target)

    def sweep(self) -> None:
        """Take out what a killed run left half-written.

        Raises:
            OSError: it is there and cannot be removed.
        """
        for folder in (self.folder, self._backup):
            files.forget_halves_in(folder)

    def keep(self, target: Target, content: bytes, at: float) -> None:
        """Keep `content` as a backup of `target`, made at `at`, and the two before it."""
        folders.make_private(self._backup)
        name = f"{self._path(target).stem}.{int(at * 1e6):020}.json"
        files.replace(self._backup / name, content, durable=True)
        for old in self._backups(target)[:-_KEPT]:
            old.unlink(missing_ok=True)

    @property
    def _backup(self) -> Path:
        return self.folder / "backup"

    def _backups(self, target: Target) -> list[Path]:
        return sorted(self._backup.glob(f"{self._path(target).stem}.*.json"))

    def _original(self, target: Target) -> Path:
        return self._path(target).with_suffix(".original")

    def _path(self, target: Target) -> Path:
        return self.folder / f"claude-code-{digest(os.fsencode(target.file))[:8]}.json"


def _parse(path: Path) -> Record | None:
    try:
        found = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError):
        return None
    if not isinstance(found, dict):
        return None
    found = _of_today(found)
    if found.pop("schema", None) != _SCHEMA:
        return None
    if set(found) != set(_TYPES) or not all(isinstance(found[k], t) for k, t in _TYPES.items()):
        return None
    lists = {name: tuple(map(str, found[name])) for name in ("containers", "made")}
    return Record(**{**found, **lists})


def _of_today(found: dict[str, Any]) -> dict[str, Any]:
    """Read what an older flightdeck wrote: it knew of one folder it might have made."""
    if found.get("schema") != _FIRST_SCHEMA or not isinstance(found.get("file"), str):
        return found
    rest = {name: value for name, value in found.items() if name != "made_folder"}
    made = [str(Path(str(found["file"])).parent)] if found.get("made_folder") is True else []
    return {**rest, "schema": _SCHEMA, "made": made, "earlier": ""}
