"""`flightdeck halt` without a panel: the latch first, then Esc to whoever is at work."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from flightdeck.cli import main
from flightdeck.commands import halt
from flightdeck.errors import Unavailable
from flightdeck.store import latch

if TYPE_CHECKING:
    from flightdeck.model.place import Place
    from tests.fold.world import Machine

TMUX = {"TMUX": "/tmp/tmux-1/default,1,0", "TERM_PROGRAM": "tmux"}


class Windows:
    """Notes who is sent an Esc, and whether the latch stood by then; it ends a turn."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.sent: list[str] = []
        self.gone: set[str] = set()
        self.deaf: set[str] = set()
        self.pids: dict[str, int] = {}

    def __call__(self) -> Windows:
        return self

    def interrupt(self, place: Place) -> None:
        assert latch.stands(self.machine.folder)
        if place.tmux_pane in self.gone:
            raise Unavailable("pane is gone")
        self.sent.append(pane := place.tmux_pane)
        if pane in self.pids and pane not in self.deaf:
            self.machine.records(self.pids[pane], f"s{pane[1:]}", "idle")

    def close(self) -> None:
        """Nothing is kept."""


@pytest.fixture
def windows(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> Windows:
    made = Windows(machine)
    monkeypatch.setattr(halt, "Hosts", made)
    return made


def agent(machine: Machine, pane: str, status: str) -> int:
    """Start an agent in a pane, its hooks at work and its record of this status."""
    pid = machine.agent()
    prompt = b'{"session_id": "s%s", "prompt": "x"}' % pane[1:].encode()
    machine.spool(pid, "UserPromptSubmit", prompt, TMUX_PANE=pane, **TMUX)
    machine.now += 1
    if status:
        machine.records(pid, f"s{pane[1:]}", status)
    return pid


def said(capsys: pytest.CaptureFixture[str]) -> str:
    return capsys.readouterr().out


def test_fleet_is_halted_and_who_works_is_interrupted(
    machine: Machine, windows: Windows, capsys: pytest.CaptureFixture[str]
) -> None:
    windows.pids["%1"] = agent(machine, "%1", "busy")
    agent(machine, "%2", "waiting")
    agent(machine, "%3", "idle")
    agent(machine, "%4", "")
    assert main(["halt"]) == 0
    assert said(capsys) == "HALTED: no new tool call runs, 2 interrupted\n"
    assert sorted(windows.sent) == ["%1", "%4"]
    assert machine.snapshot()["halted"] is True


def test_second_halt_sends_no_second_esc(
    machine: Machine, windows: Windows, capsys: pytest.CaptureFixture[str]
) -> None:
    windows.pids["%1"] = agent(machine, "%1", "busy")
    assert [main(["halt"]), main(["halt"])] == [0, 0]
    assert said(capsys).splitlines()[1] == "HALTED already: no new tool call runs"
    assert windows.sent == ["%1"]


def test_agents_without_our_hooks_are_counted(
    machine: Machine, windows: Windows, capsys: pytest.CaptureFixture[str]
) -> None:
    machine.records(machine.agent(), "s-bare", "busy")
    machine.now += 1
    windows.gone = {""}
    main(["halt"])
    assert said(capsys) == "HALTED: no new tool call runs; 1 untracked, out of its reach\n"
    main(["status"])
    assert said(capsys).splitlines()[1] == (
        "  1 untracked, out of its reach: `flightdeck doctor` names them"
    )


def test_window_that_cannot_be_reached_is_named_and_the_fleet_halted_all_the_same(
    machine: Machine, windows: Windows, capsys: pytest.CaptureFixture[str]
) -> None:
    pid = agent(machine, "%1", "busy")
    windows.gone = {"%1"}
    assert main(["halt"]) == 0
    out, err = capsys.readouterr()
    assert out == "HALTED: no new tool call runs\n"
    assert f"not interrupted: process {pid} in" in err
    assert "pane is gone" in err


def test_agent_whose_turn_runs_on_is_named_and_sent_no_second_esc(
    machine: Machine,
    windows: Windows,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(halt, "STOPS_S", 0.2)
    windows.pids = {pane: agent(machine, pane, "busy") for pane in ("%1", "%2")}
    windows.deaf = {"%2"}
    assert main(["halt"]) == 0
    out, err = capsys.readouterr()
    assert out == "HALTED: no new tool call runs, 1 interrupted\n"
    assert f"not interrupted: process {windows.pids['%2']} in" in err
    assert "its turn runs on" in err
    assert sorted(windows.sent) == ["%1", "%2"]


def test_panel_that_was_told_and_does_not_answer_is_not_followed_by_a_second_esc(
    machine: Machine,
    windows: Windows,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def ask(*_: object) -> None:
        raise Unavailable("the panel does not answer: timed out") from TimeoutError()

    agent(machine, "%1", "busy")
    monkeypatch.setattr(halt, "ask_panel", ask)
    assert main(["halt"]) == 0
    out, err = capsys.readouterr()
    assert out == "HALTED: no new tool call runs\n"
    assert "nobody can tell who was interrupted" in err
    assert windows.sent == []


def test_off_lifts_it_at_once(
    machine: Machine, windows: Windows, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["halt"])
    assert main(["halt", "--off"]) == 0
    assert main(["halt", "--off"]) == 0
    assert said(capsys).splitlines()[1:] == ["tool calls run again", "the fleet was not halted"]
    assert not latch.stands(machine.folder)
    assert machine.snapshot()["halted"] is False


def test_folder_in_the_place_of_the_latch_is_said(
    machine: Machine, windows: Windows, capsys: pytest.CaptureFixture[str]
) -> None:
    (machine.folder.halt / "notes").mkdir(parents=True)
    assert main(["halt"]) == 0
    assert said(capsys).startswith("HALTED already")
    assert main(["halt", "--off"]) == 1
    assert "the fleet stays halted" in capsys.readouterr().err


def test_state_folder_nobody_can_fold_halts_all_the_same(
    machine: Machine,
    windows: Windows,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def fold(*_: object) -> None:
        raise Unavailable("another flightdeck has kept the state folder")

    monkeypatch.setattr(halt, "fold_once", fold)
    assert main(["halt"]) == 0
    assert latch.stands(machine.folder)
    out, err = capsys.readouterr()
    assert "who is out of reach is not known" in out
    assert "nobody was interrupted" in err


def test_first_line_of_status_shouts(
    machine: Machine, windows: Windows, capsys: pytest.CaptureFixture[str]
) -> None:
    agent(machine, "%1", "busy")
    main(["status"])
    assert "HALTED" not in said(capsys)
    main(["halt"])
    said(capsys)
    main(["status"])
    assert said(capsys).startswith("HALTED: no new tool call runs; `flightdeck halt --off`")
