"""What a permission hook costs while it waits, and how soon it ends once it may.

Source: README.md, "Figures"; templates/hooks/README.md, "One request, one FIFO".
"""

from __future__ import annotations

import math
import os
import shutil
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from flightdeck.install.snippets import Kind, render_hook
from flightdeck.panel.leases import Leases
from flightdeck.store.instance import Instance, RunningPanel
from tests.bench.agents import TOOL, Agent, Agents, agents_in
from tests.bench.figures import Budget
from tests.bench.measure import Program, compare, cpu_of, p50_p95, rss_mib, ticks_of
from tests.fold.world import until

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.bench.figures import Figures

pytestmark = [pytest.mark.bench, pytest.mark.timeout(600)]

_SHELLS = [shell for shell in ("dash", "bash") if shutil.which(shell)]
_EVENT = "PermissionRequest"
_ANSWER = '{"hookSpecificOutput": {"hookEventName": "PermissionRequest", "decision": {}}}'
_WAITING, _PRESSES, _KILLS = 8, 200, 20
_ROUNDS, _RUNS = 40, 5
_STATE = Budget("≤ 5 x", most=5)
_PRESS = Budget("p95 ≤ 5 ms", most=5)
_KILL = Budget("≤ 50 ms", most=50)
_MEMORY = Budget("≤ 3 MiB", most=3)
_CPU = Budget("0 ticks", most=0)
_WOKEN = Budget("0", most=0)
_HOLDER = """
import math, sys, time
from pathlib import Path
from flightdeck.panel.leases import Leases
leases = Leases(Path(sys.argv[1]))
while not leases.held():
    leases.sync({sys.argv[2]: math.inf})
print(flush=True)
time.sleep(600)
"""


@dataclass(frozen=True, slots=True)
class _Hook:
    """A permission hook of an agent, that waits, and the name of its request."""

    process: subprocess.Popen[bytes]
    request: str


@contextmanager
def _panel(agents: Agents) -> Iterator[Leases]:
    """Be the panel that hooks look for."""
    instance, leases = Instance(agents.folder), Leases(agents.folder.asks)
    instance.announce(RunningPanel(os.getpid(), "bench", ""))
    try:
        yield leases
    finally:
        instance.release()
        leases.close()


