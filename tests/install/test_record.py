"""The state folder remembers how a settings file was, and forgets it when asked."""

from __future__ import annotations

import json
import os
import stat
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from flightdeck.install.record import Record, Records, digest
from flightdeck.install.target import Target
from flightdeck.store.paths import StateFolder

if TYPE_CHECKING:
    from pathlib import Path

    from tests.install.home import Home


@pytest.fixture
def record(home: Home) -> Record:
    return Record(
        str(home.file), '{"a": "é"}\r\n', digest(b"x"), ("hooks",), made=("/cfg",), at=1.5
    )


def path_of(records: Records) -> Path:
    (path,) = records.folder.glob("*.json")
    return path


def test_record_comes_back_as_it_was_saved(home: Home, record: Record) -> None:
    home.records.save(record)
    assert home.records.load(home.target) == record
    assert home.records.targets() == [home.target]


def test_folders_made_for_it_are_for_their_owner_only(home: Home, record: Record) -> None:
    home.records.keep(home.target, b"a", 1.5)
    made = (home.state.root, home.records.folder, home.records.folder / "backup")
    assert {stat.S_IMODE(folder.stat().st_mode) for folder in made} == {0o700}


def test_record_without_a_file_before_comes_back(home: Home, record: Record) -> None:
    home.records.save(replace(record, before=None))
    assert home.records.load(home.target) == replace(record, before=None)


def test_record_is_for_its_owner_only(home: Home, record: Record) -> None:
    home.records.save(record)
    assert stat.S_IMODE(path_of(home.records).stat().st_mode) == 0o600


def test_files_in_two_folders_have_a_record_each(home: Home, record: Record) -> None:
    other = Target(home.path / "alt \udcff dir")
    home.records.save(record)
    home.records.save(replace(record, file=str(other.file)))
    assert home.records.load(home.target) == record
    assert {target.file for target in home.records.targets()} == {home.file, other.file}


def test_nothing_is_known_before_the_first_install(home: Home) -> None:
    assert home.records.load(home.target) is None
    assert home.records.targets() == []


@pytest.mark.parametrize(
    "text", [b"", b"{", b"\xff", b"[]", b'{"schema": "other/1"}', b"[" * 100_000]
)
def test_torn_or_foreign_record_is_nothing_known(home: Home, record: Record, text: bytes) -> None:
    home.records.save(record)
    path_of(home.records).write_bytes(text)
    assert home.records.load(home.target) is None
    assert home.records.targets() == []


@pytest.mark.parametrize(
    "change",
    [{"file": 1}, {"before": 1}, {"containers": None}, {"made": "yes"}, {"more": 1}],
)
def test_record_with_a_part_of_the_wrong_kind_is_nothing_known(
    home: Home, record: Record, change: dict[str, object]
) -> None:
    home.records.save(record)
    path = path_of(home.records)
    path.write_text(json.dumps({**json.loads(path.read_text()), **change}))
    assert home.records.load(home.target) is None


def test_record_of_another_file_is_not_taken_for_this_one(home: Home, record: Record) -> None:
    home.records.save(record)
    path = path_of(home.records)
    path.write_text(path.read_text().replace("settings.json", "other.json"))
    assert home.records.load(home.target) is None


def test_forgotten_record_leaves_no_empty_folder(home: Home, record: Record) -> None:
    home.records.save(record)
    home.records.forget(home.target)
    home.records.forget(home.target)
    assert not home.records.folder.exists()


def test_three_newest_backups_are_kept_and_outlive_the_record(home: Home, record: Record) -> None:
    home.records.save(record)
    for at in (1.0, 10.0, 2.0, 9.0):
        home.records.keep(home.target, str(at).encode(), at)
    home.records.forget(home.target)
    kept = [path.read_text() for path in sorted((home.records.folder / "backup").iterdir())]
    assert kept == ["2.0", "9.0", "10.0"]


@pytest.mark.parametrize(("made_folder", "made"), [(True, True), (False, False)])
def test_record_of_an_older_flightdeck_is_understood(
    home: Home, record: Record, made_folder: bool, made: bool
) -> None:
    home.records.save(record)
    path = path_of(home.records)
    found = json.loads(path.read_text())
    del found["made"], found["earlier"]
    old = {**found, "schema": "flightdeck.install/1", "made_folder": made_folder}
    path.write_text(json.dumps(old))
    folders = (str(home.config),) if made else ()
    assert home.records.load(home.target) == replace(record, made=folders)


LONG_AGO_NS = 1_000_000_000_123_456_789


def test_file_comes_back_with_its_time_and_mode_where_its_bytes_stand(home: Home) -> None:
    home.write("{}")
    home.file.chmod(0o640)
    os.utime(home.file, ns=(LONG_AGO_NS, LONG_AGO_NS))
    home.records.keep_original(home.target)
    home.file.unlink()
    home.write("{}")
    home.records.bring_back(home.target)
    there = home.file.stat()
    assert (there.st_mtime_ns, there.st_mode & 0o777) == (LONG_AGO_NS, 0o640)
    assert list(home.records.folder.iterdir()) == []


def test_file_that_is_replaced_is_gone_for_good_so_whoever_watches_it_hears(home: Home) -> None:
    home.write("{}")
    home.records.keep_original(home.target)
    assert home.file.stat().st_nlink == 1


def test_copy_does_not_come_back_over_other_bytes(home: Home) -> None:
    home.write("{}")
    home.records.keep_original(home.target)
    home.file.unlink()
    home.write("{ }")
    home.records.bring_back(home.target)
    assert home.text() == "{ }"
    assert list(home.records.folder.iterdir()) == []


def test_nothing_comes_back_where_nothing_was_kept(home: Home) -> None:
    home.write("{}")
    home.records.bring_back(home.target)
    assert home.tree() == {".claude", ".claude/settings.json"}


def test_time_of_the_first_is_kept_again_where_a_copy_stood_for_it(home: Home) -> None:
    home.write("{}")
    os.utime(home.file, ns=(LONG_AGO_NS, LONG_AGO_NS))
    home.records.keep_original(home.target)
    home.file.unlink()
    home.write("{}")
    home.records.keep_original(home.target)
    home.records.bring_back(home.target)
    assert home.file.stat().st_mtime_ns == LONG_AGO_NS


def test_record_of_another_state_folder_is_taken_over_but_replaces_none(
    home: Home, record: Record, tmp_path: Path
) -> None:
    others = Records(StateFolder(tmp_path / "other"))
    home.records.take_over(others, home.target)
    assert home.records.load(home.target) is None
    for at in (1.5, 2.5):
        others.save(replace(record, at=at))
        home.records.take_over(others, home.target)
        assert others.load(home.target) is None
    assert home.records.load(home.target) == record  # of 1.5, which was taken over first
