"""The selected session: one file, replaced whole; whatever is wrong with it selects nothing."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from flightdeck.store import files, selection
from flightdeck.store.paths import StateFolder
from flightdeck.store.selection import Selection

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def folder(tmp_path: Path) -> StateFolder:
    return StateFolder(tmp_path)


def test_selection_comes_back_as_it_was_written(folder: StateFolder) -> None:
    selection.write(folder, "11-1")
    assert selection.read(folder) == "11-1"
    selection.write(folder, "")
    assert selection.read(folder) == ""


def test_selection_is_private_and_nothing_is_left_beside_it(folder: StateFolder) -> None:
    selection.write(folder, "11-1")
    assert [p.name for p in folder.root.iterdir()] == ["selected.json"]
    assert folder.selected.stat().st_mode & 0o777 == 0o600


def test_selection_that_cannot_be_written_leaves_the_old_one(folder: StateFolder) -> None:
    selection.write(folder, "11-1")
    folder.selected.unlink()
    folder.selected.mkdir()
    with pytest.raises(OSError, match=r".+"):
        selection.write(folder, "12-1")
    assert [p.name for p in folder.root.iterdir()] == ["selected.json"]


BROKEN = [b"", b"{", b"[]", b'"11-1"', b"{}", b'{"key": 7}', b'{"key": null}', b"\xff", b"[" * 9999]


@pytest.mark.parametrize("data", BROKEN)
def test_broken_file_selects_nothing(data: bytes, folder: StateFolder) -> None:
    folder.selected.write_bytes(data)
    assert selection.read(folder) == ""
    assert Selection(folder).key() == ""


def test_missing_file_selects_nothing(folder: StateFolder) -> None:
    assert selection.read(folder) == ""
    assert Selection(folder).key() == ""


def test_pipe_of_that_name_selects_nothing_and_holds_nobody_up(folder: StateFolder) -> None:
    os.mkfifo(folder.selected)
    assert Selection(folder).key() == ""


def test_change_is_seen_and_an_unchanged_file_is_not_opened(
    folder: StateFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    selected, opened = Selection(folder), []
    read = files.read

    def counting(path: Path, most: int = -1) -> bytes:
        opened.append(path)
        return read(path, most)

    monkeypatch.setattr(files, "read", counting)
    assert [selected.key() for _ in range(3)] == ["", "", ""]
    for key in ("11-1", "12-1"):
        selection.write(folder, key)
        assert [selected.key() for _ in range(3)] == [key] * 3
    folder.selected.unlink()
    assert selected.key() == ""
    assert opened == [folder.selected] * 2
