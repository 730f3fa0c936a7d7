"""A visit ends, whatever becomes of one of its parts."""

from __future__ import annotations

import subprocess
import sys
import threading
from typing import TYPE_CHECKING

import pytest

from flightdeck.doctor.visit import Told, visit
from flightdeck.errors import ConfigError, Location, Problem, Unavailable
from flightdeck.model.finding import Finding, Level, failure, ok, warning

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from flightdeck.doctor.machine import Machine
    from tests.doctor.desk import Desk


def well(machine: Machine) -> Iterable[Finding]:
    del machine
    return [ok("well")]


def raising(error: Exception) -> Iterator[Finding]:
    yield ok("so far")
    raise error


def told(desk: Desk, error: Exception) -> list[tuple[Level, str, str]]:
    looks = [("bad", lambda _: raising(error)), ("good", well)]
    bad, good = visit(desk.looked_at(), looks)
    assert good == Told("good", (ok("well"),))
    return [(finding.level, finding.what, finding.mend) for finding in bad.findings]


def test_error_is_a_failure_with_its_hint(desk: Desk) -> None:
    assert told(desk, Unavailable("it {is} gone", "plug it in")) == [
        (Level.FAILURE, "it {is} gone", "plug it in")
    ]


def test_every_problem_of_a_file_is_a_failure_with_its_place(desk: Desk) -> None:
    problems = [Problem(Location("x.yaml", 3, 1), "bad", "mend it"), Problem(Location("x"), "gone")]
    assert told(desk, ConfigError(problems)) == [
        (Level.FAILURE, "x: gone", ""),
        (Level.FAILURE, "x.yaml:3:1: bad", "mend it"),
    ]


@pytest.mark.parametrize(
    ("error", "what", "hint"),
    [
        (PermissionError(13, "not yours", "/x"), "/x: not yours", "see who owns it: ls -ld /x"),
        (PermissionError(13, "no", "/my x"), "/my x: no", "see who owns it: ls -ld '/my x'"),
        (OSError("odd"), "a file of it: odd", ""),
    ],
)
def test_file_that_cannot_be_read_is_named(
    desk: Desk, error: OSError, what: str, hint: str
) -> None:
    assert told(desk, error) == [(Level.FAILURE, what, hint)]


def test_words_of_an_error_that_are_not_the_systems_are_not_public(desk: Desk) -> None:
    (bad,) = visit(desk.looked_at(), [("bad", lambda _: raising(OSError("/home/me is odd")))])
    assert bad.findings[0].public == ("<file>: <why>", "")


@pytest.mark.parametrize("error", [PermissionError(13, "not yours", "/x"), Unavailable("gone")])
def test_part_that_fails_for_want_of_the_state_folder_adds_nothing(
    desk: Desk, error: Exception
) -> None:
    desk.environ.setattr("flightdeck.doctor.machine.Machine.reachable", False)
    assert told(desk, error) == []


def test_bug_is_a_failure_that_asks_for_a_report(desk: Desk) -> None:
    what = "it could not be looked at: ZeroDivisionError"
    assert told(desk, ZeroDivisionError("secret")) == [
        (Level.FAILURE, what, "flightdeck doctor --report")
    ]


def test_part_that_hangs_is_left_behind_and_what_follows_is_looked_at_once(desk: Desk) -> None:
    let_go, seen = threading.Event(), []

    def hanging(machine: Machine) -> Iterable[Finding]:
        del machine
        let_go.wait()
        return [ok("late")]

    def counting(machine: Machine) -> Iterable[Finding]:
        seen.append(threading.current_thread())
        return well(machine)

    looks = [("first", well), ("bad", hanging), ("good", counting), ("last", counting)]
    found = visit(desk.looked_at(), looks, patience_s=3)
    let_go.set()
    assert [one.part for one in found] == ["first", "bad", "good", "last"]
    assert found[1].findings[0].what == "it gave no answer in 3 s"
    assert [one.level for one in found] == [Level.OK, Level.FAILURE, Level.OK, Level.OK]
    assert len(set(seen)) == 1


@pytest.mark.parametrize(
    ("findings", "level"),
    [
        ((), Level.OK),
        ((ok("x"), warning("x"), ok("x")), Level.WARNING),
        ((failure("x"), warning("x")), Level.FAILURE),
    ],
)
def test_part_is_as_bad_as_its_worst_finding(findings: tuple[Finding, ...], level: Level) -> None:
    assert Told("part", findings).level is level


def test_doctor_needs_neither_home_nor_path_nor_a_folder_to_stand_in(tmp_path: Path) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    line = f"cd {gone} && rmdir {gone} && exec {sys.executable} -I -m flightdeck doctor"
    done = subprocess.run(
        ["/bin/sh", "-c", line],
        env={
            "FLEET_HOME": str(tmp_path / "fleet"),
            "CLAUDE_CONFIG_DIR": str(tmp_path / "claude"),
            "FLIGHTDECK_SYSTEMCTL": "/no/such/program",
            "FLIGHTDECK_LAUNCHCTL": "/no/such/program",
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stderr == ""
    assert done.returncode == 0
    assert "warning  folder" in done.stdout
    assert list(tmp_path.iterdir()) == []
