"""Logs: kept in the state folder, private, and a crash always leaves its trace somewhere."""

from __future__ import annotations

import logging
import stat
from pathlib import Path

import pytest

from flightdeck.store.log import keep_short, log_to, write_crash


def test_log_is_written_until_it_is_taken_back(tmp_path: Path) -> None:
    undo = log_to(tmp_path / "panel.log")
    logging.getLogger("flightdeck.x").info("said")
    undo()
    logging.getLogger("flightdeck.x").warning("not said")
    text = (tmp_path / "panel.log").read_text(encoding="utf-8")
    assert text.endswith("INFO flightdeck.x: said\n")


def test_log_and_the_one_after_it_are_for_their_owner_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("flightdeck.store.log._BYTES", 100)
    undo = log_to(tmp_path / "panel.log")
    for _ in range(3):
        logging.getLogger("flightdeck.x").info("%s", "x" * 80)
    undo()
    kept = list(tmp_path.iterdir())
    assert len(kept) >= 3  # from Python 3.13 on an empty log is not rotated
    assert {stat.S_IMODE(path.stat().st_mode) for path in kept} == {0o600}


def test_level_is_as_it_was_afterwards(tmp_path: Path) -> None:
    before = logging.getLogger().level
    log_to(tmp_path / "panel.log")()
    assert logging.getLogger().level == before


def test_crash_is_kept_in_the_state_folder(home: Path) -> None:
    path = write_crash("Traceback: it broke")
    assert path == home / ".fleet" / "log" / "crash.log"
    assert path.read_text(encoding="utf-8") == "Traceback: it broke"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_crash_over_half_a_character_is_kept_too() -> None:
    assert write_crash("\ud83d").read_text(encoding="utf-8") == "\\ud83d"


def test_crash_without_a_state_folder_is_kept_elsewhere(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (home / "file").touch()
    monkeypatch.setenv("FLEET_HOME", str(home / "file" / "fleet"))
    path = write_crash("Traceback: it broke")
    assert path.read_text(encoding="utf-8") == "Traceback: it broke"
    path.unlink()


def test_state_folder_a_crash_makes_is_for_its_owner_only(home: Path) -> None:
    write_crash("trace")
    assert (home / ".fleet").stat().st_mode & 0o777 == 0o700


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only Linux has a disk always full")
def test_full_disk_costs_lines_and_nothing_else(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "panel.log").symlink_to("/dev/full")
    undo = log_to(tmp_path / "panel.log")
    logging.getLogger("flightdeck.test").error("a line")
    undo()
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(("size", "left"), [(512 * 1024, 512 * 1024), (512 * 1024 + 1, 0)])
def test_what_services_say_is_kept_until_it_is_long(size: int, left: int, tmp_path: Path) -> None:
    said, log = tmp_path / "reap.out", tmp_path / "panel.log"
    for path in (said, log):
        path.write_bytes(b"x" * size)
    keep_short(tmp_path)
    assert (said.stat().st_size, log.stat().st_size) == (left, size)


def test_service_that_runs_goes_on_at_the_new_end(tmp_path: Path) -> None:
    said = tmp_path / "panel.out"
    with said.open("ab") as stream:
        stream.write(b"x" * 600_000)
        stream.flush()
        keep_short(tmp_path)
        stream.write(b"on")
    assert said.read_bytes() == b"on"
