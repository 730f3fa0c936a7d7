"""`apply` and the services: the timer comes with the hooks, the panel if it is asked for."""

from __future__ import annotations

import io
import json
import os
import sys
from typing import TYPE_CHECKING

import pytest

from flightdeck import cli
from flightdeck.store.instance import Instance, RunningPanel
from tests.install.home import Home
from tests.install.managers import Stub

if TYPE_CHECKING:
    from pathlib import Path

TIMER = "flightdeck-reap.timer"
PANEL = "flightdeck-panel.service"
XL = "device: stream-deck-xl\nrows:\n  - name: fleet\n    fill: slot\n"


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Home:
    """The home everything below runs in: a client, and no settings yet."""
    home = Home(tmp_path / "home")
    home.install_client()
    for name in ("FLEET_HOME", "CLAUDE_CONFIG_DIR", "NO_COLOR", "XDG_CONFIG_HOME"):
        monkeypatch.delenv(name, raising=False)
    for name, value in home.environ.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    command = home.path / "bin" / "flightdeck"
    command.write_text("#!/bin/sh\n")
    command.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(command.parent / "python"))
    monkeypatch.setattr(sys, "platform", "linux")
    return home


@pytest.fixture
def units(home: Home) -> Path:
    return home.path / ".config" / "systemd" / "user"


@pytest.fixture
def systemctl(home: Home, units: Path, monkeypatch: pytest.MonkeyPatch) -> Stub:
    stub = Stub("systemctl", home.path.parent / "stub", units)
    monkeypatch.setenv("FLIGHTDECK_SYSTEMCTL", str(stub.program))
    return stub


def apply(*words: str) -> int:
    return cli.main(["apply", *words])


