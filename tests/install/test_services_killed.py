"""Whoever is killed while services come or go, at any moment: the next run heals it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from flightdeck.install.services import Services
from flightdeck.install.systemd import Systemd
from flightdeck.install.units import Site, panel, reaper
from flightdeck.store.paths import StateFolder
from tests.install.managers import Stub

ROOT = Path(__file__).resolve().parent.parent.parent
JOBS = (reaper(15_000), panel())
# Ends itself, as `kill -9` would, just before the step of that number: a rename, a folder
# made, a file removed, a command to the manager.
KILLED = """
import os, signal, subprocess, sys
from pathlib import Path
from flightdeck.install.services import Services
from flightdeck.install.systemd import Systemd
from flightdeck.install.units import Site, panel, reaper
from flightdeck.store.paths import StateFolder
left = [int(sys.argv[3])]
def counted(real):
    def step(*a, **k):
        left[0] -= 1
        if left[0] < 0:
            os.kill(os.getpid(), signal.SIGKILL)
        return real(*a, **k)
    return step
home, units = Path(sys.argv[1]), Path(sys.argv[2])
services = Services(Systemd(units, "", dict(os.environ)), StateFolder(home / ".fleet"))
site = Site(home / "bin" / "flightdeck", home / ".fleet", {"PATH": "/bin"})
for name in ("replace", "mkdir", "unlink", "rmdir"):
    setattr(os, name, counted(getattr(os, name)))
subprocess.run = counted(subprocess.run)
services.perform(*((reaper(15_000), panel()), site) if sys.argv[4] == "apply" else ())
"""


class Victim:
    """A home, a systemd that writes down what it is told, and a process that may be killed."""

    def __init__(self, path: Path) -> None:
        """Find what is there, and no more."""
        self.path = path
        self.units = path / "home" / ".config" / "systemd" / "user"
        self.home = path / "home"

    def begin(self) -> None:
        """Put a home and a manager there."""
        self.stub = Stub("systemctl", self.path / "stub", self.units)
        self.state.create()

    @property
    def services(self) -> Services:
        return Services(Systemd(self.units, "", dict(os.environ)), self.state)

    @property
    def state(self) -> StateFolder:
        return StateFolder(self.home / ".fleet")

    def site(self) -> Site:
        return Site(self.home / "bin" / "flightdeck", self.home / ".fleet", {"PATH": "/bin"})

    def apply(self) -> None:
        self.services.perform(JOBS, self.site())

    def remove(self) -> None:
        self.services.perform()

    def is_killed(self, deed: str, steps: int) -> bool:
        """Let a process do it, killed after so many steps; say whether it came to that."""
        argv = [sys.executable, "-c", KILLED, str(self.home), str(self.units), str(steps), deed]
        done = subprocess.run(argv, env={**os.environ, "PYTHONPATH": str(ROOT)}, check=False)
        assert done.returncode in {0, -signal.SIGKILL}
        return done.returncode != 0

    def tree(self) -> set[str]:
        """Return the home but for the state folder."""
        found = {str(path.relative_to(self.home)) for path in self.home.rglob("*")}
        return {name for name in found if not name.startswith(".fleet/") and name != ".fleet"}


@pytest.fixture
def victim(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Victim:
    victim = Victim(tmp_path)
    victim.begin()
    monkeypatch.setenv("FLIGHTDECK_SYSTEMCTL", str(victim.stub.program))
    return victim


def test_install_that_was_killed_is_healed_by_the_next(victim: Victim) -> None:
    steps = 0
    while victim.is_killed("apply", steps):
        victim.apply()
        assert victim.services.plan(JOBS, victim.site()).is_none
        assert victim.stub.up() == {"flightdeck-reap.timer", "flightdeck-panel.service"}
        victim.remove()
        assert victim.tree() == set(), steps
        steps += 1
    assert steps > 12


def test_install_that_was_killed_can_be_taken_out_at_once(victim: Victim) -> None:
    steps = 0
    while victim.is_killed("apply", steps):
        victim.remove()
        assert victim.tree() == set(), steps
        assert victim.stub.up() == set()
        steps += 1
    assert steps > 12


def test_removal_that_was_killed_is_healed_by_the_next(victim: Victim) -> None:
    steps = 0
    victim.apply()
    while victim.is_killed("remove", steps):
        victim.remove()
        assert victim.tree() == set(), steps
        assert victim.stub.up() == set()
        assert victim.services.plan().is_none
        victim.apply()
        steps += 1
    assert steps > 8
