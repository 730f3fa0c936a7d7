"""How soon a press on a slot has the agent's tmux pane in front.

A control mode client without a terminal listens to the server: tmux tells it of the change
the moment it is made, and the panel knows such a client for a program and passes it over.

Source: README.md, "Figures"; tmux(1), CONTROL MODE.
"""

from __future__ import annotations

import subprocess
import time
from contextlib import contextmanager
from typing import IO, TYPE_CHECKING

import pytest

from flightdeck.panel.control import ask
from tests.bench.agents import agents_in
from tests.bench.measure import p50_p95
from tests.bench.panel import Panel
from tests.hosts.real_tmux import Server
from tests.requirements import require

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.bench.figures import Figures

pytestmark = [pytest.mark.bench, pytest.mark.timeout(600)]

_PRESSES = 40
# A second press on one key within 30 ms is a bounce.
_APART_S = 0.05


@contextmanager
def _listening(socket: Path, session: str) -> Iterator[IO[bytes]]:
    argv = [require("tmux"), "-S", str(socket), "-C", "attach", "-t", session]
    listener = subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    try:
        assert listener.stdout
        yield listener.stdout
    finally:
        listener.terminate()
        listener.communicate()


def _heard(lines: IO[bytes], pane: str) -> float:
    """Wait until tmux says that `pane` is the active one; return when, monotonic seconds."""
    for line in lines:
        if line.startswith(b"%window-pane-changed") and line.split()[-1] == pane.encode():
            return time.monotonic()
    raise AssertionError("tmux has ended")


def test_press_brings_a_pane_forward(home: Path, figures: Figures) -> None:
    server = Server(home / "tmux")
    took = []
    try:
        left = server.session("fleet")
        panes = [left, server.split(left)]
        server.attach("fleet")
        with agents_in(home) as agents, Panel(home) as panel:
            for column, pane in enumerate(panes, start=1):
                (agent,) = agents.begin(1, TMUX=f"{server.socket},1,0", TMUX_PANE=pane)
                agents.fire(agent, "SessionStart", source="startup")
                panel.shows(column, "idle")
            with _listening(server.socket, "fleet") as lines:
                for number in range(_PRESSES):
                    column = 2 - number % 2
                    time.sleep(_APART_S)
                    pressed = time.monotonic()
                    said = ask(panel.control, {"do": "press", "row": 1, "column": column}, 10)
                    assert not said["problem"], said
                    took.append((_heard(lines, panes[column - 1]) - pressed) * 1000)
    finally:
        server.end()
    half, most = p50_p95(took)
    measured = f"{half:.1f} ms; {most:.1f} ms for 95 of 100"
    figures.put("press → tmux pane active, median", measured)
