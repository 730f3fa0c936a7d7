"""What `apply` did for the services: where their files are, and which folders it made.

Lies in the state folder. Losing it costs empty folders that stay behind, nothing else.

Source: README.md, "The state folder".
"""

from __future__ import annotations

import contextlib
import json
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from flightdeck.install.folders import make_private
from flightdeck.store import files

if TYPE_CHECKING:
    from pathlib import Path

    from flightdeck.store.paths import StateFolder

_SCHEMA = "flightdeck.services/1"


@dataclass(frozen=True, slots=True)
class ServiceRecord:
    """`folder` holds the files, `executable` is what they start, `made` are folders of our doing.

    `settled` is False from before the first change until the service manager has heard
    of the last one: whoever finds it False was preceded by somebody who was killed.
    """

    folder: str
    executable: str = ""
    made: tuple[str, ...] = ()
    settled: bool = False


def load(state: StateFolder) -> ServiceRecord | None:
    """Return what is known; a torn or foreign file is nothing known."""
    try:
        found = json.loads(files.read(_path(state)))
        if found.pop("schema") != _SCHEMA:
            return None
        made = tuple(map(str, found["made"]))
        settled = found["settled"] is True
        return ServiceRecord(str(found["folder"]), str(found["executable"]), made, settled=settled)
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None


def save(state: StateFolder, record: ServiceRecord) -> None:
    """Keep `record` in place of an older one.

    Raises:
        OSError: it could not be written.
    """
    path = _path(state)
    make_private(path.parent)
    text = json.dumps({"schema": _SCHEMA, **asdict(record)})
    files.replace(path, text.encode(), durable=True)


def take_over(state: StateFolder, other: StateFolder) -> None:
    """Know in one state folder what another knows, which no longer does.

    Raises:
        OSError: it could not be written.
    """
    found = load(other)
    if found is None:
        return
    if load(state) is None:
        save(state, found)
    forget(other)


def forget(state: StateFolder) -> None:
    """Drop it."""
    with contextlib.suppress(OSError):
        _path(state).unlink(missing_ok=True)
        _path(state).parent.rmdir()


def _path(state: StateFolder) -> Path:
    return state.root / "install" / "services.json"
