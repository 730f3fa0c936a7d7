"""Claude Code's own registry: one record a running process, `<config>/sessions/<pid>.json`.

Undocumented and rewritten in place, so it is read defensively: a record that cannot be
read keeps its last good reading, a field of the wrong kind is left out. The `.key`
files beside the records are other people's secrets and are never opened.

Source: Claude Code 2.1.332, observed; README.md, "How a key gets its colour".
"""

from __future__ import annotations

import json
import os
import stat
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from flightdeck.agents.claude_code.payloads import absolute_path, ident
from flightdeck.model.lifecycle import Reason
from flightdeck.model.session import Record, Status
from flightdeck.system import clock

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

_LIMIT = 64 * 1024
# File times move in steps of some milliseconds: two writes within one look like one.
_SETTLED_NS = 50_000_000
_WAITING_FOR = {
    "permission prompt": Reason.PERMISSION,
    "sandbox request": Reason.PERMISSION,
    "input needed": Reason.INPUT,
    "goal proposal": Reason.PLAN,
}
_END_OF_TIME_MS = 1e14
_SINCE = ("statusUpdatedAt", "updatedAt", "startedAt")
_UNSETTLED = (0, 0, 0)
_HIDDEN_KINDS = frozenset({"daemon", "daemon-worker"})


def config_dir(environ: Mapping[str, str]) -> Path:
    """Return the client's config directory; an unset or blank variable means the default."""
    named = environ.get("CLAUDE_CONFIG_DIR", "").strip()
    return Path(named) if named else Path(environ.get("HOME") or Path.home()) / ".claude"


@dataclass(slots=True)
class _Reading:
    stamp: tuple[int, int, int]
    record: Record | None


class Registry:
    """Reads the records of one config directory, each only when its file changed."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._known: dict[str, _Reading] = {}

    def records(self) -> Iterable[Record]:
        """Return what stands there now; a folder that cannot be listed is no records."""
        found: dict[str, _Reading] = {}
        try:
            with os.scandir(self.folder) as entries:
                for entry in entries:
                    if entry.name.endswith(".json") and entry.name[:-5].isdigit():
                        self._look(entry, found)
        except OSError:
            return []
        self._known = found
        return [reading.record for reading in found.values() if reading.record]

    def _look(self, entry: os.DirEntry[str], found: dict[str, _Reading]) -> None:
        try:
            info = entry.stat()
        except OSError:
            return
        if not stat.S_ISREG(info.st_mode):
            return
        stamp = (info.st_mtime_ns, info.st_size, info.st_ino)
        if abs(clock.now() * 1e9 - info.st_mtime_ns) < _SETTLED_NS:
            stamp = _UNSETTLED
        known = self._known.get(entry.name)
        if known and known.stamp == stamp != _UNSETTLED:
            found[entry.name] = known
            return
        try:
            found[entry.name] = _Reading(stamp, _read(Path(entry.path)))
        except (OSError, ValueError, RecursionError):
            # Caught in mid-write: keep the last good reading, look again next time.
            found[entry.name] = _Reading(_UNSETTLED, known.record if known else None)


@dataclass(frozen=True, slots=True)
class Survey:
    """One record file, when it was written (epoch seconds), and why we can make nothing of it."""

    pid: int
    written: float
    fault: str = ""


def survey(folder: Path) -> list[Survey]:
    """Return every record of `folder` as far as it can be read; for a person who asks why.

    Those of the client's own helpers are left out.
    """
    found = []
    for path in sorted(folder.glob("*.json")):
        if path.stem.isdigit() and (one := _surveyed(path)):
            found.append(one)
    return found


def _surveyed(path: Path) -> Survey | None:
    try:
        written = path.stat().st_mtime
        with path.open("rb") as stream:
            data = json.loads(stream.read(_LIMIT))
    except FileNotFoundError:
        return None
    except (OSError, ValueError, RecursionError) as error:
        return Survey(int(path.stem), 0.0, f"not to be read ({type(error).__name__})")
    if isinstance(data, dict) and _string(data, "kind") in _HIDDEN_KINDS:
        return None
    return Survey(int(path.stem), written, _fault_of(data, path.stem))


def _fault_of(data: object, stem: str) -> str:
    """Return what a record lacks of what `_read` needs, "" if nothing."""
    if not isinstance(data, dict):
        return "no object of JSON"
    if type(data.get("pid")) is not int or str(data["pid"]) != stem:
        return "its pid is not that of its name"
    if "status" not in data:
        return "it has no status"
    if not _is_status(data["status"]):
        return f"its status is '{_string(data, 'status')}'"
    if not ident(data.get("sessionId")):
        return "it has no session id"
    return "" if _seconds(data, "statusUpdatedAt", "updatedAt") else "it does not say since when"


def _is_status(value: object) -> bool:
    return isinstance(value, str) and value in {status.value for status in Status}


def _read(path: Path) -> Record | None:
    """Return the record in a file; None for one that is none of a person's sessions.

    Raises:
        ValueError: it is not whole JSON, as in the middle of a write.
    """
    with path.open("rb") as stream:
        data = json.loads(stream.read(_LIMIT))
    if not isinstance(data, dict) or _string(data, "kind") in _HIDDEN_KINDS:
        return None
    pid, parked, spare = data.get("pid"), bool(data.get("parkedJobId")), bool(data.get("spare"))
    # Neither runs a turn, and of one that was parked in the middle of one the status stays.
    status = Status.IDLE if parked or spare else data.get("status")
    if type(pid) is not int or str(pid) != path.stem:
        return None
    try:
        known = Status(status)
    except ValueError:
        return None
    return Record(
        pid=pid,
        session_id=ident(data.get("sessionId")),
        status=known,
        at=_seconds(data, *(["updatedAt"] if parked else []), *_SINCE),
        born=_seconds(data, "startedAt"),
        waiting_for=_WAITING_FOR.get(_string(data, "waitingFor"), Reason.INPUT)
        if known is Status.WAITING
        else None,
        cwd=absolute_path(data, "cwd"),
        title=_string(data, "name") if data.get("nameSource") == "user" else "",
        started=_start(data.get("procStart")),
        entrypoint=_string(data, "entrypoint"),
        parked=parked,
        spare=spare,
    )


def _string(data: Mapping[str, object], key: str) -> str:
    value = data.get(key)
    return value[:200] if isinstance(value, str) else ""


def _start(value: object) -> str:
    known = isinstance(value, str | int) and not isinstance(value, bool)
    return str(value)[:100] if known else ""


def _seconds(data: Mapping[str, object], *keys: str) -> float:
    for key in keys:
        value = data.get(key)
        # Beyond any date lies no time, and arithmetic that would raise.
        if isinstance(value, int | float) and 1 < value < _END_OF_TIME_MS:
            return value / 1000
    return 0.0
