"""The state folder as doctor sees it, where it is not what it should be at all."""

from __future__ import annotations

import os
from types import SimpleNamespace
from typing import TYPE_CHECKING

import pytest

from flightdeck.doctor import folder
from flightdeck.model.finding import Level

if TYPE_CHECKING:
    from tests.doctor.desk import Desk

GIB = 1 << 30


def found(desk: Desk) -> list[tuple[Level, str, str]]:
    return [(one.level, one.what, one.mend) for one in folder.look(desk.looked_at())]


def elsewhere(desk: Desk, name: str) -> None:
    """Use another state folder, which is not there yet."""
    desk.machine.home = desk.home / name
    desk.folder = desk.machine.folder


def test_folder_that_is_not_there_yet_is_a_warning(desk: Desk) -> None:
    elsewhere(desk, "new")
    what = f"{desk.folder.root} is not there yet"
    assert found(desk) == [(Level.WARNING, what, "flightdeck apply")]


def test_link_to_nowhere_is_a_failure(desk: Desk) -> None:
    elsewhere(desk, "linked")
    desk.folder.root.parent.mkdir()
    desk.folder.root.symlink_to("/nowhere/at/all")
    root = desk.folder.root
    what = f"{root} is a link to /nowhere/at/all, which is not there"
    assert found(desk) == [(Level.FAILURE, what, f"rm {root} && flightdeck apply")]


def test_file_in_its_place_is_a_failure_and_its_hint_keeps_the_file(desk: Desk) -> None:
    elsewhere(desk, "file")
    root = desk.folder.root
    root.parent.mkdir()
    root.write_text("mine")
    hint = f"mv {root} {root}.old && flightdeck apply"
    assert found(desk) == [(Level.FAILURE, f"{root} is not a folder", hint)]
    desk.runs(hint.partition(" && ")[0])
    assert root.with_name(".fleet.old").read_text() == "mine"


def test_folder_its_owner_cannot_use_is_a_failure(desk: Desk) -> None:
    root = desk.folder.root
    root.chmod(0o500)
    what = f"{root} cannot be used (mode 500)"
    assert (Level.FAILURE, what, f"chmod 700 {root}") in found(desk)
    root.chmod(0o700)


def test_folder_of_somebody_else_is_a_failure(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.geteuid", lambda: 4242)
    ((level, what, hint),) = found(desk)
    assert level is Level.FAILURE
    assert what == f"{desk.folder.root} belongs to somebody else"
    assert hint.startswith("set FLEET_HOME to")


def test_folder_below_one_that_may_not_be_entered_is_a_failure(desk: Desk) -> None:
    def lstat(path: object) -> None:
        raise PermissionError(13, "not yours", str(path))

    machine, root = desk.looked_at(), desk.folder.root
    desk.environ.setattr("os.lstat", lstat)
    (finding,) = folder.look(machine)
    reachable = machine.reachable
    desk.environ.undo()
    assert finding.what == f"{root} cannot be reached: not yours"
    assert not reachable


def test_folder_that_is_not_there_can_be_made(desk: Desk) -> None:
    elsewhere(desk, "new")
    assert desk.looked_at().reachable
    desk.folder.create()
    assert desk.looked_at().reachable


def test_file_in_the_place_of_a_part_is_a_failure(desk: Desk) -> None:
    desk.folder.queue.rmdir()
    desk.folder.queue.touch()
    ((level, what, _),) = found(desk)
    assert (level, what) == (Level.FAILURE, f"{desk.folder.queue} is not a folder")


@pytest.mark.parametrize(
    ("disk", "what"),
    [
        ({"f_bavail": 100}, "the disk of {} is full: 400 kB are left"),
        ({"f_favail": 0}, f"the disk of {{}} is full: {GIB * 4} kB are left"),
        ({"f_flag": os.ST_RDONLY}, "{} is on a disk that is read-only"),
    ],
)
def test_disk_that_takes_nothing_is_a_failure(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, disk: dict[str, int], what: str
) -> None:
    usual = {"f_bavail": GIB, "f_frsize": 4096, "f_flag": 0, "f_files": 9, "f_favail": 9}
    told = SimpleNamespace(**{**usual, **disk})
    monkeypatch.setattr("os.statvfs", lambda path: told)
    ((level, said, hint),) = found(desk)
    assert (level, said) == (Level.FAILURE, what.format(desk.folder.root))
    assert hint


def test_file_system_that_counts_no_files_is_not_full(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = SimpleNamespace(f_bavail=GIB, f_frsize=4096, f_flag=0, f_files=0, f_favail=0)
    monkeypatch.setattr("os.statvfs", lambda path: told)
    assert [level for level, _, _ in found(desk)] == [Level.OK]


def test_folder_that_is_copied_to_other_machines_is_a_warning(desk: Desk) -> None:
    elsewhere(desk, "Dropbox")
    desk.folder.create()
    ((level, what, _),) = found(desk)
    assert level is Level.WARNING
    assert "is copied to other machines by Dropbox" in what


def test_mount_with_a_blank_in_its_name_is_found(desk: Desk) -> None:
    elsewhere(desk, "my disk")
    desk.folder.create()
    (desk.root / "proc/self").mkdir(parents=True)
    mount = os.path.realpath(desk.machine.home).replace(" ", "\\040")
    text = f"21 1 8:1 / / rw - ext4 /dev/sda1 rw\n22 21 0:40 / {mount} rw - vfat /dev/sdb1 rw\n"
    (desk.root / "proc/self/mountinfo").write_text(text)
    ((level, what, _),) = found(desk)
    assert level is Level.WARNING
    assert "of kind vfat" in what


def test_pipes_are_counted(desk: Desk) -> None:
    for pid in (9_999_998, 9_999_999):
        os.mkfifo(desk.folder.asks / f"{pid}.fifo")
    assert [what for _, what, _ in found(desk)] == [
        "2 pipes of permission hooks left by a panel that has gone"
    ]
