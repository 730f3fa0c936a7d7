"""A settings file is replaced at once, from what stood in it an instant ago."""

from __future__ import annotations

import os
import stat
import subprocess
import threading
from typing import TYPE_CHECKING

import pytest

from flightdeck.errors import FlightdeckError, Refused, Unavailable
from flightdeck.install.target import Change

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.install.home import Home


def once(word: bytes) -> Callable[[bytes | None], bytes | None]:
    """Return a rule that adds `word` to a file that lacks it."""
    return lambda before: before if word in (before or b"") else (before or b"") + word


def drop(change: Change) -> None:
    """Keep nothing of what was."""


def test_change_says_what_was_and_what_became(home: Home) -> None:
    home.write("a")
    assert home.target.rewrite(once(b"b"), drop) == Change(home.file, b"a", b"ab")
    assert home.text() == "ab"


def test_plan_changes_nothing(home: Home) -> None:
    home.write("a")
    assert home.target.plan(once(b"b")) == Change(home.file, b"a", b"ab")
    assert home.text() == "a"


def test_file_that_is_right_already_is_not_written(home: Home) -> None:
    home.write("b")
    before = home.file.stat()
    assert home.target.rewrite(once(b"b"), drop).is_none
    assert home.file.stat().st_ino == before.st_ino


def test_change_is_announced_before_the_file_is_written(home: Home) -> None:
    home.write("a")
    told: list[tuple[Change, str]] = []
    home.target.rewrite(once(b"b"), lambda change: told.append((change, home.text())))
    assert told == [(Change(home.file, b"a", b"ab"), "a")]


def test_new_file_and_folder_are_for_their_owner_only(home: Home) -> None:
    home.target.rewrite(once(b"b"), drop)
    modes = [stat.S_IMODE(path.stat().st_mode) for path in (home.config, home.file)]
    assert modes == [0o700, 0o600]


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o644])
def test_mode_of_the_file_is_kept(home: Home, mode: int) -> None:
    home.write("a")
    home.file.chmod(mode)
    home.target.rewrite(once(b"b"), drop)
    assert stat.S_IMODE(home.file.stat().st_mode) == mode


def test_link_stays_a_link_and_its_target_is_replaced(home: Home) -> None:
    dotfiles = home.path / "dotfiles"
    dotfiles.mkdir()
    (dotfiles / "claude.json").write_text("a")
    home.config.mkdir()
    home.file.symlink_to("../dotfiles/claude.json")
    home.target.rewrite(once(b"b"), drop)
    assert os.readlink(home.file) == "../dotfiles/claude.json"  # noqa: PTH115 - the text of it
    assert (dotfiles / "claude.json").read_text() == "ab"


def test_link_to_nothing_is_filled_where_it_points(home: Home) -> None:
    home.config.mkdir()
    home.file.symlink_to(home.path / "elsewhere.json")
    home.target.rewrite(once(b"b"), drop)
    assert (home.path / "elsewhere.json").read_text() == "b"


def test_file_goes_when_nothing_should_be_left(home: Home) -> None:
    home.write("a")
    home.target.rewrite(lambda _: None, drop)
    assert not home.file.exists()


def test_content_written_meanwhile_is_not_lost(home: Home) -> None:
    home.write("a")
    others = [b"a2", b"a3"]

    def interrupted(change: Change) -> None:
        if others:
            home.write(others.pop(0).decode())

    assert home.target.rewrite(once(b"b"), interrupted) == Change(home.file, b"a3", b"a3b")


