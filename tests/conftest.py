"""Every test has a home of its own: nothing here may ever reach the person's real one."""

from __future__ import annotations

import signal
import sys
import threading
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

from flightdeck import shipped
from flightdeck.fold import rulecheck
from flightdeck.fold.rulecheck import shipped_table
from tests.fold.world import Machine

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from flightdeck.model.risk import Table

# A machine under load is slow, not wrong: no example of any test is timed.
settings.register_profile("unhurried", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("unhurried")

# Where processes share the tests file by file, what starts programs comes first: nobody is to be
# left alone at the end with a file that takes half a minute.
_LONG = ("commands", "panel", "config")


@pytest.hookimpl(trylast=True)  # after those who shuffle and those who mark
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Let no line count as tested that only chance has run; long files first, see `_LONG`."""
    for item in items:
        if item.get_closest_marker("hypothesis"):
            item.add_marker("no_cover")
    if hasattr(config, "workerinput"):
        items.sort(key=lambda item: item.path.parent.name not in _LONG)


@pytest.hookimpl(wrapper=True, trylast=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    """Trace nothing where nothing is counted, which costs more than the test itself.

    In a process that shares the tests pytest-cov has begun to count twice: once it has paused
    the second count for `no_cover`, the first, of which nobody hears, goes on.
    """
    if not item.get_closest_marker("no_cover"):
        return (yield)
    here, elsewhere = sys.gettrace(), threading.gettrace()
    sys.settrace(None)
    threading.settrace(None)
    try:
        return (yield)
    finally:
        sys.settrace(here)
        threading.settrace(elsewhere)


@pytest.fixture(scope="session", autouse=True)
def rules_read_once() -> Iterator[None]:
    """Read the shipped rules once in a process, unless a test ships others: it takes a second."""
    known: dict[object, Table] = {}

    def once() -> Table:
        paths = rulecheck.in_folder(shipped.folder(rulecheck.FOLDER))
        there = tuple((path.name, path.read_bytes()) for path in paths)
        if there not in known:
            known[there] = shipped_table()
        return known[there]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rulecheck, "shipped_table", once)
        yield


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


@pytest.fixture(autouse=True)
def hears_interrupts() -> Iterator[None]:
    """A shell tells what it starts with `&` to ignore Ctrl-C, and all that this starts too."""
    ignored = signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    if ignored:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    if ignored:
        signal.signal(signal.SIGINT, signal.SIG_IGN)


@pytest.fixture
def machine(home: Path) -> Iterator[Machine]:
    """Agents, their registry and a state folder below the test's own home."""
    machine = Machine(home)
    machine.folder.create()
    yield machine
    machine.end()
