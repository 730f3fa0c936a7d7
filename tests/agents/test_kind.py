"""Claude Code as the fold meets it: every config directory it hears of is read and watched."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from flightdeck.agents.catalogue import agent_kinds
from flightdeck.agents.claude_code.kind import ClaudeCode
from flightdeck.model.signal import Kind
from tests.agents.recorded import an_event, recorded
from tests.factories import a_session

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def kind(tmp_path: Path) -> ClaudeCode:
    return ClaudeCode({"HOME": str(tmp_path)})


def a_record_in(config: Path) -> None:
    (config / "sessions").mkdir(parents=True)
    row = recorded("registry-busy")
    (config / "sessions" / f"{row['pid']}.json").write_text(json.dumps(row))


def test_catalogue_knows_each_kind_by_its_own_name() -> None:
    kinds = agent_kinds()
    assert "claude-code" in kinds
    assert all(name == kind.name for name, kind in kinds.items())
    assert kinds["claude-code"].title == "Claude Code"


def test_hook_events_become_signals(kind: ClaudeCode) -> None:
    assert [signal.kind for signal in kind.signals(an_event("Stop"))] == [Kind.TURN_ENDED]


def test_registry_of_the_default_folder_is_read_and_watched(
    kind: ClaudeCode, tmp_path: Path
) -> None:
    a_record_in(tmp_path / ".claude")
    assert [record.pid for record in kind.records()] == [9540]
    assert kind.watched() == [tmp_path / ".claude" / "sessions"]


def test_folder_the_environment_names_is_the_default(home: Path) -> None:
    assert ClaudeCode().watched() == [home / ".claude" / "sessions"]


def test_registry_beside_a_sessions_transcript_is_learned(kind: ClaudeCode, tmp_path: Path) -> None:
    other = tmp_path / "other"
    a_record_in(other)
    session = a_session(transcript=str(other / "projects" / "-home" / "s.jsonl"))
    kind.learn([session, session])
    assert [record.pid for record in kind.records()] == [9540]
    assert kind.watched() == [tmp_path / ".claude" / "sessions", other / "sessions"]


@pytest.mark.parametrize("transcript", ["", "/s.jsonl", "/a/s.jsonl", "/a/b/c/s.jsonl"])
def test_transcript_anywhere_else_teaches_nothing(kind: ClaudeCode, transcript: str) -> None:
    before = kind.watched()
    kind.learn([a_session(transcript=transcript)])
    assert kind.watched() == before


def test_interruption_is_read_from_the_sessions_transcript(
    kind: ClaudeCode, tmp_path: Path
) -> None:
    path = tmp_path / "s.jsonl"
    path.write_text(json.dumps(recorded("transcript-user-interrupted")) + "\n")
    assert kind.interrupted_at(a_session(transcript=str(path))) is not None


def test_session_without_a_transcript_was_not_interrupted(kind: ClaudeCode) -> None:
    assert kind.interrupted_at(a_session()) is None
