"""What Claude Code 2.1.332 really wrote: hook payloads, registry records, transcript lines."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from flightdeck.model.event import Event
from flightdeck.model.place import Place

FOLDER = Path(__file__).parent / "payloads"
PAYLOADS = sorted(
    path.stem for path in FOLDER.glob("*.json") if not path.stem.startswith(("registry", "transc"))
)


def recorded(name: str) -> dict[str, Any]:
    """Return the recorded object of that name."""
    data: dict[str, Any] = json.loads((FOLDER / f"{name}.json").read_bytes())
    return data


def event(payload: dict[str, Any], *, at: float = 5.0, name: str = "", **more: Any) -> Event:
    """Return the event a hook would spool for this payload."""
    told: dict[str, Any] = {"ident": "5-1", "place": Place(), "entrypoint": "cli"}
    name = name or payload["hook_event_name"]
    told |= {"agent": "claude-code", "name": name, "pid": 4242} | more
    return Event(at=at, payload=payload, **told)


def an_event(name: str, **more: Any) -> Event:
    """Return the event of a recorded payload."""
    return event(recorded(name), **more)