def test_timer_comes_with_the_hooks(
    home: Home, systemctl: Stub, units: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert apply("--yes") == 0
    assert systemctl.up() == {TIMER}
    assert (
        f"ExecStart={home.path}/bin/flightdeck reap"
        in (units / "flightdeck-reap.service").read_text()
    )
    assert capsys.readouterr().out.endswith(f"started by systemd, from {units}: reap\n")


def test_timer_is_as_fast_as_the_layout_in_force(home: Home, systemctl: Stub, units: Path) -> None:
    layouts = home.state.root / "layouts"
    layouts.mkdir(parents=True)
    (layouts / "xl.yaml").write_text(f"{XL}timings:\n  reap: 40 s\n")
    assert apply("--yes") == 0
    assert "OnUnitActiveSec=40\n" in (units / TIMER).read_text()
    (layouts / "xl.yaml").write_text("device: toaster\n")
    assert apply("--yes") == 0
    assert "OnUnitActiveSec=15\n" in (units / TIMER).read_text()
    assert systemctl.up() == {TIMER}


def test_plan_shows_files_and_commands_and_does_neither(
    home: Home, systemctl: Stub, units: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tree = home.tree()
    assert apply("--plan") == 1
    shown = capsys.readouterr()
    assert f"+++ {units / TIMER}" in shown.out
    assert shown.out.splitlines()[-3:] == [
        "run: systemctl --user daemon-reload",
        f"run: systemctl --user enable {TIMER}",
        f"run: systemctl --user restart {TIMER}",
    ]
    assert str(units / TIMER) in shown.err
    assert home.tree() == tree
    assert systemctl.told() == []


@pytest.mark.parametrize("words", [(), ("--panel",)])
@pytest.mark.usefixtures("home", "systemctl")
def test_plan_after_apply_is_empty(
    words: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    assert apply("--yes", *words) == 0
    capsys.readouterr()
    assert apply("--plan") == 0
    assert "@@" not in capsys.readouterr().out


@pytest.mark.usefixtures("home")
def test_timer_that_stopped_is_drift_without_a_file(
    systemctl: Stub, capsys: pytest.CaptureFixture[str]
) -> None:
    apply("--yes")
    (systemctl.folder / f"up-{TIMER}").unlink()
    capsys.readouterr()
    assert apply("--plan") == 1
    assert "would change no file" in capsys.readouterr().err


@pytest.mark.usefixtures("home")
def test_panel_stays_until_it_is_no_more_wanted(systemctl: Stub) -> None:
    apply("--yes", "--panel")
    assert systemctl.up() == {TIMER, PANEL}
    apply("--yes")
    assert systemctl.up() == {TIMER, PANEL}
    apply("--yes", "--no-panel")
    assert systemctl.up() == {TIMER}


@pytest.mark.usefixtures("systemctl")
def test_panel_in_the_way_of_the_one_that_would_start_is_named(
    home: Home, capsys: pytest.CaptureFixture[str]
) -> None:
    home.state.create()
    panel = Instance(home.state)
    panel.announce(RunningPanel(os.getpid(), "browser", ""))
    try:
        assert apply("--yes", "--panel") == 0
    finally:
        panel.release()
    note = f"note: a panel runs already (pid {os.getpid()}); end it, then: systemctl --user start"
    assert note in capsys.readouterr().err


def test_remove_takes_hooks_and_services_out(
    home: Home, systemctl: Stub, units: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = home.tree()
    apply("--yes", "--panel")
    capsys.readouterr()
    assert apply("--remove", "--plan") == 1
    assert f"run: systemctl --user disable --now {TIMER} {PANEL}" in capsys.readouterr().out
    assert apply("--remove", "--yes") == 0
    left = {path for path in home.tree() if not path.startswith(".fleet")}
    assert left == before
    assert systemctl.up() == set()
    last = capsys.readouterr().out.splitlines()[-1]
    assert last == f"no services of flightdeck are left in {units}"
    assert apply("--remove", "--plan") == 0


def test_services_can_be_gone_without(home: Home, systemctl: Stub, units: Path) -> None:
    assert apply("--yes", "--no-services") == 0
    assert home.file.exists()
    assert not units.exists()
    assert apply("--yes") == 0
    assert apply("--remove", "--yes", "--no-services") == 0
    assert systemctl.up() == {TIMER}


def test_machine_without_a_manager_gets_the_hooks_and_a_note(
    home: Home, units: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert apply("--yes", "--panel") == 0
    note = "note: no timer is installed: there is no systemd here; a panel and every command fold"
    assert note in capsys.readouterr().err
    assert home.file.exists()
    assert not units.exists()


@pytest.mark.usefixtures("home", "systemctl")
def test_stranger_in_the_place_of_a_unit_stops_everything_before_it_begins(
    home: Home, units: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    units.mkdir(parents=True)
    (units / TIMER).write_text("[Timer]\n")
    assert apply("--yes") == 1
    said = capsys.readouterr().err
    assert f"{units / TIMER} is not flightdeck's own" in said
    assert "--no-services" in said
    assert not home.file.exists()
    assert (units / TIMER).read_text() == "[Timer]\n"


def test_manager_that_refuses_is_told_of_with_what_to_run(
    home: Home, systemctl: Stub, units: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    systemctl.fails("enable", "Access denied")
    assert apply("--yes") == 1
    said = capsys.readouterr().err
    assert f"`systemctl --user enable {TIMER}` failed: Access denied" in said
    assert "the hooks are in place" in said
    assert home.file.exists()
    assert not units.exists()
    assert not (home.path / ".config").exists()


@pytest.mark.usefixtures("home", "systemctl")
def test_json_tells_the_services_too(units: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert apply("--plan", "--json") == 1
    found = json.loads(capsys.readouterr().out)
    assert [change["file"] for change in found["changes"] if change["agent"] is None] == [
        str(units / "flightdeck-reap.service"),
        str(units / TIMER),
    ]
    assert ["systemctl", "--user", "daemon-reload"] in found["commands"]


@pytest.mark.usefixtures("systemctl")
def test_executable_that_moved_is_drift_and_apply_mends_it(
    home: Home, units: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    apply("--yes")
    moved = home.path / "new venv"
    moved.mkdir()
    os.rename(home.path / "bin" / "flightdeck", moved / "flightdeck")  # noqa: PTH104
    monkeypatch.setattr(sys, "executable", str(moved / "python"))
    capsys.readouterr()
    cli.main(["doctor"])
    assert f"services start {home.path}/bin/flightdeck, which is not there" in (
        capsys.readouterr().out
    )
    assert apply("--plan") == 1
    assert apply("--yes") == 0
    assert f'ExecStart="{moved}/flightdeck" reap' in (units / "flightdeck-reap.service").read_text()
    capsys.readouterr()
    cli.main(["doctor"])
    assert "reap by systemd, every 15 s" in capsys.readouterr().out
