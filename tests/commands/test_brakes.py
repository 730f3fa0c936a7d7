"""The brakes on a running panel, with true permission hooks that wait and a true latch."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest

from flightdeck.cli import main
from flightdeck.store import gates, latch
from tests.commands.hooked import Agent, printed
from tests.fold.world import until

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.commands.running import Running
    from tests.fold.world import Machine

HALT, GATE = "4.8", "4.1"
# Presses of the halt key nearer to each other than this do not count.
CALM_S = 0.5


@pytest.fixture
def panel(start: Callable[..., Running]) -> Running:
    return start().begun()


@pytest.fixture
def agents(machine: Machine, panel: Running) -> Iterator[list[Agent]]:
    """Eight agents, each on a key of its own."""
    made = [Agent(machine, panel, machine.agent()) for _ in range(8)]
    yield made
    for agent in made:
        agent.leave()


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str]:
    """Return how a command ended, and what it said."""
    code = main(list(words))
    told = capsys.readouterr()
    return code, told.out + told.err


def press_calmly(capsys: pytest.CaptureFixture[str], key: str) -> tuple[int, str]:
    """Press a key once the last press is long enough ago."""
    found: list[tuple[int, str]] = []

    def told() -> bool:
        time.sleep(CALM_S)
        found.append(run(capsys, "press", key))
        return "too soon" not in found[-1][1]

    until(told, "a press that counts")
    return found[-1]


def refused(agent: Agent) -> bool:
    """Say whether the hook of an agent ends with a no that ends its turn."""
    decision = printed(agent.hooks[-1])
    assert decision is not None
    return (decision["behavior"], decision.get("interrupt")) == ("deny", True)


def test_halt_key_releases_eight_that_wait_and_two_more_presses_lift_it(
    machine: Machine, agents: list[Agent], capsys: pytest.CaptureFixture[str]
) -> None:
    for agent in agents:
        agent.asks_and_is_held()
    assert run(capsys, "press", HALT) == (0, f"{HALT}: HALTED: no new tool call runs\n")
    assert latch.stands(machine.folder)
    assert [refused(agent) for agent in agents] == [True] * 8
    until(lambda: machine.snapshot()["halted"], "the snapshot")
    code, said = press_calmly(capsys, HALT)
    assert (code, "will lift the halt" in said) == (4, True)
    assert latch.stands(machine.folder)
    assert press_calmly(capsys, HALT) == (0, f"{HALT}: tool calls run again\n")
    assert not latch.stands(machine.folder)


def test_command_has_the_panel_release_who_waits(
    machine: Machine, agents: list[Agent], capsys: pytest.CaptureFixture[str]
) -> None:
    for agent in agents[:2]:
        agent.asks_and_is_held()
    code, said = run(capsys, "halt")
    assert (code, said) == (0, "HALTED: no new tool call runs, 2 refused what it asked\n")
    assert [refused(agent) for agent in agents[:2]] == [True, True]
    assert run(capsys, "halt") == (0, "HALTED already: no new tool call runs\n")


def test_request_that_comes_while_halted_is_refused(
    agents: list[Agent], capsys: pytest.CaptureFixture[str]
) -> None:
    run(capsys, "halt")
    agents[0].asks()
    assert refused(agents[0])


def test_latch_set_by_hand_hatches_and_refuses_allows_but_answers_nobody(
    machine: Machine, panel: Running, agents: list[Agent], capsys: pytest.CaptureFixture[str]
) -> None:
    hook = agents[0].asks_and_is_held()
    machine.folder.halt.mkdir()
    until(lambda: panel.names()[1, 1].endswith(", halted"), "stripes")
    until(lambda: panel.names()[4, 8] == "HALTED", "the word")
    assert run(capsys, "verdict", "approve")[0] == 1
    assert hook.poll() is None
    assert run(capsys, "halt", "--off")[0] == 0
    until(lambda: panel.names()[4, 8] == "HALT", "the lift")


def test_gate_key_gates_the_selected_session_and_opens_its_gate(
    machine: Machine, panel: Running, capsys: pytest.CaptureFixture[str]
) -> None:
    pid = machine.agent()
    machine.now = time.time()
    machine.starts(pid, "s-gated")
    panel.shows(1, "idle")
    assert run(capsys, "press", GATE)[1].startswith("flightdeck: none selected\n")
    run(capsys, "select", "0")
    until(lambda: panel.names()[4, 1].startswith("GATE, "), "whose gate it is")
    assert press_calmly(capsys, GATE) == (0, f"{GATE}: GUARDED: high-risk calls are refused\n")
    assert gates.standing(machine.folder) == {"s-gated"}
    until(lambda: panel.names()[4, 1].startswith("GUARDED, "), "that it is closed")
    until(lambda: "guarded" in panel.names()[1, 1], "the pip")
    assert press_calmly(capsys, GATE) == (0, f"{GATE}: not gated\n")
    assert gates.standing(machine.folder) == frozenset()
