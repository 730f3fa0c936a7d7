"""Session records: replaced whole, and what cannot be read is skipped, named and left alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from flightdeck.model.session import Session
from flightdeck.store.sessions import SessionFiles

if TYPE_CHECKING:
    from pathlib import Path

A, B = Session("11-1", "claude-code", 11, slot=0), Session("22-2", "claude-code", 22, slot=3)
FOREIGN = {
    "torn": b'{"session_id": "s-aa',
    "empty": b"",
    "a list": b"[]",
    "another program's": b'{"theme": "dark"}',
    "without a key": b'{"key": "", "agent": "claude-code", "pid": 1}',
    "too large a number": b'{"key": "k", "agent": "a", "pid": 1, "first_seen": 1%s}' % (b"0" * 400),
    "too deep": b"[" * 100_000,
    "not text": b"\xff\xfe\x00",
}


def saved(folder: Path, *sessions: Session) -> SessionFiles:
    files = SessionFiles(folder)
    for session in sessions:
        files.save(session)
    return files


def test_records_come_back_by_their_keys(tmp_path: Path) -> None:
    saved(tmp_path, A, B)
    assert SessionFiles(tmp_path).load() == {A.key: A, B.key: B}


def test_removed_record_is_gone_and_the_others_stay(tmp_path: Path) -> None:
    saved(tmp_path, A, B).remove([A.key, "never there"])
    assert [path.name for path in tmp_path.iterdir()] == ["22-2.json"]


@pytest.mark.parametrize("text", FOREIGN.values(), ids=FOREIGN.keys())
def test_unreadable_record_is_skipped_named_and_left_alone(
    tmp_path: Path, text: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    saved(tmp_path, B)
    (tmp_path / "s-aaaa.json").write_bytes(text)
    files = SessionFiles(tmp_path)
    assert files.load() == {B.key: B}
    assert list(files.broken) == ["s-aaaa.json"]
    assert "s-aaaa.json skipped" in caplog.text
    assert (tmp_path / "s-aaaa.json").read_bytes() == text


def test_unreadable_record_is_named_once(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "torn.json").write_bytes(b"{")
    files = SessionFiles(tmp_path)
    for _ in range(3):
        files.load()
    assert len(caplog.records) == 1


def test_record_whose_name_is_taken_by_a_torn_one_stands_beside_it(tmp_path: Path) -> None:
    (tmp_path / "11-1.json").write_bytes(b"{torn")
    files = SessionFiles(tmp_path)
    files.load()
    files.save(A)
    assert SessionFiles(tmp_path).load() == {A.key: A}
    files.remove([A.key])
    assert {p.name: p.read_bytes() for p in tmp_path.iterdir()} == {"11-1.json": b"{torn"}


def test_torn_record_that_was_mended_is_read_again(tmp_path: Path) -> None:
    (tmp_path / "11-1.json").write_bytes(b"{torn")
    files = SessionFiles(tmp_path)
    files.load()
    (tmp_path / "11-1.json").unlink()
    files.load()
    files.save(A)
    assert [path.name for path in tmp_path.iterdir()] == ["11-1.json"]
    assert files.broken == {}


def test_copy_somebody_made_of_a_record_is_not_a_second_session(tmp_path: Path) -> None:
    saved(tmp_path, A)
    (tmp_path / "copy of it.json").write_bytes((tmp_path / "11-1.json").read_bytes())
    assert SessionFiles(tmp_path).load() == {A.key: A}


@pytest.mark.parametrize("name", ["notes.txt", ".11-1.json.abc.tmp", ".hidden.json"])
def test_files_that_are_no_records_are_not_even_looked_at(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(b"{")
    files = SessionFiles(tmp_path)
    assert (files.load(), files.broken) == ({}, {})


def test_folder_of_a_records_name_is_skipped(tmp_path: Path) -> None:
    (tmp_path / "odd.json").mkdir()
    files = SessionFiles(tmp_path)
    assert files.load() == {}
    assert list(files.broken) == ["odd.json"]


def test_missing_folder_is_no_sessions(tmp_path: Path) -> None:
    assert SessionFiles(tmp_path / "none").load() == {}


def test_full_or_missing_disk_is_an_error_and_the_old_record_stands(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        SessionFiles(tmp_path / "none").save(A)
