"""What the product costs: ratios taken in one run, and figures that are printed.

    .venv/bin/python -m pytest tests/bench --bench

Nothing here fails over a millisecond: another machine, or this one under load, would make it
lie. A figure that misses its budget is printed as `over budget`, and the run stays green; on a
machine that does nothing else, `--bench-strict` makes it red. The session ends with one table
of all figures, in the form the README wants them.

Compare the ratios. Two programs that alternate in one run share whatever the machine is doing;
milliseconds are true for one machine at one hour only.

Source: README.md, "Figures".
"""

from __future__ import annotations

import os
import platform
from pathlib import Path

import pytest

from tests.bench.figures import Figures

_FIGURES = pytest.StashKey[Figures]()
_DEFAULT_REST_S = 20.0
# The order of the table, which is also the order they are taken in.
_ORDER = (
    "test_hooks",
    "test_verdict_hook",
    "test_halt",
    "test_panel",
    "test_edits",
    "test_fold",
    "test_risk_judge",
    "test_faces",
    "test_start",
    "test_focus",
)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Take --bench and how long the panel is watched at rest."""
    group = parser.getgroup("flightdeck figures")
    group.addoption("--bench", action="store_true", help="take the figures of tests/bench")
    group.addoption("--bench-strict", action="store_true", help="fail where one is over budget")
    group.addoption(
        "--bench-rest",
        type=float,
        default=_DEFAULT_REST_S,
        metavar="SECONDS",
        help=f"how long the panel is watched at rest; default: {_DEFAULT_REST_S:g}",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Begin with no figures."""
    config.stash[_FIGURES] = Figures()


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave the figures out unless they are asked for; take them in the order of the table."""
    figures = [item for item in items if item.get_closest_marker("bench")]
    others = [item for item in items if item not in figures]
    if config.getoption("--bench", default=False):
        items[:] = others + sorted(figures, key=_place_in_table)
    elif figures:
        items[:] = others
        config.hook.pytest_deselected(items=figures)


def _place_in_table(item: pytest.Item) -> tuple[int, int, str]:
    path, line, _ = item.location
    return _ORDER.index(Path(path).stem), line or 0, item.name


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Be strict if that is asked for, and nothing worse has happened."""
    over = session.config.stash[_FIGURES].over
    strict = session.config.getoption("--bench-strict", default=False)
    if over and strict and session.exitstatus == pytest.ExitCode.OK:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print the table."""
    figures = terminalreporter.config.stash[_FIGURES]
    if not figures.taken:
        return
    terminalreporter.section("figures")
    for line in figures.table():
        terminalreporter.write_line(line)
    load = ", ".join(f"{each:.1f}" for each in os.getloadavg())
    machine = f"Python {platform.python_version()}, {os.cpu_count()} cores"
    terminalreporter.write_line(f"\n{machine}, load over 1, 5 and 15 minutes: {load}")


@pytest.fixture
def figures(request: pytest.FixtureRequest) -> Figures:
    """Return where figures are put down."""
    return request.config.stash[_FIGURES]


@pytest.fixture
def rest_s(request: pytest.FixtureRequest) -> float:
    """Return how many seconds the panel is watched at rest."""
    seconds = request.config.getoption("--bench-rest")
    assert isinstance(seconds, float)
    return seconds
