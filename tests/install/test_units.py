"""The files of the two jobs: what is in them means what it says, whatever stands in a path."""

from __future__ import annotations

import os
import plistlib
import re
import subprocess
from typing import TYPE_CHECKING, Any

import pytest

from flightdeck.errors import FlightdeckError
from flightdeck.install.units import (
    Job,
    Site,
    is_ours,
    launchd_files,
    panel,
    reaper,
    systemd_files,
)
from tests.requirements import require

if TYPE_CHECKING:
    from pathlib import Path

JOBS = [reaper(15_000), panel()]
ODD = ["a b", "50%h", "$HOME ${x}", "it's", 'say "x"', "a&b<c>", "back\\slash", "é 漢", "#;=,|"]
# launchd.plist(5), as far as we use it.
DOCUMENTED = {
    *("Label", "ProgramArguments", "EnvironmentVariables", "Umask", "RunAtLoad", "KeepAlive"),
    *("StartInterval", "ProcessType", "LowPriorityIO", "Nice", "StandardOutPath", "ExitTimeOut"),
    *("StandardErrorPath", "ThrottleInterval", "AbandonProcessGroup", "LimitLoadToSessionType"),
}


def a_site(folder: Path, **environment: str) -> Site:
    executable = folder / "bin" / "flightdeck"
    executable.parent.mkdir(parents=True, exist_ok=True)
    executable.write_text("#!/bin/sh\n")
    executable.chmod(0o755)
    return Site(executable, folder / ".fleet", {"PATH": "/usr/bin:/bin", **environment})


def plist(job: Job, site: Site) -> dict[str, Any]:
    (text,) = launchd_files(job, site).values()
    found: dict[str, Any] = plistlib.loads(text.encode())
    return found


def service(job: Job, site: Site) -> str:
    return systemd_files(job, site)[f"flightdeck-{job.name}.service"]


@pytest.mark.parametrize("job", JOBS)
def test_plist_has_documented_keys_only(job: Job, tmp_path: Path) -> None:
    found = plist(job, a_site(tmp_path))
    assert set(found) <= DOCUMENTED
    assert found["Label"] == f"flightdeck.{job.name}"


@pytest.mark.parametrize("odd", ODD)
@pytest.mark.parametrize("job", JOBS)
def test_plist_holds_every_path_to_the_letter(job: Job, odd: str, tmp_path: Path) -> None:
    site = a_site(tmp_path / odd, FLEET_HOME=odd)
    found = plist(job, site)
    assert found["ProgramArguments"] == [str(site.executable), *job.words]
    assert found["EnvironmentVariables"] == {"PATH": "/usr/bin:/bin", "FLEET_HOME": odd}
    assert found["StandardErrorPath"] == f"{site.root}/log/{job.name}.out"


def test_reaper_is_a_quiet_neighbour_to_launchd(tmp_path: Path) -> None:
    found = plist(reaper(20_000), a_site(tmp_path))
    assert (found["StartInterval"], found["ProcessType"]) == (20, "Background")
    assert (found["Nice"], found["LowPriorityIO"]) == (10, True)
    assert "KeepAlive" not in found


def test_launchd_starts_the_panel_again_after_a_crash_only(tmp_path: Path) -> None:
    found = plist(panel(), a_site(tmp_path))
    assert found["KeepAlive"] == {"Crashed": True}
    assert "StartInterval" not in found


@pytest.mark.parametrize("job", JOBS)
@pytest.mark.parametrize("odd", ["plain", *ODD])
def test_systemd_finds_no_fault_in_any_unit(job: Job, odd: str, tmp_path: Path) -> None:
    site = a_site(tmp_path / odd, FLEET_HOME=odd)
    units = tmp_path / "units"
    units.mkdir()
    for name, text in systemd_files(job, site).items():
        (units / name).write_text(text)
    done = subprocess.run(
        [require("systemd"), "--user", "verify", *map(str, sorted(units.iterdir()))],
        env={"PATH": os.environ["PATH"], "HOME": str(tmp_path), "XDG_RUNTIME_DIR": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_systemd_does_not_try_again_what_was_an_answer(tmp_path: Path) -> None:
    text = service(panel(), a_site(tmp_path))
    assert "\nRestart=on-failure\n" in text
    assert "\nRestartPreventExitStatus=1 2\n" in text
    assert "\nStartLimitBurst=5\n" in text


def test_what_a_key_has_started_survives_the_panel(tmp_path: Path) -> None:
    assert "\nKillMode=process\n" in service(panel(), a_site(tmp_path))
    assert plist(panel(), a_site(tmp_path))["AbandonProcessGroup"] is True


def test_reaper_is_a_quiet_neighbour_to_systemd(tmp_path: Path) -> None:
    text = service(reaper(15_000), a_site(tmp_path))
    assert "\nNice=10\n" in text
    assert "\nIOSchedulingClass=idle\n" in text
    assert "\nTimeoutStartSec=60\n" in text
    assert "[Install]" not in text


def test_timer_fires_as_often_as_the_layout_says(tmp_path: Path) -> None:
    text = systemd_files(reaper(30_000), a_site(tmp_path))["flightdeck-reap.timer"]
    assert "\nOnUnitActiveSec=30\n" in text
    assert "\nAccuracySec=1\n" in text


def test_only_the_reaper_has_a_timer(tmp_path: Path) -> None:
    names = [set(systemd_files(job, a_site(tmp_path))) for job in JOBS]
    assert names == [
        {"flightdeck-reap.service", "flightdeck-reap.timer"},
        {"flightdeck-panel.service"},
    ]


@pytest.mark.parametrize("render", [launchd_files, systemd_files])
@pytest.mark.parametrize("job", JOBS)
def test_every_file_carries_the_mark(render: Any, job: Job, tmp_path: Path) -> None:
    for text in render(job, a_site(tmp_path)).values():
        assert is_ours(text.encode())
        assert is_ours(re.sub("flightdeck:1:", "flightdeck:99:", text).encode())


@pytest.mark.parametrize(
    "content", [b"", b"[Unit]\nDescription=flightdeck:1:service\n", b"\xff", b"# flightdeck\n"]
)
def test_file_without_the_mark_is_not_ours(content: bytes) -> None:
    assert not is_ours(content)


def test_mark_far_down_a_file_is_somebody_quoting_us() -> None:
    assert not is_ours(b"#\n" * 400 + b"# flightdeck:1:service\n")


@pytest.mark.parametrize("render", [launchd_files, systemd_files])
@pytest.mark.parametrize("name", ["two\nlines", "not \udcff utf-8", "\x1b[2J"])
def test_path_that_is_no_line_of_text_is_refused(render: Any, name: str, tmp_path: Path) -> None:
    site = Site(tmp_path / name / "flightdeck", tmp_path, {})
    with pytest.raises(FlightdeckError, match="cannot be written into a service"):
        render(panel(), site)
