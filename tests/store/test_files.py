"""Files that are replaced: old or new, never half, and nothing left beside them."""

from __future__ import annotations

import contextlib
import os
import stat
import subprocess
import sys
import threading
from typing import TYPE_CHECKING

import pytest

from flightdeck.store import files

if TYPE_CHECKING:
    from pathlib import Path

OLD, NEW = b"a" * 300_000, b"b" * 300_000


def test_replaced_file_holds_the_new_bytes(tmp_path: Path) -> None:
    files.replace(tmp_path / "f", OLD)
    files.replace(tmp_path / "f", b"new", durable=True)
    assert (tmp_path / "f").read_bytes() == b"new"


def test_file_is_for_its_owner_only(tmp_path: Path) -> None:
    files.replace(tmp_path / "f", b"")
    assert stat.S_IMODE((tmp_path / "f").stat().st_mode) == 0o600


def test_mode_asked_for_is_the_mode_it_gets(tmp_path: Path) -> None:
    files.replace(tmp_path / "f", b"", mode=0o644)
    assert stat.S_IMODE((tmp_path / "f").stat().st_mode) == 0o644


def test_reader_sees_the_old_or_the_new_file_and_never_a_part(tmp_path: Path) -> None:
    path, stop = tmp_path / "f", threading.Event()
    files.replace(path, OLD)

    def write() -> None:
        while not stop.is_set():
            files.replace(path, NEW)
            files.replace(path, OLD)

    writer = threading.Thread(target=write)
    writer.start()
    seen = {path.read_bytes() for _ in range(300)}
    stop.set()
    writer.join()
    assert seen <= {OLD, NEW}


def test_last_look_that_raises_calls_it_off(tmp_path: Path) -> None:
    (tmp_path / "f").write_bytes(b"old")

    def changed() -> None:
        raise InterruptedError

    with pytest.raises(InterruptedError):
        files.replace(tmp_path / "f", b"new", last_look=changed)
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {"f": b"old"}


def test_file_like_another_has_its_mode_owner_and_attributes(tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.write_text("x")
    other.chmod(0o640)
    owner = (65_534, 65_534) if os.geteuid() == 0 else (os.geteuid(), os.getgroups()[-1])
    os.chown(other, *owner)
    attributes = set_attribute(other)
    files.replace(tmp_path / "f", b"", mode=0o600, like=other)
    info = (tmp_path / "f").stat()
    assert (info.st_uid, info.st_gid, info.st_mode & 0o7777) == (*owner, 0o640)
    assert attributes_of(tmp_path / "f") == attributes


def set_attribute(path: Path) -> dict[str, bytes]:
    """Give a file an attribute where it can have one."""
    with contextlib.suppress(OSError, AttributeError):
        os.setxattr(path, "user.flightdeck", b"kept")
    return attributes_of(path)


def attributes_of(path: Path) -> dict[str, bytes]:
    names = os.listxattr(path) if hasattr(os, "listxattr") else []
    return {name: os.getxattr(path, name) for name in names}


def test_missing_folder_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        files.replace(tmp_path / "none" / "f", b"")


def test_folder_of_that_name_stays_and_nothing_is_left_beside_it(tmp_path: Path) -> None:
    (tmp_path / "f").mkdir()
    with pytest.raises(IsADirectoryError):
        files.replace(tmp_path / "f", b"new")
    assert [path.name for path in tmp_path.iterdir()] == ["f"]


FULL_DISK = """
import resource, signal, sys
from pathlib import Path
from flightdeck.store import files
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
try:
    files.replace(Path(sys.argv[1]), b"x" * 5000)
except OSError:
    sys.exit(7)
"""


def test_full_disk_keeps_the_old_file_and_leaves_nothing_beside_it(tmp_path: Path) -> None:
    (tmp_path / "f").write_bytes(b"old")
    done = subprocess.run([sys.executable, "-c", FULL_DISK, str(tmp_path / "f")], check=False)
    assert done.returncode == 7
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {"f": b"old"}


def a_dead_pid() -> int:
    with subprocess.Popen(["true"]) as process:
        return process.pid


def test_half_of_a_process_that_was_killed_is_removed(tmp_path: Path) -> None:
    (tmp_path / f".file.{a_dead_pid()}.ab12_x.tmp").write_text("half")
    files.forget_halves(tmp_path / "file")
    assert list(tmp_path.iterdir()) == []


def test_half_that_is_an_hour_old_is_removed_whoever_has_the_number_now(tmp_path: Path) -> None:
    half = tmp_path / f".file.{os.getpid()}.ab12_x.tmp"
    half.write_text("half")
    os.utime(half, (0, 0))
    files.forget_halves(tmp_path / "file")
    assert list(tmp_path.iterdir()) == []


def test_halves_of_every_file_of_a_folder_can_be_removed(tmp_path: Path) -> None:
    for name in ("a", "b.json"):
        (tmp_path / f".{name}.{a_dead_pid()}.ab12_x.tmp").write_text("half")
    (tmp_path / "kept.json").write_text("whole")
    files.forget_halves_in(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["kept.json"]


@pytest.mark.parametrize(
    "name",
    [
        ".file.1.ab.tmp",  # somebody else's process
        f".file.{10**30}.ab.tmp",
        ".file.ab.tmp",
        ".other.999999999.ab.tmp",
        "file.999999999.ab.tmp",
        ".file.999999999.ab.tmp.old",
    ],
)
def test_what_may_be_somebodys_stays(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text("half")
    files.forget_halves(tmp_path / "file")
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_what_is_still_being_written_stays(tmp_path: Path) -> None:
    (tmp_path / f".file.{os.getpid()}.ab.tmp").write_text("half")
    files.forget_halves(tmp_path / "file")
    assert len(list(tmp_path.iterdir())) == 1


def test_folder_that_is_not_there_holds_no_halves(tmp_path: Path) -> None:
    files.forget_halves(tmp_path / "missing" / "file")


def test_file_being_written_is_named_after_its_writer(tmp_path: Path) -> None:
    seen: list[str] = []

    def look() -> None:
        seen.extend(path.name for path in tmp_path.iterdir())

    files.replace(tmp_path / "file", b"x", last_look=look)
    assert seen[0].startswith(f".file.{os.getpid()}.")
