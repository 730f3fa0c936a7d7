"""`flightdeck fail` by hand: what it marks and clears; a refused teardown, from its terminal on."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest

from flightdeck.cli import main
from flightdeck.model import ending
from flightdeck.model.plan import PanelPlan
from flightdeck.panel import teardown
from flightdeck.store import plan as plans
from flightdeck.system.process import start_of
from tests.fold.world import until
from tests.panel.agents import SLEEP, Agents
from tests.system.repositories import Place, a_place, stand_in

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from flightdeck.model.session import Session
    from tests.commands.running import Running
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


def test_clearing_it_twice_is_the_same_as_once(
    refused: int, capsys: pytest.CaptureFixture[str]
) -> None:
    assert refused
    said(capsys, "fail", "--clear", "0")
    assert said(capsys, "fail", "--clear", "0") == "slot 0 had no failure\n"


def test_who_has_ended_cannot_have_failed(refused: int, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["fail", "0"]) == 1
    assert "the agent of slot 0 has ended" in capsys.readouterr().err
    assert slot(capsys)["error"] == "teardown: removal"


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


# A failure reported by hand.


def seen(capsys: pytest.CaptureFixture[str]) -> tuple[str, str | None]:
    row = slot(capsys)
    return row["state"], row["error"]


def test_slot_that_is_marked_is_red_until_its_next_prompt(
    agent: int, machine: Machine, capsys: pytest.CaptureFixture[str]
) -> None:
    assert said(capsys, "fail", "0") == "slot 0 is marked as failed\n"
    assert seen(capsys) == ("failed", "reported")
    machine.says(agent, "UserPromptSubmit", session_id="s-aaaa")
    os.utime(next(machine.folder.inbox.iterdir()))  # after the mark, by the clock of the machine
    assert seen(capsys) == ("working", None)


def test_marking_twice_is_the_same_as_once(agent: int, capsys: pytest.CaptureFixture[str]) -> None:
    first = said(capsys, "fail", "0"), slot(capsys)
    assert (said(capsys, "fail", "0"), slot(capsys)) == first


def test_mark_survives_the_end_of_the_turn_and_every_fold(
    agent: int, machine: Machine, capsys: pytest.CaptureFixture[str]
) -> None:
    said(capsys, "fail", "0")
    machine.says(agent, "Stop", session_id="s-aaaa")
    os.utime(next(machine.folder.inbox.iterdir()))
    assert main(["reap"]) == 0
    assert seen(capsys) == ("failed", "reported")


def test_status_and_explain_say_that_it_was_reported(
    agent: int, capsys: pytest.CaptureFixture[str]
) -> None:
    said(capsys, "fail", "0")
    assert said(capsys, "status").startswith("0  failed (reported) ")
    why = said(capsys, "explain", "0")
    assert "because   the agent, or somebody for it, reported a failure" in why
    assert "reported  a failure, " in why
    assert "`flightdeck fail --clear SLOT`" in why


def test_session_that_waits_is_told_to_be_amber_first(
    agent: int, machine: Machine, capsys: pytest.CaptureFixture[str]
) -> None:
    machine.says(agent, "PermissionRequest", session_id="s-aaaa", tool_name="Bash", tool_input={})
    assert said(capsys, "fail", "0") == "slot 0 is marked as failed: amber first, for it waits\n"


@pytest.mark.parametrize("failure", ["reported", "told by its client", "of a teardown"])
def test_any_failure_of_who_runs_on_is_cleared(
    failure: str, agent: int, machine: Machine, capsys: pytest.CaptureFixture[str]
) -> None:
    if failure == "reported":
        said(capsys, "fail", "0")
    elif failure == "told by its client":
        machine.says(agent, "StopFailure", session_id="s-aaaa", error="rate_limit")
    else:
        refuse = partial(ending.refused, check="ahead", words="1 commit", now=1.0, ended=False)
        machine.step(machine.fold(), amend=refuse)
    assert slot(capsys)["state"] == "failed"
    assert said(capsys, "fail", "--clear", "0") == "slot 0 is cleared: its agent runs on\n"
    assert seen(capsys) == ("idle", None)
    assert said(capsys, "fail", "--clear", "0") == "slot 0 had no failure\n"


def test_empty_slot_has_no_failure_and_nobody_to_mark(
    machine: Machine, capsys: pytest.CaptureFixture[str]
) -> None:
    assert said(capsys, "fail", "--clear", "7") == "slot 7 had no failure\n"
    assert main(["fail", "7"]) == 1
    assert "slot 7 is empty" in capsys.readouterr().err


@pytest.mark.parametrize("words", [["8"], ["--clear", "8"]])
def test_slot_that_is_not_there_is_told(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["fail", *words]) == 1
    assert "there is no slot 8" in capsys.readouterr().err


def test_session_without_a_slot_is_marked_all_the_same(
    machine: Machine, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    plans.write(machine.folder, PanelPlan(slots=()))
    pid = machine.agent()
    machine.starts(pid, "s-1")
    monkeypatch.setenv("CLAUDE_CODE_SESSION_ID", "s-1")
    monkeypatch.setenv("CLAUDE_PID", str(pid))
    told = f"the session of process {pid}, which has no slot, is marked as failed\n"
    assert said(capsys, "fail") == told
    assert "is cleared" in said(capsys, "fail", "--clear")


def test_whose_command_it_is_that_cannot_be_told_says_what_was_looked_at(
    agent: int, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("CLAUDE_PID", raising=False)
    monkeypatch.setenv("CLAUDE_CODE_SESSION_ID", "s-\x1bzzzz")
    assert main(["fail"]) == 1
    told = capsys.readouterr().err
    assert "cannot be told: session id 's-\ufffdzzzz' is no session's" in told
    assert "looked at the processes above it (no session's), session id" in told
    assert seen(capsys) == ("idle", None)


@pytest.mark.parametrize("words", [[], ["--clear"]])
def test_client_that_is_not_to_be_seen_has_nothing_folded(
    machine: Machine,
    words: list[str],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    gone = machine.agent()
    machine.kill(gone)
    monkeypatch.setenv("CLAUDE_PID", str(gone))
    assert main(["fail", *words]) == 1
    assert f"process {gone}, which CLAUDE_PID names, has ended" in capsys.readouterr().err
    assert not machine.folder.slots.exists()


def test_agent_that_ends_meanwhile_is_told(
    agent: int,
    machine: Machine,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def reported(session: Session, now: float) -> Session:
        return replace(session, closed=True)

    monkeypatch.setattr("flightdeck.model.failing.reported", reported)
    assert main(["fail", "0"]) == 1
    assert "the agent of slot 0 has just ended" in capsys.readouterr().err


def test_panel_shows_a_mark_made_elsewhere(
    agent: int, start: Callable[..., Running], capsys: pytest.CaptureFixture[str]
) -> None:
    panel = start().begun()
    panel.shows(1, "idle")
    said(capsys, "fail", "0")
    panel.shows(1, "failed, reported")
    said(capsys, "fail", "--clear", "0")
    panel.shows(1, "idle")


# The contract.


def test_contract_is_told_without_any_state_folder(
    home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (home / "file").touch()
    monkeypatch.setenv("FLEET_HOME", str(home / "file" / "fleet"))
    contract = said(capsys, "fail", "--explain")
    assert "There is no slot number to give" in contract
    assert [line[14:15] for line in contract.splitlines() if line[14:17] in STATUSES] == list(
        "0123"
    )
    assert max(map(len, contract.splitlines())) <= 90
    assert not (home / ".fleet").exists()


STATUSES = [f"{code}  " for code in range(4)]


def test_contract_and_clearing_exclude_each_other(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["fail", "--explain", "--clear"]) == 2
    assert "not allowed with" in capsys.readouterr().err
