"""A real systemd takes what we write, starts it, and lets it go, in a home with an odd name."""

from __future__ import annotations

import os
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.fold.world import until
from tests.install.home import Home
from tests.install.managers import UserManager

if TYPE_CHECKING:
    from collections.abc import Iterator
    from subprocess import CompletedProcess

ODD = "ho mé $HOME %h 'q'"
ROOT = Path(__file__).resolve().parent.parent.parent


class Person:
    """Somebody with a client, a systemd, and flightdeck in a folder with an odd name."""

    def __init__(self, path: Path) -> None:
        """Put it all there."""
        self.home = Home(path / ODD)
        self.home.install_client()
        self.command = self.home.path / 'it\'s "b\\in" & $x %h' / "flightdeck"
        self.command.parent.mkdir()
        start = f"exec {shlex.quote(sys.executable)} -m flightdeck"
        self.command.write_text(f'#!/bin/sh\nPYTHONPATH={ROOT} {start} "$@"\n')
        self.command.chmod(0o755)
        self.manager = UserManager(self.home.path)

    def types(self, *words: str) -> CompletedProcess[str]:
        """Run `flightdeck`, the one with the odd name, as its console script would."""
        start = "import sys; from flightdeck.cli import main; sys.exit(main(sys.argv[1:]))"
        name = f"import sys; sys.argv[0] = {str(self.command)!r}; sys.executable = '/none/python'"
        argv = [sys.executable, "-c", f"{name}; {start}", *words]
        path = f"{self.home.path}/bin:{os.environ['PATH']}"
        return self.manager.run(argv, PATH=path, PYTHONPATH=str(ROOT))

    def tree(self) -> set[str]:
        own = (".fleet", ".cache")
        return {path for path in self.home.tree() if not path.startswith(own)}


@pytest.fixture
def person(tmp_path: Path) -> Iterator[Person]:
    person = Person(tmp_path)
    yield person
    person.manager.end()


def test_timer_fires_and_remove_leaves_nothing(person: Person) -> None:
    before = person.tree()
    done = person.types("apply", "--yes")
    assert (done.returncode, done.stderr) == (0, "")
    until(person.home.state.reaped.exists, "a pass of the reaper")
    until(lambda: person.manager.says("flightdeck-reap.service", "ActiveState") == "inactive")
    assert person.manager.says("flightdeck-reap.service", "Result") == "success"
    assert person.types("apply", "--plan").returncode == 0
    done = person.types("apply", "--remove", "--yes")
    assert (done.returncode, done.stderr) == (0, "")
    assert person.tree() == before
    assert person.manager.says("flightdeck-reap.timer", "ActiveState") == "inactive"


def test_panel_runs_ends_in_good_order_and_is_not_tried_again_for_a_reason(
    person: Person,
) -> None:
    unit = "flightdeck-panel.service"
    person.home.state.create()
    assert person.types("apply", "--yes", "--panel").returncode == 0
    until(person.home.state.panel_pid.exists, "a panel")
    pid = int(person.manager.says(unit, "MainPID"))
    until(lambda: person.home.state.panel_pid.read_text().startswith(f"{pid}\n"), "its pid")
    person.manager.run(["systemctl", "--user", "stop", unit])
    assert person.manager.says(unit, "Result") == "success"
    assert not person.home.state.panel_pid.exists()
    (person.home.state.root / "layouts").mkdir()
    (person.home.state.root / "layouts" / "xl.yaml").write_text("device: toaster\n")
    person.manager.run(["systemctl", "--user", "start", unit])
    until(lambda: person.manager.says(unit, "ActiveState") == "failed", "its end")
    assert person.manager.says(unit, "ExecMainStatus") == "1"
    assert person.manager.says(unit, "NRestarts") == "0"


def test_doctor_finds_the_timer_that_was_stopped_and_apply_mends_it(person: Person) -> None:
    person.types("apply", "--yes")
    person.manager.run(["systemctl", "--user", "stop", "flightdeck-reap.timer"])
    assert "installed, and not loaded by systemd" in person.types("doctor").stdout
    assert person.types("apply", "--plan").returncode == 1
    assert person.types("apply", "--yes").returncode == 0
    assert "reap by systemd, every 15 s" in person.types("doctor").stdout