def test_content_that_replaced_ours_at_once_is_changed_again(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    home.write("a")
    put = type(home.target)._put
    others = ["a2"]

    def overtaken(target: object, content: bytes | None, *, instead_of: bytes | None) -> None:
        put(home.target, content, instead_of=instead_of)
        if others:
            home.write(others.pop())

    monkeypatch.setattr(type(home.target), "_put", overtaken)
    assert home.target.rewrite(once(b"b"), drop).after == b"a2b"


@pytest.mark.parametrize("wanted", [b"ab", None])
def test_content_written_in_the_last_moment_is_not_lost(
    home: Home, monkeypatch: pytest.MonkeyPatch, wanted: bytes | None
) -> None:
    home.write("a")
    still, others = type(home.target)._still, ["a2"]

    def late(target: object, content: bytes | None) -> None:
        if others:
            home.write(others.pop())
        still(home.target, content)

    monkeypatch.setattr(type(home.target), "_still", late)
    assert home.target.rewrite(lambda _: wanted, drop).before == b"a2"


def test_settings_are_looked_at_once_more_after_they_were_forced_to_disk(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    home.write("a")
    fsync, others = os.fsync, ["a2"]

    def slow(handle: int) -> None:
        fsync(handle)
        if others and any(home.config.glob("*.tmp")):
            home.write(others.pop())

    monkeypatch.setattr(os, "fsync", slow)
    assert home.target.rewrite(once(b"b"), drop) == Change(home.file, b"a2", b"a2b")


def test_owner_of_the_file_is_kept(home: Home) -> None:
    home.write("a")
    owner = (65_534, 65_534) if os.geteuid() == 0 else (os.geteuid(), os.getgroups()[-1])
    os.chown(home.file, *owner)
    home.target.rewrite(once(b"b"), drop)
    assert (home.file.stat().st_uid, home.file.stat().st_gid) == owner


def test_link_to_a_device_is_refused_unread(home: Home) -> None:
    home.config.mkdir()
    home.file.symlink_to("/dev/zero")
    with pytest.raises(Refused, match="is a device or a pipe, not a file"):
        home.target.rewrite(once(b"b"), drop)


def test_pipe_is_refused_unread(home: Home) -> None:
    home.config.mkdir()
    os.mkfifo(home.file)
    with pytest.raises(Refused, match="is a device or a pipe, not a file"):
        home.target.read()


def test_link_into_a_folder_that_is_not_there_makes_none(home: Home) -> None:
    home.config.mkdir()
    home.file.symlink_to(home.path / "not-mounted" / "settings.json")
    with pytest.raises(Refused, match="which is not there"):
        home.target.rewrite(once(b"b"), drop)
    assert home.tree() == {".claude", ".claude/settings.json"}


def test_file_others_never_stop_writing_is_given_up(home: Home) -> None:
    numbers = iter(range(100))
    home.write("a")
    with pytest.raises(Unavailable, match="5 times in a row"):
        home.target.rewrite(once(b"b"), lambda _: home.write(f"a{next(numbers)}"))
    assert home.text() == "a4"


def test_rule_that_never_ends_is_undone(home: Home) -> None:
    home.write("a")
    with pytest.raises(FlightdeckError, match="it was put back"):
        home.target.rewrite(lambda before: (before or b"") + b"b", drop)
    assert home.text() == "a"


def test_rule_that_never_ends_leaves_no_file_where_none_was(home: Home) -> None:
    with pytest.raises(FlightdeckError):
        home.target.rewrite(lambda before: (before or b"") + b"b", drop)
    assert not home.file.exists()


def test_empty_file_is_read_again_until_its_writer_is_done(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    home.write("")
    looks = iter([False, False, True])

    def look(event: threading.Event, timeout: float | None = None) -> bool:
        if next(looks):
            home.write("a")
        return False

    monkeypatch.setattr(threading.Event, "wait", look)
    assert home.target.read() == b"a"


def test_file_that_stays_empty_is_empty(home: Home) -> None:
    home.write("")
    assert home.target.read() == b""


def test_folder_in_place_of_the_file_is_an_error_with_its_name(home: Home) -> None:
    home.file.mkdir(parents=True)
    with pytest.raises(FlightdeckError, match=r"cannot read .*settings\.json: Is a directory"):
        home.target.read()


def test_folder_that_cannot_be_made_is_an_error_with_the_files_name(home: Home) -> None:
    home.config.symlink_to("/proc/nothing/here")
    with pytest.raises(FlightdeckError, match=r"cannot write into .*\.claude"):
        home.target.rewrite(once(b"b"), drop)


def test_failed_write_leaves_nothing_beside_the_file(home: Home, tmp_path: Path) -> None:
    home.write("a")
    with pytest.raises(FlightdeckError):
        home.target.rewrite(lambda before: (before or b"") + b"b", drop)
    assert home.tree() == {".claude", ".claude/settings.json"}


def test_half_that_a_killed_run_left_goes_with_the_next_write(home: Home) -> None:
    home.write("a")
    with subprocess.Popen(["true"]) as process:
        half = home.config / f".settings.json.{process.pid}.ab12cd34.tmp"
    half.write_text("hal")
    home.target.rewrite(once(b"b"), drop)
    assert home.tree() == {".claude", ".claude/settings.json"}


def test_half_that_cannot_be_removed_is_an_error_with_the_files_name(home: Home) -> None:
    home.write("a")
    half = home.config / ".settings.json.999999999.ab12_x.tmp"
    half.mkdir()
    os.utime(half, (0, 0))
    with pytest.raises(FlightdeckError, match=r"cannot write .*settings\.json"):
        home.target.sweep()
    with pytest.raises(FlightdeckError, match=r"cannot write .*settings\.json"):
        home.target.rewrite(once(b"b"), drop)
    assert home.text() == "a"
