"""Every test has a home of its own: nothing here may ever reach the person's real one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

from tests.fold.world import Machine

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

# A machine under load is slow, not wrong: no example of any test is timed.
settings.register_profile("unhurried", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("unhurried")


@pytest.fixture(autouse=True)
def home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A throw-away home; the state folder and the agents' settings lie below it."""
    path = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("HOME", str(path))
    monkeypatch.setenv("FLEET_HOME", str(path / ".fleet"))
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(path / ".claude"))
    return path


@pytest.fixture(autouse=True)
def no_service_manager(monkeypatch: pytest.MonkeyPatch) -> None:
    """The person's own must never hear of a test."""
    for program in ("SYSTEMCTL", "LAUNCHCTL"):
        monkeypatch.setenv(f"FLIGHTDECK_{program}", "/no/such/program")


@pytest.fixture
def machine(home: Path) -> Iterator[Machine]:
    """Agents, their registry and a state folder below the test's own home."""
    machine = Machine(home)
    machine.folder.create()
    yield machine
    machine.end()
