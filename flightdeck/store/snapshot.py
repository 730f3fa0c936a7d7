"""`slots.json`: the fleet as scripts and renderers read it, versioned, replaced whole.

Asks are never written: the suggestion in one is nobody's business but the agent's.

Source: README.md, "The state folder"; the keys are pinned by a test.
"""

from __future__ import annotations

import json
from dataclasses import fields
from typing import TYPE_CHECKING, Any

from flightdeck.model.fleet import Fleet, PendingView, SlotView
from flightdeck.model.place import Place
from flightdeck.store import files
from flightdeck.store.codec import from_json

if TYPE_CHECKING:
    from pathlib import Path

SCHEMA = "flightdeck.status/1"
# `asdict` copies deeply, at ten times the price, what holds nothing but words and numbers.
_PLACE = tuple(field.name for field in fields(Place))
_PENDING = tuple(field.name for field in fields(PendingView))


def fleet_json(fleet: Fleet, panel: dict[str, Any]) -> dict[str, Any]:
    """Return the fleet as `status --json` prints it; `panel` says whether one runs."""
    return {
        "schema": SCHEMA,
        "halted": fleet.halted,
        "untracked": fleet.untracked,
        "overflow": fleet.overflow,
        "panel": panel,
        "slots": [_slot_json(view) for view in fleet.slots],
    }


def _slot_json(view: SlotView) -> dict[str, Any]:
    place = {key: value for key, value in _plain(view.place, _PLACE).items() if value}
    return {
        "slot": view.slot,
        "state": view.state.value,
        "reason": view.reason.value if view.reason else None,
        "error": view.error or None,
        "how": view.how or None,
        "key": view.key or None,
        "session_id": view.session_id or None,
        "agent": view.agent or None,
        "repo": view.repo or None,
        "branch": view.branch or None,
        "title": view.title or None,
        "label": list(view.label),
        "cwd": view.cwd or None,
        "since": view.since or None,
        "host": place if view.key else None,
        "pid": view.pid or None,
        "permission_mode": view.permission_mode or None,
        "gated": view.gated,
        "selected": view.selected,
        "seen": view.seen,
        "untracked": view.untracked,
        "stale": view.stale,
        "ending": view.ending,
        "ended": view.ended,
        "refusal": view.refusal or None,
        "queued": view.queued or None,
        "pending": [_plain(request, _PENDING) for request in view.pending],
        "spend": None,
    }


def _plain(part: Place | PendingView, names: tuple[str, ...]) -> dict[str, Any]:
    return {name: getattr(part, name) for name in names}


def fleet_from_json(data: Any) -> Fleet:
    """Return the fleet `fleet_json` wrote; the panel's own part is left out.

    Raises:
        ValueError: it is not such a snapshot.
    """
    try:
        slots = tuple(_slot_from(row) for row in data["slots"])
        return Fleet(
            slots,
            overflow=int(data["overflow"]),
            untracked=int(data["untracked"]),
            halted=bool(data["halted"]),
            selected=next((view.key for view in slots if view.selected), ""),
        )
    except (KeyError, TypeError, AttributeError, OverflowError) as error:
        raise ValueError(f"not a fleet snapshot: {error}") from error


def _slot_from(row: dict[str, Any]) -> SlotView:
    names = {field.name for field in fields(SlotView)} - {"host"}
    known = {key: value for key, value in row.items() if key in names and value is not None}
    known["place"] = row.get("host") or {}
    view = from_json(SlotView, known)
    assert isinstance(view, SlotView)  # noqa: S101 - from_json returns what it was asked for
    return view


def text(snapshot: dict[str, Any]) -> str:
    """Return the snapshot as it stands in its file."""
    # One line: the encoder in C takes no indentation and is ten times as fast.
    return json.dumps(snapshot, ensure_ascii=False)


def write(path: Path, snapshot: dict[str, Any]) -> None:
    """Replace the snapshot.

    Raises:
        OSError: it could not be written; the old one stands.
    """
    files.replace(path, text(snapshot).encode("utf-8", "backslashreplace"))


def read(path: Path) -> dict[str, Any]:
    """Return the snapshot that stands there; {} if there is none that can be read."""
    try:
        data = json.loads(files.read(path))
    except (OSError, ValueError, RecursionError):
        return {}
    return data if isinstance(data, dict) else {}


def remembered_slots(path: Path) -> dict[str, int]:
    """Return which session key the last snapshot showed on which slot; {} if unreadable."""
    try:
        rows = read(path)["slots"]
        return {
            row["key"]: row["slot"]
            for row in rows
            if isinstance(row["key"], str) and type(row["slot"]) is int
        }
    except (KeyError, TypeError):
        return {}
