"""What a hook costs the agent it runs in, beside a shell that does nothing.

Source: README.md, "Figures"; templates/hooks/README.md.
"""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from flightdeck.agents.claude_code.prompts import carry_on
from flightdeck.install.snippets import Kind, render_hook
from flightdeck.model.staged import Staged
from flightdeck.store import latch, queue
from tests.bench.agents import TOOL, agents_in
from tests.bench.figures import Budget
from tests.bench.measure import Program, compare, compare_both

if TYPE_CHECKING:
    from pathlib import Path

    from tests.bench.agents import Agent, Agents
    from tests.bench.figures import Figures

pytestmark = [pytest.mark.bench, pytest.mark.timeout(600)]

_SHELLS = [shell for shell in ("dash", "bash") if shutil.which(shell)]
_STATE = Budget("≤ 5 x", most=5)
_IDLE = Budget("≤ 1.5 x", most=1.5)
_SAME = Budget("≤ 1.3 x", most=1.3)
_ROUNDS, _RUNS = 40, 5
_DRAINS = 150


def _in_shell(shell: str, command: str, agent: Agent, payload: bytes) -> Program:
    """Return `command` as the client runs it, with `shell` in the place of /bin/sh."""
    return Program(["sh", "-c", command], shutil.which(shell), payload, agent.env)


def _clear(agents: Agents) -> None:
    """Do what a panel does: a hook must not meet the events of the one before it."""
    for path in agents.folder.inbox.iterdir():
        path.unlink()


@pytest.mark.parametrize("shell", _SHELLS)
def test_state_hook_beside_an_empty_shell(shell: str, home: Path, figures: Figures) -> None:
    with agents_in(home) as agents:
        (agent,) = agents.begin(1)
        payload = agent.payload("Stop", background_tasks=[])
        command = render_hook(Kind.SPOOL, "Stop", agents.site)
        hook = _in_shell(shell, command, agent, payload)
        nothing = _in_shell(shell, ":", agent, payload)
        hook.cpu_s(1)
        assert len(list(agents.folder.inbox.glob("*.ev"))) == 1, "the hook spools"
        found = compare(hook, nothing, rounds=_ROUNDS, runs=_RUNS, after=lambda: _clear(agents))
    what = f"state hook, 2 KB payload, CPU beside `sh -c :` ({shell})"
    figures.put(what, str(found), _STATE, found.times)


@pytest.mark.parametrize("shell", _SHELLS)
def test_stop_hook_with_nothing_staged_beside_the_state_hook(
    shell: str, home: Path, figures: Figures
) -> None:
    with agents_in(home) as agents:
        (agent,) = agents.begin(1)
        stop, plain = _stop_and_state(shell, agents, agent)
        found = compare_both(
            stop, plain, rounds=2 * _ROUNDS, runs=_RUNS, before=lambda: _clear(agents)
        )
        assert {path.name.split(".")[1] for path in agents.folder.inbox.iterdir()} == {"Stop"}
    for ratio in found:
        what = f"turn end, no verb waits, {ratio.what} beside the state hook ({shell})"
        figures.put(what, ratio.precise(), _SAME, ratio.times)


@pytest.mark.parametrize("shell", _SHELLS)
def test_stop_hook_that_delivers_beside_the_state_hook(
    shell: str, home: Path, figures: Figures
) -> None:
    with agents_in(home) as agents:
        (agent,) = agents.begin(1)
        stop, plain = _stop_and_state(shell, agents, agent)
        prompt = "Run the tests, and fix what fails. " * 60

        def stage() -> None:
            _clear(agents)
            for staged in queue.standing(agents.folder):
                queue.discard(agents.folder, staged)
            staged = Staged("test", "0" * 16, agent.session_id, agent.pid, 0.0)
            queue.put(agents.folder, staged, carry_on(prompt), prompt)

        stage()
        stop.run(1)
        assert [path.name.split(".")[1] for path in agents.folder.inbox.iterdir()] == ["Drained"]
        found = compare_both(stop, plain, rounds=_DRAINS, runs=1, before=stage)
    for ratio in found:
        what = f"turn end that delivers a verb, {ratio.what} beside the state hook ({shell})"
        figures.put(what, ratio.precise())


def _stop_and_state(shell: str, agents: Agents, agent: Agent) -> tuple[Program, Program]:
    """Return the hook at the end of a turn, and the one it would be if no verb could wait."""
    payload = agent.payload("Stop", background_tasks=[])
    stop, plain = (
        _in_shell(shell, render_hook(kind, "Stop", agents.site), agent, payload)
        for kind in (Kind.DRAIN, Kind.SPOOL)
    )
    return stop, plain


@pytest.mark.parametrize(
    ("kind", "event", "what"),
    [
        (Kind.BRAKES, "PreToolUse", "before a tool call, neither latch nor gate"),
        (Kind.GUARD, "PostToolUse", "after a tool call with nothing to tell"),
    ],
)
@pytest.mark.parametrize("shell", _SHELLS)
def test_idle_hook_beside_an_empty_shell(
    shell: str, kind: Kind, event: str, what: str, home: Path, figures: Figures
) -> None:
    with agents_in(home) as agents:
        (agent,) = agents.begin(1)
        payload = agent.payload(event, **TOOL)
        idle = _in_shell(shell, render_hook(kind, event, agents.site), agent, payload)
        nothing = _in_shell(shell, ":", agent, payload)
        found = compare(idle, nothing, rounds=_ROUNDS, runs=_RUNS, after=lambda: None)
        assert not list(agents.folder.inbox.iterdir()), "there was nothing to do"
    figures.put(f"{what}, CPU beside `sh -c :` ({shell})", str(found), _IDLE, found.times)


@pytest.mark.parametrize("shell", _SHELLS)
def test_latched_brakes_beside_an_empty_shell(shell: str, home: Path, figures: Figures) -> None:
    with agents_in(home) as agents:
        (agent,) = agents.begin(1)
        payload = agent.payload("PreToolUse", **TOOL)
        latch.put(agents.folder)
        command = render_hook(Kind.BRAKES, "PreToolUse", agents.site)
        latched = _in_shell(shell, command, agent, payload)
        nothing = _in_shell(shell, ":", agent, payload)
        found = compare(latched, nothing, rounds=_ROUNDS, runs=_RUNS, after=lambda: None)
    what = f"tool call refused by the latch, CPU beside `sh -c :` ({shell})"
    figures.put(what, str(found), _IDLE, found.times)