def _ask(agents: Agents, agent: Agent) -> _Hook:
    process = subprocess.Popen(
        ["/bin/sh", "-c", render_hook(Kind.WAIT, _EVENT, agents.site)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=agent.env,
    )
    assert process.stdin
    process.stdin.write(agent.payload(_EVENT, **TOOL))
    process.stdin.flush()
    event = agents.folder.inbox / f"{process.pid}.{_EVENT}.ev"
    until(lambda: event.exists() and event.read_bytes().endswith(b"\x1e\n"), "the event")
    hook = _Hook(process, f"{event.stat().st_mtime_ns}-{process.pid}")
    event.unlink()
    return hook


def _hold(leases: Leases, *hooks: _Hook) -> None:
    leases.sync({hook.request: math.inf for hook in hooks})
    until(lambda: len(leases.held()) == len(hooks), "all are held")


def _reaped(hook: _Hook) -> bytes:
    """Wait until the hook is gone, and return what it printed."""
    with hook.process as process:
        process.wait()
        assert process.stdout
        return process.stdout.read()


@pytest.mark.parametrize("shell", _SHELLS)
def test_permission_hook_without_a_panel_beside_an_empty_shell(
    shell: str, home: Path, figures: Figures
) -> None:
    with agents_in(home) as agents:
        (agent,) = agents.begin(1)
        payload = agent.payload(_EVENT, **TOOL)
        argv = ["sh", "-c", render_hook(Kind.WAIT, _EVENT, agents.site)]
        hook = Program(argv, shutil.which(shell), payload, agent.env)
        nothing = Program(["sh", "-c", ":"], shutil.which(shell), payload, agent.env)

        def clear() -> None:
            for path in agents.folder.inbox.iterdir():
                path.unlink()

        found = compare(hook, nothing, rounds=_ROUNDS, runs=_RUNS, after=clear)
    what = f"permission hook, no panel, CPU beside `sh -c :` ({shell})"
    figures.put(what, str(found), _STATE, found.times)


def _shell_ms() -> float:
    """Return how long a shell that does nothing takes, from its start until it is reaped."""
    began = time.perf_counter()
    subprocess.run(["/bin/sh", "-c", ":"], check=True)
    return (time.perf_counter() - began) * 1000


def test_press_ends_the_hook(home: Path, figures: Figures) -> None:
    presses, shells = [], []
    with agents_in(home) as agents, _panel(agents) as leases, ThreadPoolExecutor(1) as performer:
        (agent,) = agents.begin(1)
        for _ in range(_PRESSES):
            hook = _ask(agents, agent)
            _hold(leases, hook)
            began = time.perf_counter()
            took = performer.submit(leases.answer, hook.request, _ANSWER)
            hook.process.wait()
            presses.append((time.perf_counter() - began) * 1000)
            assert took.result()
            assert _reaped(hook).decode() == _ANSWER + "\n"
            shells.append(_shell_ms())
    (p50, p95), (shell, _) = p50_p95(presses), p50_p95(shells)
    figures.put("a shell that does nothing, from start to end", f"p50 {shell:.2f} ms")
    figures.put("answer → hook gone", f"p50 {p50:.2f} ms, {p50 / shell:.2f} x that shell")
    figures.put("answer → hook gone", f"p95 {p95:.2f} ms", _PRESS, p95)


def test_killed_panel_ends_the_hook(home: Path, figures: Figures) -> None:
    taken = []
    with agents_in(home) as agents, _panel(agents):
        (agent,) = agents.begin(1)
        for _ in range(_KILLS):
            hook = _ask(agents, agent)
            argv = [sys.executable, "-c", _HOLDER, str(agents.folder.asks), hook.request]
            with subprocess.Popen(argv, stdout=subprocess.PIPE) as panel:
                assert panel.stdout
                assert panel.stdout.readline() == b"\n"
                began = time.perf_counter()
                panel.send_signal(signal.SIGKILL)
                hook.process.wait()
                taken.append((time.perf_counter() - began) * 1000)
            assert _reaped(hook) == b""
    p50, p95 = p50_p95(taken)
    figures.put("panel killed → hook gone", f"p50 {p50:.2f} ms, p95 {p95:.2f} ms", _KILL, p95)


def _wakeups(thread: int) -> int:
    """Return how often a thread of this process has woken from a sleep."""
    lines = Path(f"/proc/self/task/{thread}/status").read_text().splitlines()
    return int(next(line.split()[1] for line in lines if line.startswith("voluntary")))


def test_eight_hooks_wait(home: Path, figures: Figures, rest_s: float) -> None:
    with agents_in(home) as agents, _panel(agents) as leases, ExitStack() as stack:
        hooks = [_ask(agents, agent) for agent in agents.begin(_WAITING)]
        stack.callback(lambda: [_reaped(hook) for hook in hooks])
        stack.callback(leases.release_all)
        _hold(leases, *hooks)
        pids = [hook.process.pid for hook in hooks]
        until(lambda: all(_is_head(pid) for pid in pids), "all are one head")
        memory = max(rss_mib(pid) for pid in pids)
        assert leases._thread
        watch = leases._thread.native_id
        assert watch
        before = [sum(map(ticks_of, pids)), sum(map(cpu_of, pids)), _wakeups(watch)]
        time.sleep(rest_s)
        after = [sum(map(ticks_of, pids)), sum(map(cpu_of, pids)), _wakeups(watch)]
        ticks, spent, woken = (b - a for a, b in zip(before, after, strict=True))
    figures.put("a waiting permission hook, memory", f"{memory:.1f} MiB", _MEMORY, memory)
    what = f"{_WAITING} of them waiting for {rest_s:g} s, CPU"
    figures.put(what, f"{ticks:g} ticks, {spent * 1e6:.0f} µs", _CPU, ticks)
    figures.put("the thread that holds them, woken meanwhile", f"{woken} times", _WOKEN, woken)


def _is_head(pid: int) -> bool:
    return Path(f"/proc/{pid}/comm").read_text() == "head\n"
