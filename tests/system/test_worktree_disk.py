"""Files that are not what they were a moment ago, and what is compared byte for byte."""

from __future__ import annotations

import hashlib
import os
from typing import TYPE_CHECKING

import pytest

from flightdeck.system import worktree_disk
from flightdeck.system.worktree_disk import OnDisk, read_contents, read_whole, same_blob
from flightdeck.system.worktree_git import Unproven

if TYPE_CHECKING:
    from pathlib import Path

PLENTY = float("inf")


def blob(data: bytes, kind: str = "sha1") -> str:
    return hashlib.new(kind, b"blob %d\0" % len(data) + data).hexdigest()


def a_file(folder: Path, data: bytes) -> OnDisk:
    (folder / "f").write_bytes(data)
    return OnDisk(link=False, executable=False, size=len(data))


@pytest.mark.parametrize("kind", ["sha1", "sha256"])
@pytest.mark.parametrize("data", [b"", b"a\n", b"\0\xff" * 2_000_000])
def test_file_equals_the_blob_of_its_bytes_only(kind: str, data: bytes, tmp_path: Path) -> None:
    entry = a_file(tmp_path, data)
    assert same_blob(str(tmp_path), b"f", entry, blob(data, kind))
    assert not same_blob(str(tmp_path), b"f", entry, blob(data + b"x", kind))


def test_link_equals_the_blob_of_its_target_only(tmp_path: Path) -> None:
    (tmp_path / "f").symlink_to("there")
    entry = OnDisk(link=True, executable=False, size=5)
    assert same_blob(str(tmp_path), b"f", entry, blob(b"there"))
    assert not same_blob(str(tmp_path), b"f", entry, blob(b"here"))


@pytest.mark.parametrize("size", [0, 2, 9])
def test_file_of_another_length_than_was_seen_proves_nothing(size: int, tmp_path: Path) -> None:
    a_file(tmp_path, b"abc")
    entry = OnDisk(link=False, executable=False, size=size)
    with pytest.raises(Unproven, match="changes while it is read"):
        same_blob(str(tmp_path), b"f", entry, blob(b"abc"))
    with pytest.raises(Unproven, match="changes while it is read"):
        read_whole(str(tmp_path), b"f", size)


@pytest.mark.parametrize("growth", [b"", b"abcdef"])
def test_file_that_changes_under_the_reading_proves_nothing(
    growth: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    entry = a_file(tmp_path, b"abc")
    real = worktree_disk._opened

    def change(full: bytes, size: int) -> int:
        handle = real(full, size)
        (tmp_path / "f").write_bytes(growth)
        return handle

    monkeypatch.setattr(worktree_disk, "_opened", change)
    with pytest.raises(Unproven, match="changes while it is read"):
        same_blob(str(tmp_path), b"f", entry, blob(b"abc"))
    a_file(tmp_path, b"abc")
    with pytest.raises(Unproven, match="changes while it is read"):
        read_whole(str(tmp_path), b"f", 3)


def test_whole_file_is_its_bytes(tmp_path: Path) -> None:
    a_file(tmp_path, b"a\r\n\0")
    assert read_whole(str(tmp_path), b"f", 4) == b"a\r\n\0"


@pytest.mark.parametrize("became", ["a link", "a pipe", "nothing"])
def test_file_that_became_something_else_is_not_followed(became: str, tmp_path: Path) -> None:
    if became == "a link":
        (tmp_path / "f").symlink_to("elsewhere")
    elif became == "a pipe":
        os.mkfifo(tmp_path / "f")
    with pytest.raises(Unproven):
        same_blob(str(tmp_path), b"f", OnDisk(False, False, 0), blob(b""))
    with pytest.raises(Unproven):
        read_whole(str(tmp_path), b"f", 0)


def test_everything_below_a_folder_is_listed_and_nothing_followed(tmp_path: Path) -> None:
    top = tmp_path / "top"
    (top / "a" / "b").mkdir(parents=True)
    (top / ".git").write_text("gitdir: x", encoding="utf-8")
    (top / "a" / ".GIT").mkdir()
    (top / "a" / "b" / "run").touch(mode=0o755)
    (top / "a" / "away").symlink_to(tmp_path)
    os.mkfifo(top / "pipe")
    found = read_contents(str(top), PLENTY)
    assert found.files == {
        b"a/b/run": OnDisk(link=False, executable=True, size=0),
        b"a/away": OnDisk(link=True, executable=True, size=len(str(tmp_path))),
    }
    assert (found.checkouts, found.odd, found.mounts) == ([b"a/.GIT"], [b"pipe"], [])


def test_git_folder_at_the_top_is_looked_through(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "HEAD").touch()
    assert list(read_contents(str(tmp_path), PLENTY).files) == [b".git/HEAD"]


def test_folder_that_is_gone_proves_nothing(tmp_path: Path) -> None:
    with pytest.raises(Unproven, match="cannot be read"):
        read_contents(str(tmp_path / "gone"), PLENTY)


def test_time_that_is_over_proves_nothing(tmp_path: Path) -> None:
    with pytest.raises(Unproven, match="too much"):
        read_contents(str(tmp_path), 0.0)
