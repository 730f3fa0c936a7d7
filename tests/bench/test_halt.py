"""How soon a press of the halt key holds, and how soon whoever waits is released.

Source: README.md, "HALT" and "Figures".
"""

from __future__ import annotations

import json
import subprocess
import threading
import time
from contextlib import suppress
from typing import TYPE_CHECKING

import pytest

from flightdeck.install.snippets import Kind, render_hook
from flightdeck.panel import control
from flightdeck.store import latch
from tests.bench.agents import TOOL, agents_in
from tests.bench.figures import Budget
from tests.bench.measure import p50_p95
from tests.bench.panel import Panel

if TYPE_CHECKING:
    from pathlib import Path

    from tests.bench.agents import Agent, Agents
    from tests.bench.figures import Figures

pytestmark = [pytest.mark.bench, pytest.mark.timeout(900)]

_WAITING, _HALTS = 8, 30
_LATCHED = Budget("p95 ≤ 20 ms", most=20)
_RELEASED = Budget("p95 ≤ 100 ms", most=100)
_EVENT = "PermissionRequest"
_HALT_KEY = {"do": "press", "row": 4, "column": 8}
_PRESS_S = 30.0


class _Hook:
    """A permission hook that waits; `ended` is when it was gone, epoch seconds."""

    def __init__(self, agents: Agents, agent: Agent) -> None:
        self.ended = 0.0
        self._hook = subprocess.Popen(
            ["/bin/sh", "-c", render_hook(Kind.WAIT, _EVENT, agents.site)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=agent.env,
        )
        assert self._hook.stdin
        self._hook.stdin.write(agent.payload(_EVENT, **TOOL))
        self._hook.stdin.close()
        self._end = threading.Thread(target=self._wait)
        self._end.start()

    def _wait(self) -> None:
        self._hook.wait()
        self.ended = time.time()

    def said(self) -> dict[str, object]:
        """Wait for its end and return the decision it printed."""
        self._end.join()
        assert self._hook.stdout
        with self._hook.stdout as out:
            decision = json.loads(out.read())["hookSpecificOutput"]["decision"]
        assert isinstance(decision, dict)
        return decision


def _held(agents: Agents) -> int:
    with suppress(OSError, ValueError):
        slots = json.loads(agents.folder.slots.read_bytes())["slots"]
        return sum(request["answerable"] for slot in slots for request in slot["pending"])
    return 0


def _halt(agents: Agents, panel: Panel) -> tuple[float, float]:
    """Halt eight that wait; return how long the latch and the last of them took, seconds."""
    for agent in agents.all:
        agents.fire(agent, "UserPromptSubmit", prompt="go on")
    hooks = [_Hook(agents, agent) for agent in agents.all]
    panel.wait(lambda: _held(agents) == _WAITING, "eight held requests")
    pressed = time.time()
    reply = control.ask(panel.control, _HALT_KEY, _PRESS_S)
    # The panel answers once the latch and its name have been forced to disk.
    latched = time.time()
    assert (reply["problem"], latch.stands(agents.folder)) == ("", True)
    assert all(hook.said().get("interrupt") for hook in hooks)
    latch.lift(agents.folder)
    panel.wait(lambda: not json.loads(agents.folder.slots.read_bytes())["halted"], "the lift")
    return latched - pressed, max(hook.ended for hook in hooks) - pressed


def test_halt_key_holds_at_once_and_releases_whoever_waits(home: Path, figures: Figures) -> None:
    with agents_in(home) as agents, Panel(home) as panel:
        for agent in agents.begin(_WAITING):
            agents.fire(agent, "SessionStart", source="startup")
        panel.quiet(1)
        rounds = [_halt(agents, panel) for _ in range(_HALTS)]
    for what, budget, seconds in (
        ("halt key → latch forced to disk, and said so", _LATCHED, [one for one, _ in rounds]),
        ("halt key → the last of eight that wait is released", _RELEASED, [t for _, t in rounds]),
    ):
        half, most = p50_p95([1000 * one for one in seconds])
        figures.put(f"{what}, 95 of 100", f"{most:.1f} ms (median {half:.1f})", budget, most)
