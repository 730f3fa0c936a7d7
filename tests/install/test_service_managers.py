"""Whether a service manager may be used here, and how each is heard out."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from flightdeck.errors import FlightdeckError
from flightdeck.install import launchd
from flightdeck.install.launchd import find_launchd
from flightdeck.install.services import find_manager
from flightdeck.install.systemd import find_systemd
from flightdeck.install.units import panel, reaper
from tests.install.managers import Stub

if TYPE_CHECKING:
    from pathlib import Path

    from flightdeck.install.launchd import Launchd

REAP, PANEL = reaper(15_000), panel()


@pytest.fixture
def systemctl(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Stub:
    stub = Stub("systemctl", tmp_path / "systemctl", tmp_path / ".config" / "systemd" / "user")
    monkeypatch.setenv("FLIGHTDECK_SYSTEMCTL", str(stub.program))
    return stub


@pytest.fixture
def launchctl(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Stub:
    stub = Stub("launchctl", tmp_path / "launchctl", tmp_path)
    monkeypatch.setenv("FLIGHTDECK_LAUNCHCTL", str(stub.program))
    monkeypatch.setattr(launchd, "_account_home", lambda: str(tmp_path))
    monkeypatch.setattr(launchd, "_LOOK_EVERY_S", 0.01)
    return stub


def environ(home: Path, **more: str) -> dict[str, str]:
    return {"HOME": str(home), "PATH": os.defpath, **more}


@pytest.mark.usefixtures("systemctl", "launchctl")
def test_platform_decides_who_is_asked(tmp_path: Path) -> None:
    found = [find_manager(environ(tmp_path), platform) for platform in ("linux", "darwin")]
    assert [manager.title for manager in found] == ["systemd", "launchd"]
    assert [manager.absent for manager in found] == ["", ""]


def test_machine_without_systemd_has_none(tmp_path: Path) -> None:
    assert find_systemd(environ(tmp_path)).absent == "there is no systemd here"


def test_manager_that_does_not_answer_is_none(systemctl: Stub, tmp_path: Path) -> None:
    systemctl.fails("show", "Failed to connect to bus: No medium found")
    assert find_systemd(environ(tmp_path)).absent == "no systemd user manager answers here"


def test_manager_of_another_home_is_never_given_our_units(systemctl: Stub, tmp_path: Path) -> None:
    systemctl.put("reads", "/home/somebody/.config/systemd/user /etc/systemd/user")
    folder = tmp_path / ".config" / "systemd" / "user"
    absent = find_systemd(environ(tmp_path)).absent
    assert absent == f"the systemd user manager reads no units in {folder}"


@pytest.mark.usefixtures("systemctl")
def test_configuration_folder_the_manager_does_not_know_is_passed_over(tmp_path: Path) -> None:
    found = find_systemd(environ(tmp_path, XDG_CONFIG_HOME=str(tmp_path / "cfg")))
    assert (found.folder, found.absent) == (tmp_path / ".config" / "systemd" / "user", "")


def test_configuration_folder_the_manager_knows_is_taken(systemctl: Stub, tmp_path: Path) -> None:
    place = tmp_path / "my cfg" / "systemd" / "user"
    systemctl.put("reads", f'/etc "{place}" {tmp_path}/.config/systemd/user')
    found = find_systemd(environ(tmp_path, XDG_CONFIG_HOME=str(tmp_path / "my cfg")))
    assert (found.folder, found.absent) == (place, "")


@pytest.mark.usefixtures("systemctl")
@pytest.mark.parametrize("named", ["", "  ", "relative/cfg"])
def test_configuration_folder_that_is_no_whole_path_is_none(named: str, tmp_path: Path) -> None:
    found = find_systemd(environ(tmp_path, XDG_CONFIG_HOME=named))
    assert found.folder == tmp_path / ".config" / "systemd" / "user"


def test_folder_with_letters_that_are_escaped_is_recognised(
    systemctl: Stub, tmp_path: Path
) -> None:
    home = tmp_path / 'a "b" $c \\d'
    escaped = str(home).replace("\\", "\\\\").replace('"', '\\"').replace("$", "\\$")
    systemctl.put("reads", f'"{escaped}/.config/systemd/user"')
    assert find_systemd(environ(home)).absent == ""


def test_manager_that_does_not_say_what_runs_is_told_of(systemctl: Stub, tmp_path: Path) -> None:
    manager = find_systemd(environ(tmp_path))
    systemctl.fails("show", "")
    with pytest.raises(FlightdeckError, match=r"`systemctl --user show .* failed"):
        manager.standing([REAP])


@pytest.mark.usefixtures("systemctl")
def test_nobody_is_asked_about_no_job(tmp_path: Path) -> None:
    assert find_systemd(environ(tmp_path)).standing([]) == frozenset()


def test_failure_without_a_word_is_told_by_its_number(systemctl: Stub, tmp_path: Path) -> None:
    manager = find_systemd(environ(tmp_path))
    systemctl.program.write_text("#!/bin/sh\nexit 7\n")
    with pytest.raises(FlightdeckError, match="failed: it ended with 7"):
        manager.perform(("systemctl", "--user", "daemon-reload"))


def test_machine_without_launchd_has_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(launchd, "_account_home", lambda: str(tmp_path))
    assert find_launchd(environ(tmp_path)).absent == "there is no launchd here"


def test_nobody_at_the_screen_means_no_launchd(launchctl: Stub, tmp_path: Path) -> None:
    launchctl.put("no-screen")
    assert "nobody is logged in at the screen" in find_launchd(environ(tmp_path)).absent


def test_home_that_is_not_the_accounts_is_not_launchds(tmp_path: Path) -> None:
    assert "HOME is not your home" in find_launchd(environ(tmp_path)).absent


def test_absent_manager_is_told_nothing(tmp_path: Path) -> None:
    for platform in ("linux", "darwin"):
        manager = find_manager(environ(tmp_path), platform)
        assert manager.standing([REAP]) == frozenset()
        assert manager.before([REAP], [PANEL], []) == ()
        assert manager.after([REAP], [PANEL]) == ()


@pytest.fixture
def mac(launchctl: Stub, tmp_path: Path) -> Launchd:
    """A launchd that has the reaper loaded."""
    manager = find_launchd(environ(tmp_path))
    manager.folder.mkdir(parents=True)
    (manager.folder / "flightdeck.reap.plist").write_text("")
    for command in manager.after([], [REAP]):
        manager.perform(command)
    launchctl.told()
    return manager


def test_job_that_takes_its_time_to_go_is_waited_for(launchctl: Stub, mac: Launchd) -> None:
    launchctl.put("slow")
    for command in mac.before([REAP], [], ["reap"]):
        mac.perform(command)
    assert launchctl.up() == set()


def test_job_that_does_not_go_in_time_is_told_of(
    launchctl: Stub, mac: Launchd, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(launchd, "_PATIENCE_S", 0.05)
    launchctl.put("slow")
    launchctl.put("stuck")
    with pytest.raises(FlightdeckError, match="launchctl bootout"):
        mac.perform(mac.before([REAP], [], ["reap"])[0])


def test_name_that_is_still_taken_is_tried_again(launchctl: Stub, mac: Launchd) -> None:
    (launchctl.folder / "up-flightdeck.reap").unlink()
    launchctl.put("busy")
    mac.perform(mac.after([], [REAP])[0])
    assert launchctl.up() == {"flightdeck.reap"}


def test_each_manager_has_commands_a_person_may_type(tmp_path: Path) -> None:
    linux, mac = (find_manager(environ(tmp_path), platform) for platform in ("linux", "darwin"))
    assert linux.log_hint(REAP) == "systemctl --user status flightdeck-reap.service"
    assert linux.start_hint(PANEL) == "systemctl --user start flightdeck-panel.service"
    domain = f"gui/{os.getuid()}"
    assert mac.log_hint(REAP) == f"launchctl print {domain}/flightdeck.reap"
    assert mac.start_hint(PANEL) == f"launchctl kickstart {domain}/flightdeck.panel"
