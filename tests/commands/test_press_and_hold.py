"""A true worktree and a true agent, torn down by a held key of the panel as a person runs it."""

from __future__ import annotations

import signal
from typing import TYPE_CHECKING

import pytest

from flightdeck.cli import main
from flightdeck.model.arming import SETTLED_S
from flightdeck.system import clock
from flightdeck.system.process import start_of
from tests.commands.running import Running, log_of
from tests.fold.world import until
from tests.panel.agents import SLEEP, Agents
from tests.system.repositories import Place, a_place

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from tests.fold.world import Machine

CHANGES = "echo precious >new; exit 0"


@pytest.fixture
def agents() -> Iterator[Agents]:
    agents = Agents()
    yield agents
    agents.end()


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Place:
    place = a_place(tmp_path / "x")
    place.settle(monkeypatch)
    return place


@pytest.fixture
def panel(place: Place, start: Callable[..., Running]) -> Running:
    assert place.worktree.exists()
    panel = start().begun()
    until(panel.listens, "a panel that listens")
    return panel


def agent(
    machine: Machine, agents: Agents, place: Place, panel: Running, at_the_end: str = ""
) -> int:
    """An agent in slot 0 that works in the worktree, and does this as it ends."""
    argv: tuple[str, ...] = SLEEP
    if at_the_end:
        loop = f': >"{place.root}/ready"; while :; do sleep 0.01; done'
        argv = ("/bin/sh", "-c", f"trap '{at_the_end}' TERM; {loop}")
    pid = agents.run(*argv, cwd=place.worktree)
    if at_the_end:
        until((place.root / "ready").exists, "an agent")
    machine.starts(pid, "s-aaaa", cwd=str(place.worktree))
    panel.shows(1, "idle")
    return pid


def press(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str]:
    capsys.readouterr()
    code = main(["press", "1.1", *words])
    said = capsys.readouterr()
    return code, said.out + said.err


def twice(capsys: pytest.CaptureFixture[str]) -> None:
    """Hold the key until it arms, let it go, and press it as soon as that counts."""
    assert press(capsys, "--hold", "1.0")[0] == 4
    let_go = clock.monotonic()
    until(lambda: clock.monotonic() > let_go + 2 * SETTLED_S, "a press that is no bounce")
    code, told = press(capsys)
    assert (code, "teardown has begun" in told) == (0, True), told


def test_held_key_arms_and_says_what_the_next_press_does(
    machine: Machine,
    agents: Agents,
    place: Place,
    panel: Running,
    capsys: pytest.CaptureFixture[str],
) -> None:
    pid = agent(machine, agents, place, panel)
    code, told = press(capsys, "--hold", "1.0")
    assert code == 4
    assert "the same again within 3 s will end " in told
    panel.shows(1, "armed")
    panel.shows(1, "idle")
    assert start_of(pid)


def test_second_press_ends_the_agent_and_removes_its_worktree(
    machine: Machine,
    agents: Agents,
    place: Place,
    panel: Running,
    capsys: pytest.CaptureFixture[str],
) -> None:
    pid = agent(machine, agents, place, panel)
    commit = place.git("rev-parse", "--short", "feat")
    twice(capsys)
    panel.shows(1, "empty")
    assert (start_of(pid), place.worktree.exists()) == (None, False)
    assert place.git("rev-parse", "--short", "feat", where="main") == commit


def test_refusal_leaves_the_agent_and_turns_its_key_red(
    machine: Machine,
    agents: Agents,
    place: Place,
    panel: Running,
    capsys: pytest.CaptureFixture[str],
) -> None:
    place.sh("echo S=1 >.env")
    pid = agent(machine, agents, place, panel)
    twice(capsys)
    panel.shows(1, "failed, teardown: ignored")
    assert start_of(pid)
    assert main(["explain", "0"]) == 0
    why = "teardown  refused, ignored: ignored files would go with it: .env"
    assert why in capsys.readouterr().out
    press(capsys)
    panel.shows(1, "idle")


def test_refusal_after_the_agent_ended_outlives_reaps_and_panels(
    machine: Machine,
    agents: Agents,
    place: Place,
    panel: Running,
    start: Callable[..., Running],
    capsys: pytest.CaptureFixture[str],
) -> None:
    pid = agent(machine, agents, place, panel, CHANGES)
    twice(capsys)
    panel.shows(1, "failed, teardown: status")
    assert start_of(pid) is None
    assert (place.worktree / "new").read_text(encoding="utf-8") == "precious\n"
    panel.end()
    assert main(["reap"]) == 0
    (panel.frames / "frames.jsonl").unlink()
    again = start().begun()
    until(again.listens, "a panel that listens")
    again.shows(1, "failed, teardown: status")
    assert press(capsys) == (0, "1.1: the refused teardown is off the key\n")
    again.shows(1, "empty")


def test_panel_that_is_told_to_stop_ends_the_teardown_first(
    machine: Machine,
    agents: Agents,
    place: Place,
    panel: Running,
    capsys: pytest.CaptureFixture[str],
) -> None:
    pid = agent(machine, agents, place, panel, "sleep 1; exit 0")
    twice(capsys)
    assert panel.end() == 0
    assert (start_of(pid), place.worktree.exists()) == (None, False)
    assert "teardown" in log_of(machine.folder.log)


def test_panel_that_is_killed_leaves_the_worktree_and_nobody_at_it(
    machine: Machine,
    agents: Agents,
    place: Place,
    panel: Running,
    capsys: pytest.CaptureFixture[str],
) -> None:
    agent(machine, agents, place, panel, "sleep 1; exit 0")
    twice(capsys)
    until(lambda: panel.names()[1, 1].endswith("being torn down"), "its claim on the key")
    panel.end(signal.SIGKILL)
    assert main(["status"]) == 0
    assert "being torn down" not in capsys.readouterr().out
    assert place.worktree.exists()
