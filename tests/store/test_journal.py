"""The journal: one line a row, private, rotated, and never in the way of a fold."""

from __future__ import annotations

import contextlib
import json
import logging
import os
import resource
import signal
import stat
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flightdeck.store import journal
from flightdeck.store.journal import FIELDS, Journal

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

ROW = {"time": 1.5, "event": "state", "session_id": "s-1", "slot": 0, "state": "blocked"}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "events.jsonl"


@contextlib.contextmanager
def full_disk() -> Iterator[None]:
    """Let this process write no file longer than 64 bytes, as a full disk would."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (64, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, handler)


def rows_in(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_every_row_is_a_line(path: Path) -> None:
    Journal(path, 10_000, 2).append([ROW, {"event": "reap"}])
    assert rows_in(path) == [ROW, {"event": "reap"}]


def test_rows_are_added_to_what_is_there(path: Path) -> None:
    for _ in range(2):
        Journal(path, 10_000, 2).append([ROW])
    assert rows_in(path) == [ROW, ROW]


def test_field_nobody_listed_is_left_out(path: Path) -> None:
    Journal(path, 10_000, 2).append([{"event": "x", "prompt": "secret", "tool_input": {"a": 1}}])
    assert rows_in(path) == [{"event": "x"}]


@pytest.mark.parametrize("value", [["a"], {"a": 1}, b"a", float("nan"), float("inf"), object()])
def test_value_that_is_no_word_or_number_is_left_out(value: object, path: Path) -> None:
    Journal(path, 10_000, 2).append([{"event": "x", "error": value}])
    assert rows_in(path) == [{"event": "x"}]


def test_long_text_is_cut(path: Path) -> None:
    Journal(path, 10_000, 2).append([{"error": "x" * 5_000}])
    assert rows_in(path) == [{"error": "x" * 200}]


def test_row_with_nothing_to_keep_makes_no_file(path: Path) -> None:
    Journal(path, 10_000, 2).append([{"prompt": "secret"}])
    assert not path.exists()


@given(
    st.dictionaries(
        st.sampled_from(sorted(FIELDS)),
        st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
        min_size=1,
    )
)
def test_any_row_is_one_line_of_json(row: dict[str, object]) -> None:
    line = journal._line(row)
    assert line.count("\n") <= 1
    assert not line or isinstance(json.loads(line), dict)
    line.encode("ascii")


def test_journal_is_private(path: Path) -> None:
    Journal(path, 10_000, 2).append([ROW])
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_journal_others_could_read_is_made_private(path: Path) -> None:
    path.touch(mode=0o644)
    path.chmod(0o644)
    Journal(path, 10_000, 2).append([ROW])
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_call_is_one_write(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[bytes] = []
    write = os.write

    def watched(handle: int, data: bytes) -> int:
        written.append(data)
        return write(handle, data)

    monkeypatch.setattr(os, "write", watched)
    Journal(path, 10_000, 2).append([ROW] * 3)
    assert [data.count(b"\n") for data in written] == [3]


def test_torn_last_line_does_not_spoil_the_next(path: Path) -> None:
    path.write_text('{"event":"a"}\n{"eve', encoding="utf-8")
    Journal(path, 10_000, 2).append([ROW])
    lines = path.read_text(encoding="utf-8").splitlines()
    assert lines[:2] == ['{"event":"a"}', '{"eve']
    assert json.loads(lines[2]) == ROW


def test_full_journal_moves_on_and_the_oldest_falls_off(path: Path) -> None:
    kept = Journal(path, 20, 2)
    for number in range(5):
        kept.append([{"slot": number}, {"slot": number}])
    names = sorted(p.name for p in path.parent.iterdir())
    assert names == ["events.jsonl", "events.jsonl.1", "events.jsonl.2"]
    assert [rows_in(path.with_name(name))[0]["slot"] for name in names] == [4, 3, 2]


def test_nothing_old_is_kept_if_none_is_asked_for(path: Path) -> None:
    kept = Journal(path, 5, 0)
    kept.append([{"slot": 1}])
    kept.append([{"slot": 2}])
    assert rows_in(path) == [{"slot": 2}]
    assert len(list(path.parent.iterdir())) == 1


def test_call_longer_than_the_bound_is_not_split(path: Path) -> None:
    Journal(path, 5, 1).append([ROW, ROW])
    assert rows_in(path) == [ROW, ROW]


@pytest.mark.parametrize("obstacle", ["folder", "fifo", "no folder", "folder where it rotates to"])
def test_journal_that_cannot_be_written_is_no_error(obstacle: str, path: Path) -> None:
    match obstacle:
        case "folder":
            path.mkdir()
        case "fifo":
            os.mkfifo(path)
        case "no folder":
            path = path.parent / "gone" / "events.jsonl"
        case _:
            path.write_text("x" * 50_000, encoding="utf-8")
            (path.parent / "events.jsonl.1" / "x").mkdir(parents=True)
    Journal(path, 10_000, 1).append([ROW])


def test_journal_that_cannot_be_written_is_logged_once(
    path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path.mkdir()
    kept = Journal(path, 10_000, 2)
    with caplog.at_level(logging.WARNING):
        kept.append([ROW])
        kept.append([ROW])
    assert len(caplog.records) == 1


def test_fault_after_a_good_spell_is_logged_again(
    path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    kept = Journal(path, 10_000, 2)
    for _ in range(2):
        path.mkdir()
        kept.append([ROW])
        path.rmdir()
        kept.append([ROW])
        path.unlink()
    assert len(caplog.records) == 2


def test_full_disk_costs_lines_and_nothing_else(
    path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    kept = Journal(path, 10_000, 2)
    with full_disk():
        kept.append([ROW])
        kept.append([ROW])
    assert path.stat().st_size == 64
    assert len(caplog.records) == 1


def test_journal_goes_on_once_the_disk_has_room(path: Path) -> None:
    kept = Journal(path, 10_000, 2)
    with full_disk():
        kept.append([ROW])
    kept.append([ROW])
    assert json.loads(path.read_text(encoding="utf-8").splitlines()[-1]) == ROW
