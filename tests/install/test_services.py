"""Services with either manager: planned, put there, taken out; all of it, or nothing."""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING

import pytest

from flightdeck.errors import FlightdeckError, Refused
from flightdeck.install import launchd, service_record
from flightdeck.install.services import Services, find_manager
from flightdeck.install.units import Job, Site, panel, reaper
from flightdeck.store.paths import StateFolder
from tests.install.managers import Stub

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.install.home import Home

REAP, PANEL = reaper(15_000), panel()
BOTH = (REAP, PANEL)


class Desk:
    """A home with one of the two managers."""

    def __init__(self, kind: str, home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
        """Put the manager there; its folder is not there yet."""
        self.home = home
        self.kind = kind
        mac = kind == "launchctl"
        self.folder = home.path / ("Library/LaunchAgents" if mac else ".config/systemd/user")
        self.stub = Stub(kind, home.path.parent / "stub", self.folder)
        self.environ = {"HOME": str(home.path), "PATH": os.environ["PATH"]}
        self.platform = "darwin" if mac else "linux"
        monkeypatch.setenv(f"FLIGHTDECK_{kind.upper()}", str(self.stub.program))
        monkeypatch.setattr(launchd, "_account_home", lambda: str(home.path))
        monkeypatch.setattr(launchd, "_LOOK_EVERY_S", 0.01)
        home.state.create()

    @property
    def services(self) -> Services:
        return Services(find_manager(self.environ, self.platform), self.home.state)

    def site(self, **more: str) -> Site:
        return Site(
            self.home.path / "venv" / "flightdeck", self.home.state.root, {"PATH": "/bin", **more}
        )

    def apply(self, *jobs: Job, **more: str) -> None:
        self.services.perform(jobs, self.site(**more))

    def remove(self) -> None:
        self.services.perform()

    def settled(self, *jobs: Job, **more: str) -> bool:
        return self.services.plan(jobs, self.site(**more)).is_none

    def files(self) -> set[str]:
        return {path.name for path in self.folder.glob("*") if path.is_file()}

    def first(self) -> Path:
        """Return a file of the reaper."""
        return self.services.files_of(REAP)[0]

    def snapshot(self) -> dict[str, object]:
        """Return the home, but for the state folder: kinds, modes, contents, where links lead."""
        found: dict[str, object] = {}
        for path in sorted(self.home.path.rglob("*")):
            if path.is_relative_to(self.home.state.root):
                continue
            about = path.lstat()
            content = str(path.readlink()) if path.is_symlink() else None
            content = path.read_text() if path.is_file() and not content else content
            found[str(path)] = (stat.filemode(about.st_mode), content)
        return found


@pytest.fixture(params=["systemctl", "launchctl"])
def desk(request: pytest.FixtureRequest, home: Home, monkeypatch: pytest.MonkeyPatch) -> Desk:
    """A home with a manager, one after the other."""
    return Desk(request.param, home, monkeypatch)


@pytest.fixture
def linux(home: Home, monkeypatch: pytest.MonkeyPatch) -> Desk:
    return Desk("systemctl", home, monkeypatch)


@pytest.fixture
def mac(home: Home, monkeypatch: pytest.MonkeyPatch) -> Desk:
    return Desk("launchctl", home, monkeypatch)


@pytest.mark.parametrize("jobs", [(REAP,), BOTH])
def test_jobs_run_and_nothing_is_left_to_do(desk: Desk, jobs: tuple[Job, ...]) -> None:
    desk.apply(*jobs)
    assert len(desk.stub.up()) == len(jobs)
    assert desk.settled(*jobs)


def test_second_time_the_manager_hears_nothing(desk: Desk) -> None:
    desk.apply(*BOTH)
    desk.stub.told()
    desk.apply(*BOTH)
    assert desk.stub.told() == []


def test_plan_says_the_very_commands_that_are_run(desk: Desk) -> None:
    desk.apply(REAP)
    plan = desk.services.plan(BOTH, desk.site(FLEET_HOME="/else"))
    desk.stub.told()
    desk.apply(*BOTH, FLEET_HOME="/else")
    shown = [" ".join(command[1:]) for command in (*plan.before, *plan.after)]
    assert desk.stub.told() == [line.removeprefix("--user ") for line in shown]


def test_plan_changes_nothing(desk: Desk) -> None:
    before = desk.snapshot()
    assert not desk.settled(*BOTH)
    assert desk.snapshot() == before
    assert desk.stub.told() == []


def test_systemd_enables_and_starts_what_was_written(linux: Desk) -> None:
    linux.apply(*BOTH)
    units = "flightdeck-reap.timer flightdeck-panel.service"
    assert linux.stub.told() == ["daemon-reload", f"enable {units}", f"restart {units}"]


def test_launchd_loads_what_was_written(mac: Desk) -> None:
    mac.apply(REAP)
    domain = f"gui/{os.getuid()}"
    assert mac.stub.told() == [f"bootstrap {domain} {mac.folder}/flightdeck.reap.plist"]
    mac.apply(REAP, FLEET_HOME="/else")
    assert mac.stub.told() == [
        f"bootout {domain}/flightdeck.reap",
        f"bootstrap {domain} {mac.folder}/flightdeck.reap.plist",
    ]


def test_job_that_is_wanted_no_more_goes_alone(desk: Desk) -> None:
    desk.apply(*BOTH)
    desk.apply(REAP)
    assert not desk.services.has(PANEL)
    assert len(desk.stub.up()) == 1
    assert desk.settled(REAP)


def test_only_the_job_that_changed_is_started_anew(desk: Desk) -> None:
    desk.apply(*BOTH)
    desk.stub.told()
    desk.services.perform((reaper(30_000), PANEL), desk.site())
    assert not any("panel" in line for line in desk.stub.told())


def test_job_the_manager_has_lost_is_started_again(desk: Desk) -> None:
    desk.apply(*BOTH)
    for up in desk.stub.folder.glob("up-*reap*"):
        up.unlink()
    assert not desk.settled(*BOTH)
    desk.apply(*BOTH)
    assert len(desk.stub.up()) == 2


def test_panel_that_is_down_is_left_alone_by_systemd(linux: Desk) -> None:
    linux.apply(*BOTH)
    (linux.stub.folder / "up-flightdeck-panel.service").unlink()
    assert linux.settled(*BOTH)


@pytest.mark.parametrize("jobs", [(REAP,), BOTH])
def test_remove_leaves_the_home_as_it_was(desk: Desk, jobs: tuple[Job, ...]) -> None:
    before = desk.snapshot()
    desk.apply(*jobs)
    desk.remove()
    assert desk.snapshot() == before
    assert desk.stub.up() == set()
    assert service_record.load(desk.home.state) is None


def in_a_linked_folder(desk: Desk) -> None:
    real = desk.home.path / "dot files"
    real.mkdir(mode=0o750)
    desk.folder.parent.mkdir(parents=True)
    desk.folder.symlink_to(real)


def beside_strangers(desk: Desk) -> None:
    desk.folder.mkdir(parents=True, mode=0o700)
    (desk.folder / "backup.timer").write_text("[Timer]\n")
    (desk.folder / "backup.timer").chmod(0o600)
    (desk.folder / "dangling.service").symlink_to("/nowhere/at/all")
    wants = desk.folder / "timers.target.wants"
    wants.mkdir(mode=0o711)
    (wants / "backup.timer").symlink_to("../backup.timer")


def with_an_empty_folder_of_links(desk: Desk) -> None:
    wants = desk.folder / "timers.target.wants"
    wants.mkdir(parents=True)
    wants.chmod(0o711)


def with_half_the_way_made(desk: Desk) -> None:
    desk.folder.parent.mkdir(parents=True)
    desk.folder.parent.chmod(0o700)


SHAPES = [
    in_a_linked_folder,
    beside_strangers,
    with_an_empty_folder_of_links,
    with_half_the_way_made,
]


@pytest.mark.parametrize("shape", SHAPES)
def test_remove_leaves_every_shape_of_home_as_it_was(
    desk: Desk, shape: Callable[[Desk], None]
) -> None:
    shape(desk)
    before = desk.snapshot()
    desk.apply(*BOTH)
    assert desk.settled(*BOTH)
    desk.remove()
    assert desk.snapshot() == before


def test_folder_somebody_has_used_since_stays(desk: Desk) -> None:
    desk.apply(REAP)
    (desk.folder / "mine").write_text("")
    desk.remove()
    assert desk.files() == {"mine"}


def test_remove_where_nothing_is_does_nothing(desk: Desk) -> None:
    before = desk.snapshot()
    desk.remove()
    assert desk.snapshot() == before
    assert desk.stub.told() == []


def test_file_of_an_older_version_is_replaced(desk: Desk) -> None:
    desk.apply(REAP)
    file = desk.first()
    file.write_text(file.read_text().replace("flightdeck:1:", "flightdeck:0:"))
    assert not desk.settled(REAP)
    desk.apply(REAP)
    assert "flightdeck:1:" in file.read_text()


def test_files_left_in_a_folder_the_manager_read_before_go_too(linux: Desk) -> None:
    linux.apply(REAP)
    other = linux.home.path / "cfg" / "systemd" / "user"
    linux.environ["XDG_CONFIG_HOME"] = str(linux.home.path / "cfg")
    linux.stub.put("reads", f'"{other}"')
    linux.stub.put("folder", str(other))
    linux.apply(REAP)
    assert linux.files() == set()
    assert {path.name for path in other.glob("*.*er*")} >= {"flightdeck-reap.timer"}


def a_strangers_file(path: Path) -> None:
    path.write_text("[Unit]\n")


def a_mask(path: Path) -> None:
    path.symlink_to("/dev/null")


def a_dangling_link(path: Path) -> None:
    path.symlink_to("/nowhere/at/all")


def a_folder(path: Path) -> None:
    path.mkdir()


@pytest.mark.parametrize("foreign", [a_strangers_file, a_mask, a_dangling_link, a_folder])
def test_what_is_not_ours_is_never_touched(desk: Desk, foreign: Callable[[Path], None]) -> None:
    desk.folder.mkdir(parents=True)
    foreign(desk.first())
    before = desk.snapshot()
    with pytest.raises(Refused) as caught:
        desk.apply(REAP)
    assert str(desk.first()) in caught.value.message
    assert "--no-services" in caught.value.hint
    desk.remove()
    assert desk.snapshot() == before
    assert desk.stub.told() == []


def test_link_of_ours_made_by_somebody_is_not_ours(desk: Desk) -> None:
    desk.apply(REAP)
    file = desk.first()
    file.rename(file.with_name("elsewhere"))
    file.symlink_to("elsewhere")
    with pytest.raises(Refused, match="no plain file"):
        desk.settled(REAP)


def test_folder_behind_a_dangling_link_is_not_made(desk: Desk) -> None:
    desk.folder.parent.mkdir(parents=True)
    desk.folder.symlink_to(desk.home.path / "unmounted" / "agents")
    with pytest.raises(Refused, match="which is not there"):
        desk.apply(REAP)
    assert not (desk.home.path / "unmounted").exists()


def test_file_in_the_place_of_the_folder_is_named(desk: Desk) -> None:
    desk.folder.parent.mkdir(parents=True)
    desk.folder.write_text("mine")
    before = desk.snapshot()
    with pytest.raises(FlightdeckError, match="cannot write"):
        desk.apply(REAP)
    assert desk.snapshot() == before
    assert service_record.load(desk.home.state) is None


def test_file_that_cannot_be_looked_at_is_named(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.apply(REAP)
    first = desk.first()

    def refuse(path: Path) -> bytes:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr("flightdeck.store.files.read", refuse)
    with pytest.raises(FlightdeckError, match=f"cannot read {first}: Permission denied"):
        desk.settled(REAP)


@pytest.mark.parametrize("verb", ["daemon-reload", "enable", "restart"])
def test_command_systemd_refuses_leaves_nothing_half_done(linux: Desk, verb: str) -> None:
    before = linux.snapshot()
    linux.stub.fails(verb)
    with pytest.raises(FlightdeckError) as caught:
        linux.apply(*BOTH)
    assert caught.value.message.startswith(f"`systemctl --user {verb}")
    assert caught.value.message.endswith("failed: no such luck")
    assert linux.snapshot() == before
    assert linux.stub.up() == set()
    linux.stub.recovers(verb)
    linux.apply(*BOTH)
    assert linux.settled(*BOTH)


def test_load_launchd_refuses_leaves_nothing_half_done(mac: Desk) -> None:
    before = mac.snapshot()
    mac.stub.fails("bootstrap")
    with pytest.raises(FlightdeckError, match=r"`launchctl bootstrap gui/.* failed: no such luck"):
        mac.apply(*BOTH)
    assert mac.snapshot() == before


def test_change_that_is_refused_leaves_what_was_there_running(desk: Desk) -> None:
    desk.apply(*BOTH)
    before, up = desk.snapshot(), desk.stub.up()
    verb = "enable" if desk.kind == "systemctl" else "bootstrap"
    desk.stub.fails(verb)
    with pytest.raises(FlightdeckError):
        desk.apply(*BOTH, FLEET_HOME="/else")
    assert desk.snapshot() == before
    desk.stub.recovers(verb)
    desk.apply(*BOTH)
    assert desk.stub.up() == up


def test_job_that_cannot_be_stopped_is_not_taken_out(desk: Desk) -> None:
    desk.apply(*BOTH)
    before = desk.snapshot()
    verb = "disable" if desk.kind == "systemctl" else "bootout"
    desk.stub.fails(verb)
    with pytest.raises(FlightdeckError, match="no such luck"):
        desk.remove()
    assert desk.snapshot() == before
    desk.stub.recovers(verb)
    desk.remove()
    assert desk.files() == set()


def test_write_that_fails_is_taken_back(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    before = desk.snapshot()
    with monkeypatch.context() as patch:
        real = os.replace

        def full(source: str, target: Path) -> None:
            if "panel" in str(target):
                raise OSError(28, "No space left on device", str(target))
            real(source, target)

        patch.setattr(os, "replace", full)
        with pytest.raises(FlightdeckError, match="No space left on device"):
            desk.apply(*BOTH)
    assert desk.snapshot() == before
    assert desk.stub.up() == set()


def test_manager_that_keeps_nothing_is_told_of(mac: Desk) -> None:
    before = mac.snapshot()
    mac.stub.put("forgetful")
    with pytest.raises(FlightdeckError, match="does not keep them"):
        mac.apply(REAP)
    assert mac.snapshot() == before


def test_job_launchd_has_without_a_file_is_stopped(mac: Desk) -> None:
    mac.apply(REAP)
    mac.first().unlink()
    mac.remove()
    assert mac.stub.up() == set()


def test_job_of_a_strangers_file_goes_on(mac: Desk) -> None:
    mac.folder.mkdir(parents=True)
    mac.first().write_text("<plist/>")
    mac.stub.put("up-flightdeck.reap")
    mac.remove()
    assert mac.stub.up() == {"flightdeck.reap"}


def test_without_its_manager_files_and_links_are_taken_out_all_the_same(linux: Desk) -> None:
    before = linux.snapshot()
    linux.apply(*BOTH)
    linux.stub.fails("show", "Failed to connect to bus")
    linux.remove()
    assert linux.snapshot() == before
    assert not any(line.startswith("disable") for line in linux.stub.told()[3:])


def test_lost_state_folder_costs_empty_folders_only(desk: Desk) -> None:
    desk.apply(*BOTH)
    service_record.forget(desk.home.state)
    assert desk.settled(*BOTH)
    desk.remove()
    assert desk.files() == set()


@pytest.mark.parametrize("torn", ["", "[]", "{}", '{"schema": "flightdeck.services/2"}', "\xff"])
def test_torn_record_is_nothing_known(torn: str, tmp_path: Path) -> None:
    state = StateFolder(tmp_path)
    (tmp_path / "install").mkdir()
    (tmp_path / "install" / "services.json").write_bytes(torn.encode("latin-1"))
    assert service_record.load(state) is None
