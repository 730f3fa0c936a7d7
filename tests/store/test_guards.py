"""`blocked/`: exactly the sessions whose next tool call is news have a file there."""

from __future__ import annotations

import stat
from typing import TYPE_CHECKING

from flightdeck.store.guards import Guards

if TYPE_CHECKING:
    from pathlib import Path


def standing(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def test_files_are_those_of_the_wanted_sessions(tmp_path: Path) -> None:
    guards = Guards(tmp_path)
    guards.arm({"a", "b"})
    guards.arm({"b", "c"})
    assert standing(tmp_path) == {"b", "c"}


def test_file_is_for_its_owner_only(tmp_path: Path) -> None:
    Guards(tmp_path).arm({"a"})
    assert stat.S_IMODE((tmp_path / "a").stat().st_mode) & 0o077 == 0


def test_files_of_an_earlier_run_are_cleared(tmp_path: Path) -> None:
    (tmp_path / "old").touch()
    Guards(tmp_path).arm({"new"})
    assert standing(tmp_path) == {"new"}


def test_forgotten_folder_is_looked_at_again(tmp_path: Path) -> None:
    guards = Guards(tmp_path)
    guards.arm({"a"})
    (tmp_path / "b").touch()
    guards.arm({"a"})
    assert standing(tmp_path) == {"a", "b"}
    guards.forget()
    guards.arm({"a"})
    assert standing(tmp_path) == {"a"}


def test_nothing_is_touched_while_nothing_changes(tmp_path: Path) -> None:
    guards = Guards(tmp_path)
    guards.arm({"a"})
    before = tmp_path.stat().st_mtime_ns
    guards.arm({"a"})
    assert tmp_path.stat().st_mtime_ns == before


def test_file_that_could_not_be_made_is_made_the_next_time(tmp_path: Path) -> None:
    guards = Guards(tmp_path / "blocked")
    guards.arm({"a"})
    (tmp_path / "blocked").mkdir()
    guards.arm({"a"})
    assert standing(tmp_path / "blocked") == {"a"}


def test_missing_folder_costs_the_guards_and_nothing_else(tmp_path: Path) -> None:
    Guards(tmp_path / "none").arm({"a"})
    assert standing(tmp_path) == set()
