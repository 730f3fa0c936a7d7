"""How soon a running panel shows a request, and what it costs while nothing happens.

Source: README.md, "Figures".
"""

from __future__ import annotations

import random
import time
from typing import TYPE_CHECKING

import pytest

from tests.bench.agents import TOOL, agents_in
from tests.bench.figures import Budget
from tests.bench.measure import cpu_of, p50_p95, rss_mib, ticks_of
from tests.bench.panel import Panel

if TYPE_CHECKING:
    from pathlib import Path

    from tests.bench.agents import Agent, Agents
    from tests.bench.figures import Figures

pytestmark = [pytest.mark.bench, pytest.mark.timeout(900)]

_SESSIONS = 8
_REQUESTS_EACH = 15
_WRITTEN_HALF = Budget("p50 ≤ 10 ms", most=10)
_WRITTEN = Budget("p95 ≤ 30 ms", most=30)
_CPU = Budget("≤ 0.2 % of a core", most=0.2)
_WRITES = Budget("0", most=0)
_MEMORY = Budget("≤ 70 MiB", most=70)


def _at_work(agents: Agents, panel: Panel) -> dict[int, Agent]:
    """Begin the sessions, each in a turn, and return them by the column they are on."""
    for column, agent in enumerate(agents.begin(_SESSIONS), start=1):
        agents.record(agent, "busy")
        agents.fire(agent, "SessionStart", source="startup")
        agents.fire(agent, "UserPromptSubmit", prompt="go on")
        panel.shows(column, "working")
    return dict(enumerate(agents.all, start=1))


def _ask(agents: Agents, panel: Panel, agent: Agent, column: int) -> float:
    """Fire one permission request and let it be granted; return the seconds until amber."""
    began = agents.fire(agent, "PermissionRequest", **TOOL)
    amber = panel.shows(column, "blocked", began)
    answered = agents.fire(agent, "PostToolUse", **TOOL)
    panel.shows(column, "working", answered)
    return amber.at - began


def test_request_turns_its_key_amber(home: Path, figures: Figures) -> None:
    with agents_in(home) as agents, Panel(home) as panel:
        sessions = _at_work(agents, panel)
        panel.quiet(1)
        first: list[float] = []
        later: list[float] = []
        for turn in range(_REQUESTS_EACH):
            for column, agent in sessions.items():
                # Not in step with the panel's own scan.
                time.sleep(random.uniform(0, 0.1))
                (later if turn else first).append(_ask(agents, panel, agent, column) * 1000)
    half, most = p50_p95(first + later)
    what = "hook start → amber bytes at the deck, eight sessions"
    count = len(first + later)
    figures.put(f"{what}, median of {count}", f"{half:.1f} ms", _WRITTEN_HALF, half)
    figures.put(f"{what}, 95 of 100", f"{most:.1f} ms", _WRITTEN, most)
    drawn = f"{max(first):.1f} ms; afterwards {p50_p95(later)[1]:.1f} ms for 95 of 100"
    figures.put("of these, the slowest face nobody had drawn before", drawn)


def _come_to_rest(agents: Agents) -> None:
    """Leave the fleet as it often stands: some in a turn, some done, one waiting."""
    for agent in agents.all[4:7]:
        agents.fire(agent, "Stop", background_tasks=[])
        agents.record(agent, "idle")
    agents.fire(agents.all[7], "PermissionRequest", **TOOL)
    agents.record(agents.all[7], "waiting", waitingFor="permission prompt")


def test_panel_at_rest_costs_next_to_nothing(home: Path, figures: Figures, rest_s: float) -> None:
    with agents_in(home) as agents, Panel(home) as panel:
        _at_work(agents, panel)
        _come_to_rest(agents)
        panel.shows(8, "blocked")
        panel.quiet(3)
        before, ticks = cpu_of(panel.pid), ticks_of(panel.pid)
        time.sleep(rest_s)
        spent, ticked = cpu_of(panel.pid) - before, ticks_of(panel.pid) - ticks
        writes, memory = len(panel.look()), rss_mib(panel.pid)
    what = f"panel at rest, eight sessions, {rest_s:g} s"
    share = round(spent / rest_s * 100, 2)
    measured = f"{share:.2f} % of a core (`ps`: {ticked / rest_s * 100:.2f} %)"
    figures.put(f"{what}: CPU", measured, _CPU, share)
    figures.put(f"{what}: key writes", str(writes), _WRITES, writes)
    figures.put(f"{what}: memory", f"{memory:.0f} MiB", _MEMORY, memory)
