"""`flightdeck explain`: every witness of a slot, and what it said."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest

from flightdeck.cli import main
from flightdeck.commands import explain
from flightdeck.model.lifecycle import Reason, State
from flightdeck.model.session import Request, Session, Shown
from flightdeck.model.staged import Staged
from flightdeck.store import gates, latch, queue
from flightdeck.system import clock

if TYPE_CHECKING:
    from tests.fold.world import Machine


def told(capsys: pytest.CaptureFixture[str], slot: int = 0) -> dict[str, str]:
    """Return the lines by their first word, times taken out."""
    assert main(["explain", str(slot)]) == 0
    out = re.sub(r"\d\d:\d\d:\d\d \(\d+\.\d s ago\)", "TIME", capsys.readouterr().out)
    return {line[:10].strip(): line[10:] for line in out.splitlines()}


def test_announced_session_is_told_witness_by_witness(
    machine: Machine, capsys: pytest.CaptureFixture[str]
) -> None:
    pid = machine.agent()
    body = b'{"session_id": "s", "cwd": "/R", "source": "startup"}'
    machine.spool(pid, "SessionStart", body, TMUX="/t,1,0", TMUX_PANE="%7")
    assert told(capsys) == {
        "shows": "idle, since TIME",
        "because": "a hook of the agent said so",
        "hooks": "idle, TIME",
        "registry": "no record: hooks, process and transcript alone decide",
        "process": f"pid {pid}, alive",
        "window": "tmux tmux_socket=/t tmux_pane=%7",
        "session": "s (claude-code) in /R",
    }


def test_waiting_requests_are_told_and_their_input_is_not(
    machine: Machine, capsys: pytest.CaptureFixture[str]
) -> None:
    machine.says(
        machine.agent(),
        "PermissionRequest",
        agent_id="a1",
        tool_name="Bash",
        tool_input={"command": "secret"},
    )
    lines = told(capsys)
    assert lines["waiting"] == "permission Bash (sub-agent), since TIME, in terminal"
    assert "secret" not in str(lines)


@pytest.mark.parametrize(
    ("more", "lines"),
    [
        ({}, ["waiting   permission Bash, since an unknown time, in terminal"]),
        (
            {"tier": "high", "rule": "git-push", "held": True, "repeats": 2},
            [
                "waiting   permission Bash, since an unknown time, held for the deck",
                "  tier    high: rule git-push, asked 2 times",
            ],
        ),
        (
            {"tier": "medium"},
            [
                "waiting   permission Bash, since an unknown time, in terminal",
                "  tier    medium: no rule speaks of it",
            ],
        ),
    ],
)
def test_request_says_which_rule_judged_it(more: dict[str, Any], lines: list[str]) -> None:
    request = Request("r1", Reason.PERMISSION, 0.0, "Bash", **more)
    assert explain._waiting(request, 1.0, running=True) == lines


def test_what_a_killed_panel_held_is_held_no_more() -> None:
    request = Request("r1", Reason.PERMISSION, 0.0, "Bash", held=True)
    [line] = explain._waiting(request, 1.0, running=False)
    assert line.endswith(", in terminal")


def test_session_only_the_registry_knows_says_so(
    machine: Machine, capsys: pytest.CaptureFixture[str]
) -> None:
    machine.records(machine.agent(), "s", "busy")
    lines = told(capsys)
    assert lines["hooks"].startswith("none ever spoke for this session")
    assert lines["registry"] == "busy, since TIME"
    assert lines["because"].startswith("the agent's own registry says so")


def test_stale_window_is_told() -> None:
    lines = explain._lines(Session("k", "a", 7, stale=True), "main", 0.0, running=False)
    assert lines[-1] == "stale     its window was gone when a press looked for it"
    assert "session   unknown (a) in ? on main" in lines
    assert lines[0].endswith("since an unknown time")


def test_brakes_that_hold_its_calls_back_are_told(
    machine: Machine, capsys: pytest.CaptureFixture[str]
) -> None:
    machine.starts(machine.agent(), "s")
    assert {"halted", "gated"}.isdisjoint(told(capsys))
    latch.put(machine.folder)
    gates.close(machine.folder, "s")
    lines = told(capsys)
    assert lines["halted"] == "no new tool call runs; `flightdeck halt --off` lifts it"
    assert lines["gated"] == "its high-risk calls are refused; `flightdeck gate 0 --off` ends it"


def test_session_without_our_hooks_is_told_to_be_out_of_reach_of_a_halt(
    machine: Machine, capsys: pytest.CaptureFixture[str]
) -> None:
    machine.records(machine.agent(), "s", "busy")
    latch.put(machine.folder)
    assert told(capsys)["halted"].startswith("untracked, out of its reach")


@pytest.mark.parametrize("moment", [0.0, 1e18, 1e300])
def test_time_no_calendar_has_is_unknown(moment: float) -> None:
    assert explain._at(moment, 0.0) == "an unknown time"


def test_rest_only_the_registry_knows_of_is_told_on_its_word(
    machine: Machine, capsys: pytest.CaptureFixture[str]
) -> None:
    machine.records(machine.agent(), "s", "idle")
    lines = told(capsys)
    assert lines["shows"] == "idle, since TIME"
    assert lines["because"].startswith("the agent's own registry says so")


def test_folder_cannot_steer_the_terminal(
    machine: Machine, capsys: pytest.CaptureFixture[str]
) -> None:
    machine.starts(machine.agent(), "s", cwd="/R/\x1b[31m")
    assert told(capsys)["session"] == "s (claude-code) in /R/\ufffd[31m"


@pytest.mark.parametrize(
    ("slot", "message"),
    [
        ("0", "slot 0 is empty\n  hint: `flightdeck status` shows who is where"),
        ("8", "there is no slot 8\n  hint: the layout shows 0, 1, 2, 3, 4, 5, 6, 7"),
        ("99999999999999999999", "there is no slot 99999999999999999999"),
    ],
)
def test_slot_without_a_session_is_told(
    machine: Machine, capsys: pytest.CaptureFixture[str], slot: str, message: str
) -> None:
    assert main(["explain", slot]) == 1
    assert capsys.readouterr().err.startswith(f"flightdeck: {message}")
    assert machine.folder.slots.exists()


@pytest.mark.parametrize("words", [[], ["one"], ["1", "2"]])
def test_what_is_no_slot_is_wrong_usage(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["explain", *words]) == 2
    assert "usage: flightdeck explain" in capsys.readouterr().err


# A verb that waits.


def staged(machine: Machine, pid: int, until: float = 0.0) -> None:
    one = Staged("test", "0123456789abcdef", "s", pid, clock.now(), until)
    queue.put(machine.folder, one, "{}", "Run the tests.")


@pytest.mark.parametrize(
    ("event", "waits"),
    [
        ("UserPromptSubmit", "for the end of its turn"),
        ("PermissionRequest", "for the end of its turn"),
        ("Stop", "for the end of its next turn: no panel runs that could wake it"),
    ],
)
def test_verb_that_waits_says_what_for(
    machine: Machine, capsys: pytest.CaptureFixture[str], event: str, waits: str
) -> None:
    pid = machine.agent()
    machine.says(pid, event, session_id="s", tool_name="Bash", tool_input={})
    staged(machine, pid)
    lines = told(capsys)
    assert lines["queued"] == "test, since TIME"
    assert (lines["waits"], lines["expires"]) == (waits, "never")


def test_verb_of_who_is_at_rest_waits_for_the_panel_that_runs() -> None:
    shown = Shown(State.WORKING, Reason.BACKGROUND)
    waits = explain._waits_for(Session("k", "a", 7, shown=shown), halted=False, running=True)
    assert waits.startswith("until it is at rest")


def test_halted_verb_waits_for_the_halt_to_be_lifted(
    machine: Machine, capsys: pytest.CaptureFixture[str]
) -> None:
    pid = machine.agent()
    machine.starts(pid, "s")
    staged(machine, pid)
    latch.put(machine.folder)
    assert told(capsys)["waits"] == "for the halt to be lifted"


def test_verb_that_expires_says_when(machine: Machine, capsys: pytest.CaptureFixture[str]) -> None:
    pid = machine.agent()
    machine.starts(pid, "s")
    staged(machine, pid, clock.now() + 300.0)
    assert re.fullmatch(r"\d\d:\d\d:\d\d \(in (300\.0|29\d\.\d) s\)", told(capsys)["expires"])


@pytest.mark.parametrize("moment", [1e18, 1e300])
def test_end_no_calendar_has_is_some_time(moment: float) -> None:
    assert explain._ahead(moment, 0.0).startswith("some time (in ")
