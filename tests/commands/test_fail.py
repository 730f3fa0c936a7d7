"""A refused teardown, from its terminal on: its red key, its reason, and how it goes away."""

from __future__ import annotations

import json
import os
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest

from flightdeck.cli import main
from flightdeck.model import ending
from flightdeck.panel import teardown
from flightdeck.system.process import start_of
from tests.fold.world import until
from tests.panel.agents import SLEEP, Agents
from tests.system.repositories import Place, a_place, stand_in

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.fold.world import Machine

FAIL = 'echo "error: failed to delete it" >&2; exit 255'


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
def agent(place: Place, agents: Agents, machine: Machine) -> int:
    """An agent in slot 0 that works in the place's worktree."""
    pid = agents.run(*SLEEP, cwd=place.worktree)
    machine.starts(pid, "s-aaaa", cwd=str(place.worktree))
    return pid


def said(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    capsys.readouterr()
    assert main(list(words)) == 0
    return capsys.readouterr().out


def slot(capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    data = json.loads(said(capsys, "status", "--json"))
    row = data["slots"][0]
    assert isinstance(row, dict)
    return row


@pytest.fixture
def refused(place: Place, agent: int, monkeypatch: pytest.MonkeyPatch) -> int:
    """A teardown git refused, after its agent has ended."""
    stand_in(place, monkeypatch, f'case "$all" in *"worktree remove"*) {FAIL} ;; esac')
    assert main(["teardown", "0"]) == 1
    until(lambda: start_of(agent) is None, "its end")
    return agent


def test_refusal_after_the_agent_ended_stays_and_says_why(
    refused: int, capsys: pytest.CaptureFixture[str]
) -> None:
    for _ in range(3):
        assert main(["reap"]) == 0
    row = slot(capsys)
    assert (row["state"], row["how"], row["pid"]) == ("failed", "teardown", refused)
    assert row["refusal"] == "removal: error: failed to delete it"
    lines = said(capsys, "status").splitlines()
    assert "failed (teardown: removal)" in lines[0]
    assert lines[1].strip() == "teardown refused, removal: error: failed to delete it"
    why = said(capsys, "explain", "0")
    assert f"process   pid {refused}, ended" in why
    assert "teardown  refused, removal: error: failed to delete it, since" in why
    assert "`flightdeck fail --clear SLOT`" in why


def test_agent_that_ends_long_after_it_was_asked_leaves_a_reason(
    place: Place,
    agents: Agents,
    machine: Machine,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(teardown, "AGENT_S", 0.2)
    ready = place.root / "ready"
    deaf = f"trap : TERM; : >'{ready}'; while :; do sleep 0.01; done"
    pid = agents.run("/bin/sh", "-c", deaf, cwd=place.worktree)
    until(ready.exists, "an agent")
    machine.starts(pid, "s-aaaa", cwd=str(place.worktree))
    assert main(["teardown", "0"]) == 1
    os.kill(pid, 9)
    until(lambda: start_of(pid) is None, "its end")
    assert main(["reap"]) == 0
    row = slot(capsys)
    assert (row["state"], row["ended"]) == ("failed", True)
    assert row["refusal"] == "agent: the agent was asked to end and still runs after 0.2 s"
    assert place.worktree.exists()


def test_clearing_it_frees_the_slot(refused: int, capsys: pytest.CaptureFixture[str]) -> None:
    told = said(capsys, "fail", "--clear", "0")
    assert told == "slot 0 is cleared: its agent had ended, the slot is free\n"
    assert slot(capsys)["state"] == "empty"


def test_teardown_can_be_tried_again_once_it_is_mended(
    place: Place, refused: int, capsys: pytest.CaptureFixture[str]
) -> None:
    assert refused
    (place.root / "bin" / "git").unlink()
    assert "is removed" in said(capsys, "teardown", "0")
    assert slot(capsys)["state"] == "empty"


def test_refusal_of_a_second_try_stays_too(
    place: Place, refused: int, capsys: pytest.CaptureFixture[str]
) -> None:
    assert refused
    place.sh("echo S=1 >.env")
    assert main(["teardown", "0"]) == 1
    assert slot(capsys)["refusal"] == "ignored: ignored files would go with it: .env"


def test_refusal_of_a_running_agent_is_told_to_its_terminal_alone(
    place: Place, agent: int, capsys: pytest.CaptureFixture[str]
) -> None:
    place.sh("echo S=1 >.env")
    assert main(["teardown", "0"]) == 1
    row = slot(capsys)
    assert (row["state"], row["refusal"], row["ending"]) == ("idle", None, False)


def test_slot_without_a_refusal_has_nothing_to_clear(
    agent: int, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["fail", "--clear", "0"]) == 1
    assert "no teardown of slot 0 was refused" in capsys.readouterr().err


def test_nothing_is_cleared_by_the_bare_name(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["fail", "0"]) == 2
    assert "--clear" in capsys.readouterr().err


def test_there_is_one_teardown_at_a_time(
    agent: int, agents: Agents, machine: Machine, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["reap"]) == 0
    other = agents.run(*SLEEP)
    claim = partial(ending.claimed, by=other, started=start_of(other) or "", now=machine.now)
    machine.step(machine.fold(), amend=claim)
    assert main(["teardown", "0"]) == 1
    assert "torn down already" in capsys.readouterr().err
    assert "being torn down" in said(capsys, "status")
    assert f"teardown  under way by pid {other}, since" in said(capsys, "explain", "0")
    assert start_of(agent)
    os.kill(other, 9)
    until(lambda: start_of(other) is None, "its end")
    assert "being torn down" not in said(capsys, "status")


def test_deed_that_breaks_off_leaves_nobody_at_it(
    agent: int, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("flightdeck.commands.teardown.tear_down", interrupted)
    assert main(["teardown", "0"]) == 130
    assert slot(capsys)["ending"] is False
