"""The transcript says that a turn was interrupted, and nothing else is taken from it."""

from __future__ import annotations

import json
import os
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flightdeck.agents.claude_code.transcript import Transcripts
from tests.agents.recorded import recorded

if TYPE_CHECKING:
    from pathlib import Path

INTERRUPTED = recorded("transcript-user-interrupted")
INTERRUPTED_AT = datetime(2026, 11, 30, 9, 49, 4, 860_000, tzinfo=UTC).timestamp()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "s.jsonl"


def write(path: Path, *rows: Any) -> str:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return str(path)


def test_last_line_of_an_interrupted_turn_says_when(path: Path) -> None:
    rows = recorded("transcript-user-prompt"), recorded("transcript-assistant-text"), INTERRUPTED
    assert Transcripts().interrupted_at(write(path, *rows)) == INTERRUPTED_AT


def test_lines_about_the_turn_that_follow_do_not_hide_it(path: Path) -> None:
    rows = INTERRUPTED, recorded("transcript-system-turn_duration"), {"type": "summary"}
    assert Transcripts().interrupted_at(write(path, *rows)) == INTERRUPTED_AT


def test_text_that_stands_by_itself_is_read_too(path: Path) -> None:
    row = INTERRUPTED | {"message": {"content": "[Request interrupted by user]"}}
    assert Transcripts().interrupted_at(write(path, row)) == INTERRUPTED_AT


@pytest.mark.parametrize(
    "after",
    ["transcript-user-prompt", "transcript-assistant-text", "transcript-assistant-tool_use"],
)
def test_turn_that_went_on_is_not_interrupted(path: Path, after: str) -> None:
    assert Transcripts().interrupted_at(write(path, INTERRUPTED, recorded(after))) is None


def test_interruption_that_is_only_spoken_of_is_none(path: Path) -> None:
    row = INTERRUPTED | {"message": {"content": "why [Request interrupted by user]?"}}
    assert Transcripts().interrupted_at(write(path, row)) is None


def test_only_the_tail_of_a_long_transcript_is_read(path: Path) -> None:
    long = recorded("transcript-user-prompt") | {"message": {"content": "x" * 200_000}}
    assert Transcripts().interrupted_at(write(path, long, INTERRUPTED)) == INTERRUPTED_AT


def test_line_that_is_longer_than_the_tail_says_nothing(path: Path) -> None:
    long = INTERRUPTED | {"padding": "x" * 200_000}
    assert Transcripts().interrupted_at(write(path, long)) is None


def test_line_cut_short_in_mid_write_is_passed_over(path: Path) -> None:
    write(path, INTERRUPTED)
    with path.open("a") as stream:
        stream.write('{"type": "assist')
    assert Transcripts().interrupted_at(str(path)) == INTERRUPTED_AT


def test_transcript_that_grew_is_read_again(path: Path) -> None:
    transcripts = Transcripts()
    assert transcripts.interrupted_at(write(path, recorded("transcript-user-prompt"))) is None
    write(path, recorded("transcript-user-prompt"), INTERRUPTED)
    assert transcripts.interrupted_at(str(path)) == INTERRUPTED_AT


def test_transcript_that_did_not_grow_is_not_read_again(path: Path) -> None:
    transcripts = Transcripts()
    transcripts.interrupted_at(write(path, INTERRUPTED))
    path.write_bytes(b"x" * path.stat().st_size)
    assert transcripts.interrupted_at(str(path)) == INTERRUPTED_AT


@pytest.mark.parametrize(
    "more",
    [
        {"timestamp": None},
        {"timestamp": "yesterday"},
        {"timestamp": "0001-01-01T00:00:00"},
        {"timestamp": "9999-12-31T23:59:59.999999-23:59"},
        {"message": None},
        {"message": []},
        {"message": {"content": None}},
        {"message": {"content": [None, {"text": 7}, {}]}},
        {"type": ["user"]},
        {"type": None},
    ],
)
def test_line_of_another_form_raises_nothing(path: Path, more: dict[str, Any]) -> None:
    Transcripts().interrupted_at(write(path, INTERRUPTED | more))


@given(st.binary(max_size=200))
def test_transcript_of_anything_at_all_says_nothing(
    tmp_path_factory: pytest.TempPathFactory, data: bytes
) -> None:
    path = tmp_path_factory.getbasetemp() / "any.jsonl"
    path.write_bytes(data)
    assert Transcripts().interrupted_at(str(path)) is None


@pytest.mark.parametrize("text", ["[" * 100_000, "[]", "7", "null"])
def test_line_that_is_no_object_is_passed_over(path: Path, text: str) -> None:
    path.write_text(text + "\n")
    assert Transcripts().interrupted_at(str(path)) is None


@pytest.mark.parametrize("name", ["none.jsonl", "a\0b", "x" * 5000])
def test_transcript_that_is_not_there_says_nothing(tmp_path: Path, name: str) -> None:
    assert Transcripts().interrupted_at(f"{tmp_path}/{name}") is None


def test_pipe_in_a_transcripts_place_is_never_opened(path: Path) -> None:
    os.mkfifo(path)
    assert Transcripts().interrupted_at(str(path)) is None


def test_transcript_nobody_may_read_says_nothing(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(path, INTERRUPTED)

    def refused(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("pathlib.Path.open", refused)
    assert Transcripts().interrupted_at(str(path)) is None
