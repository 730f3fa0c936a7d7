"""What doctor is told of the services: there, loaded, able to start, and run of late."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from flightdeck.install import service_record
from flightdeck.install.service_check import inspect_services
from flightdeck.install.services import Services
from flightdeck.install.systemd import Systemd
from flightdeck.install.units import Site, panel, reaper
from flightdeck.model.finding import Level
from tests.install.managers import Stub

if TYPE_CHECKING:
    from flightdeck.install.units import Job
    from tests.install.home import Home

REAP, PANEL = reaper(15_000), panel()
NOW = 1_000_000_000.0


class Desk:
    """A home with the reaper installed; its command is a script."""

    def __init__(self, home: Home) -> None:
        units = home.path / ".config" / "systemd" / "user"
        self.home = home
        self.stub = Stub("systemctl", home.path.parent / "stub", units)
        self.manager = Systemd(units, "", dict(os.environ))
        self.command = home.path / "flightdeck"
        self.command.write_text("#!/bin/sh\n")
        self.command.chmod(0o755)
        home.state.create()

    @property
    def services(self) -> Services:
        return Services(self.manager, self.home.state)

    def site(self) -> Site:
        return Site(self.command, self.home.state.root, {"PATH": "/bin"})

    def install(self, *jobs: Job, age_s: float = 0.0) -> None:
        self.services.perform(jobs, self.site())
        for path in self.services.files_of(REAP):
            os.utime(path, (NOW - age_s, NOW - age_s))

    def passed(self, age_s: float) -> None:
        self.home.state.reaped.touch()
        os.utime(self.home.state.reaped, (NOW - age_s, NOW - age_s))

    def says(self, *jobs: Job) -> list[tuple[Level, str, str]]:
        found = inspect_services(self.services, jobs or (REAP,), self.site(), NOW)
        return [(finding.level, finding.what, finding.mend) for finding in found]


@pytest.fixture
def desk(home: Home, monkeypatch: pytest.MonkeyPatch) -> Desk:
    desk = Desk(home)
    monkeypatch.setenv("FLIGHTDECK_SYSTEMCTL", str(desk.stub.program))
    return desk


def test_timer_that_runs_is_ok(desk: Desk) -> None:
    desk.install(REAP)
    desk.passed(20)
    assert desk.says() == [(Level.OK, "reap by systemd, every 15 s", "")]


def test_panel_is_named_beside_it(desk: Desk) -> None:
    desk.install(REAP, PANEL)
    assert desk.says(REAP, PANEL) == [(Level.OK, "reap and panel by systemd, every 15 s", "")]


def test_machine_without_a_manager_is_no_fault(desk: Desk) -> None:
    desk.manager = Systemd(desk.manager.folder, "there is no systemd here")
    ((level, what, _),) = desk.says()
    assert level is Level.OK
    assert "because there is no systemd here" in what


def test_timer_nobody_installed_is_a_warning(desk: Desk) -> None:
    ((level, what, hint),) = desk.says()
    assert (level, hint) == (Level.WARNING, "flightdeck apply")
    assert what.startswith("no timer folds")


def test_timer_that_is_not_loaded_is_a_failure(desk: Desk) -> None:
    desk.install(REAP)
    (desk.stub.folder / "up-flightdeck-reap.timer").unlink()
    what = "installed, and not loaded by systemd"
    assert desk.says() == [(Level.FAILURE, what, "flightdeck apply")]


def test_file_somebody_edited_is_out_of_date(desk: Desk) -> None:
    desk.install(REAP)
    file = desk.services.files_of(REAP)[0]
    file.write_text(file.read_text().replace("Nice=10", "Nice=0"))
    assert desk.says() == [(Level.WARNING, f"out of date: {file}", "flightdeck apply")]


def test_stranger_in_the_place_of_one_of_two_files_is_a_failure(desk: Desk) -> None:
    desk.install(REAP)
    file = desk.services.files_of(REAP)[1]
    file.write_text("[Timer]\n")
    ((level, what, hint),) = desk.says()
    assert level is Level.FAILURE
    assert what == f"{file} is not flightdeck's own"
    assert "--no-services" in hint


def test_command_that_is_gone_is_a_failure_that_apply_mends(desk: Desk) -> None:
    desk.install(REAP)
    gone, desk.command = desk.command, desk.home.path / "new" / "flightdeck"
    gone.unlink()
    found = desk.says()
    what = f"services start {gone}, which is not there"
    assert (Level.FAILURE, what, "flightdeck apply") in found
    assert [level for level, *_ in found] == [Level.WARNING, Level.FAILURE]


def test_interpreter_an_upgrade_took_away_is_a_failure(desk: Desk) -> None:
    desk.install(REAP)
    desk.command.write_text("#!/opt/python3.9/bin/python -sE\n")
    ((level, what, hint),) = desk.says()
    assert level is Level.FAILURE
    assert what.endswith("whose interpreter /opt/python3.9/bin/python is not there")
    assert "install flightdeck again" in hint


@pytest.mark.parametrize("first", ["", "#!\n", "\x7fELF"])
def test_command_that_is_no_script_needs_no_interpreter(desk: Desk, first: str) -> None:
    desk.install(REAP)
    desk.command.write_text(first)
    assert [level for level, *_ in desk.says()] == [Level.OK]


@pytest.mark.parametrize(("age_s", "late"), [(59, False), (61, True)])
def test_timer_that_has_not_fired_of_late_is_a_warning(
    desk: Desk, age_s: float, late: bool
) -> None:
    desk.install(REAP, age_s=10_000)
    desk.passed(age_s)
    levels = [level for level, *_ in desk.says()]
    assert levels == [Level.WARNING if late else Level.OK]


def test_timer_that_never_fired_is_a_warning_with_the_command_that_tells(desk: Desk) -> None:
    desk.install(REAP, age_s=600)
    ((_, what, hint),) = desk.says()
    assert what == "the timer is there, and nothing was folded by it for 600 s"
    assert hint == "systemctl --user status flightdeck-reap.service"


def test_lost_record_costs_the_look_at_the_command_only(desk: Desk) -> None:
    desk.install(REAP)
    service_record.forget(desk.home.state)
    desk.command.unlink()
    assert [level for level, *_ in desk.says()] == [Level.OK]
