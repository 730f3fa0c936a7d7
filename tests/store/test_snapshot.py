"""`slots.json`: its keys are a contract, and what was shown where can be told from it."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING

import pytest

from flightdeck.model.fleet import Fleet, PendingView, SlotView
from flightdeck.model.lifecycle import Reason, State
from flightdeck.model.place import Place
from flightdeck.store import snapshot

if TYPE_CHECKING:
    from pathlib import Path

PANEL = {"running": True, "pid": 7, "deck": "recorder"}
FULL = SlotView(
    slot=1,
    state=State.BLOCKED,
    reason=Reason.PERMISSION,
    how="hook",
    key="11-1",
    session_id="s",
    agent="claude-code",
    repo="webshop",
    branch="main",
    title="Rückgabe",
    label=("webshop", "Rückgabe"),
    cwd="/R",
    since=5.0,
    place=Place("tmux", tmux_socket="/t", tmux_pane="%3"),
    pid=11,
    permission_mode="default",
    queued="test",
    pending=(PendingView("r", "Bash", since=5.0),),
)
FLEET = Fleet((SlotView(0), FULL), overflow=2, untracked=1)


def test_occupied_slot_is_told_key_by_key() -> None:
    assert snapshot.fleet_json(FLEET, PANEL)["slots"][1] == {
        "slot": 1,
        "state": "blocked",
        "reason": "permission",
        "error": None,
        "how": "hook",
        "key": "11-1",
        "session_id": "s",
        "agent": "claude-code",
        "repo": "webshop",
        "branch": "main",
        "title": "Rückgabe",
        "label": ["webshop", "Rückgabe"],
        "cwd": "/R",
        "since": 5.0,
        "host": {"kind": "tmux", "tmux_socket": "/t", "tmux_pane": "%3"},
        "pid": 11,
        "permission_mode": "default",
        "gated": False,
        "selected": False,
        "seen": False,
        "untracked": False,
        "stale": False,
        "ending": False,
        "ended": False,
        "refusal": None,
        "queued": "test",
        "pending": [
            {
                "request_id": "r",
                "tool": "Bash",
                "tier": "",
                "repeats": 1,
                "since": 5.0,
                "answerable": False,
            }
        ],
        "spend": None,
    }


def test_empty_slot_is_nulls() -> None:
    row = snapshot.fleet_json(FLEET, PANEL)["slots"][0]
    said = {key: value for key, value in row.items() if value is not None}
    facts = ("gated", "selected", "seen", "untracked", "stale", "ending", "ended")
    assert not any(said.pop(name) for name in facts)
    assert said == {"slot": 0, "state": "empty", "label": ["", ""], "pending": []}


def test_fleet_is_told_beside_its_slots() -> None:
    data = snapshot.fleet_json(FLEET, PANEL)
    del data["slots"]
    assert data == {
        "schema": "flightdeck.status/1",
        "halted": False,
        "untracked": 1,
        "overflow": 2,
        "panel": PANEL,
    }


def test_fleet_comes_back_from_what_was_written(tmp_path: Path) -> None:
    data = snapshot.fleet_json(FLEET, PANEL)
    snapshot.write(tmp_path / "slots.json", data)
    assert snapshot.read(tmp_path / "slots.json") == data
    assert snapshot.fleet_from_json(data) == FLEET


def test_half_a_character_in_a_title_is_written_as_an_escape(tmp_path: Path) -> None:
    data = {"slots": [{"title": "\ud83d"}]}
    snapshot.write(tmp_path / "slots.json", data)
    assert json.loads((tmp_path / "slots.json").read_bytes()) == data


@pytest.mark.parametrize(
    "data",
    [
        None,
        [],
        {},
        {"slots": 1},
        {"slots": [1], "overflow": 0, "untracked": 0, "halted": False},
        {"slots": [{}], "overflow": 0, "untracked": 0, "halted": False},
        {"slots": [{"slot": "x"}], "overflow": 0, "untracked": 0, "halted": False},
        {"slots": [{"slot": 0, "state": "?"}], "overflow": 0, "untracked": 0, "halted": False},
        {"slots": [], "overflow": math.inf, "untracked": 0, "halted": False},
        {"slots": [], "overflow": "many", "untracked": 0, "halted": False},
        {"slots": [], "overflow": [], "untracked": 0, "halted": False},
    ],
)
def test_anything_else_is_no_snapshot(data: object) -> None:
    with pytest.raises(ValueError, match=r".+"):
        snapshot.fleet_from_json(data)


def test_slots_are_remembered_by_the_session_shown_there(tmp_path: Path) -> None:
    snapshot.write(tmp_path / "slots.json", snapshot.fleet_json(FLEET, PANEL))
    assert snapshot.remembered_slots(tmp_path / "slots.json") == {"11-1": 1}


@pytest.mark.parametrize(
    "text", [b"", b"{", b"[]", b'{"slots": 3}', b'{"slots": [{}]}', b"[" * 99_999, b"\xff"]
)
def test_unreadable_snapshot_remembers_nothing(tmp_path: Path, text: bytes) -> None:
    (tmp_path / "slots.json").write_bytes(text)
    assert snapshot.remembered_slots(tmp_path / "slots.json") == {}


def test_missing_snapshot_remembers_nothing(tmp_path: Path) -> None:
    assert snapshot.remembered_slots(tmp_path / "slots.json") == {}
