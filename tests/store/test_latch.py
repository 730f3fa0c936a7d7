"""The latch: whatever stands at its name halts the fleet, and only that."""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING

import pytest

from flightdeck.errors import Refused, Unavailable
from flightdeck.store import latch
from flightdeck.store.paths import StateFolder

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def folder(tmp_path: Path) -> StateFolder:
    return StateFolder(tmp_path / ".fleet")


def test_latch_is_set_once_and_lifted_once(folder: StateFolder) -> None:
    assert not latch.stands(folder)
    assert latch.put(folder)
    assert latch.stands(folder)
    assert not latch.put(folder)
    assert latch.lift(folder)
    assert not latch.stands(folder)
    assert not latch.lift(folder)


def test_latch_is_private_and_so_is_the_folder_made_for_it(folder: StateFolder) -> None:
    latch.put(folder)
    assert stat.S_IMODE(folder.halt.stat().st_mode) == 0o600
    assert stat.S_IMODE(folder.root.stat().st_mode) == 0o700


def test_latch_and_its_name_are_forced_to_disk(
    folder: StateFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    forced: list[int] = []
    true = os.fsync

    def fsync(handle: int) -> None:
        forced.append(os.fstat(handle).st_ino)
        true(handle)

    monkeypatch.setattr(os, "fsync", fsync)
    latch.put(folder)
    assert forced == [folder.halt.stat().st_ino, folder.root.stat().st_ino]


def test_latch_that_cannot_be_forced_to_disk_stands_all_the_same(
    folder: StateFolder, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fsync(_: int) -> None:
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(os, "fsync", fsync)
    assert latch.put(folder)
    assert latch.stands(folder)
    assert "could not be forced to disk" in caplog.text


@pytest.mark.parametrize("odd", ["folder", "dangling link", "link to itself"])
def test_whatever_stands_there_is_a_latch_and_is_lifted_where_it_holds_nothing(
    folder: StateFolder, odd: str
) -> None:
    folder.root.mkdir()
    if odd == "folder":
        folder.halt.mkdir()
    else:
        folder.halt.symlink_to("halt" if odd == "link to itself" else "/nowhere/at/all")
    assert latch.stands(folder)
    assert not latch.put(folder)
    assert latch.lift(folder)
    assert not latch.stands(folder)


def test_link_is_lifted_and_what_it_leads_to_stays(folder: StateFolder, tmp_path: Path) -> None:
    folder.root.mkdir()
    (tmp_path / "precious").mkdir()
    folder.halt.symlink_to(tmp_path / "precious")
    assert latch.lift(folder)
    assert (tmp_path / "precious").is_dir()


def test_folder_with_things_in_it_is_not_taken_away(folder: StateFolder) -> None:
    folder.halt.mkdir(parents=True)
    (folder.halt / "notes").touch()
    with pytest.raises(Refused, match="the fleet stays halted") as no:
        latch.lift(folder)
    assert "by hand" in no.value.hint
    assert latch.stands(folder)


def test_folder_that_may_not_be_looked_into_counts_as_latched(
    folder: StateFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    def lstat(_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "lstat", lstat)
    assert latch.stands(folder)


def test_folder_that_may_not_be_looked_into_is_halted_already(
    folder: StateFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    def denied(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "open", denied)
    monkeypatch.setattr(os, "lstat", denied)
    monkeypatch.setattr("pathlib.Path.mkdir", lambda *_, **__: None)
    assert not latch.put(folder)


def test_latch_that_cannot_be_set_is_said_and_halts_nothing(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    folder = StateFolder(tmp_path / "file" / ".fleet")
    with pytest.raises(Unavailable):
        latch.put(folder)
    assert not latch.stands(folder)
    assert not latch.lift(folder)


def test_file_in_the_place_of_the_state_folder_is_no_halt(tmp_path: Path) -> None:
    (tmp_path / ".fleet").touch()
    with pytest.raises(Unavailable):
        latch.put(StateFolder(tmp_path / ".fleet"))


def test_latch_that_cannot_be_lifted_is_said(
    folder: StateFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    latch.put(folder)

    def unlink(_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("pathlib.Path.unlink", unlink)
    with pytest.raises(Unavailable):
        latch.lift(folder)
