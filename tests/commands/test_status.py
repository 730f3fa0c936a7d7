"""`flightdeck status`: the fleet, right with or without a panel."""

from __future__ import annotations

import json
import signal
import subprocess
from typing import TYPE_CHECKING

import pytest

from flightdeck.cli import main
from flightdeck.commands import status
from flightdeck.model.fleet import PendingView, SlotView
from flightdeck.model.lifecycle import State
from flightdeck.model.plan import PanelPlan
from flightdeck.store import plan as plans
from flightdeck.system import clock
from tests.commands.running import FLIGHTDECK
from tests.fold.world import DEADLINE_S

if TYPE_CHECKING:
    from tests.fold.world import Machine

KEYS = [
    *("slot", "state", "reason", "error", "how", "key", "session_id", "agent", "repo", "branch"),
    *("title", "label", "cwd", "since", "host", "pid", "permission_mode", "gated", "selected"),
    *("seen", "untracked", "stale", "ending", "ended", "refusal", "queued", "pending", "spend"),
]


def lines(capsys: pytest.CaptureFixture[str]) -> list[str]:
    assert main(["status"]) == 0
    return capsys.readouterr().out.splitlines()


def test_json_is_one_object_with_its_keys(
    machine: Machine, capsys: pytest.CaptureFixture[str]
) -> None:
    machine.starts(machine.agent(), "s")
    assert main(["status", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert list(data) == ["schema", "halted", "untracked", "overflow", "panel", "slots"]
    assert data["schema"] == "flightdeck.status/1"
    assert data["panel"] == {"running": False, "pid": None, "deck": None, "problem": None}
    assert [list(row) for row in data["slots"]] == [KEYS] * 8
    assert data == machine.snapshot()


def test_waiting_request_is_told_with_its_keys(
    machine: Machine, capsys: pytest.CaptureFixture[str]
) -> None:
    pid = machine.agent()
    machine.says(pid, "PermissionRequest", tool_name="Bash", tool_input={"command": "secret"})
    assert main(["status", "--json"]) == 0
    out = capsys.readouterr().out
    (request,) = json.loads(out)["slots"][0]["pending"]
    assert list(request) == ["request_id", "tool", "tier", "repeats", "since", "answerable"]
    assert "secret" not in out


def test_every_slot_is_a_line_and_the_panel_the_last(
    machine: Machine, capsys: pytest.CaptureFixture[str]
) -> None:
    pid = machine.agent()
    machine.starts(pid, "s", cwd="/R/webshop", session_title="Refunds")
    machine.says(pid, "PermissionRequest", tool_name="Bash", tool_input={})
    first, waits, *rest = lines(capsys)
    assert first.startswith("0  blocked (permission) ")
    assert first.endswith("  webshop Refunds")
    assert waits.startswith("   medium Bash, ")
    assert waits.endswith("s, in terminal")
    assert rest == [*(f"{slot}  empty" for slot in range(1, 8)), "no panel is running"]


def test_turn_is_no_reason_worth_saying_and_a_failure_is(
    machine: Machine, capsys: pytest.CaptureFixture[str]
) -> None:
    one, other = machine.agent(), machine.agent()
    machine.says(one, "UserPromptSubmit", session_id="a")
    machine.says(other, "StopFailure", session_id="b", error="rate_limit")
    first, second, *_ = lines(capsys)
    assert first.startswith("0  working  ")
    assert second.startswith("1  failed (rate_limit) ")


def test_columns_stand_under_each_other_however_long_a_reason_is(
    machine: Machine, capsys: pytest.CaptureFixture[str]
) -> None:
    plans.write(machine.folder, PanelPlan(slots=(7, 15)))
    machine.starts(machine.agent(), "a", cwd="/R/webshop")
    pid = machine.agent()
    machine.starts(pid, "b", cwd="/R/webshop")
    machine.says(pid, "StopFailure", session_id="b", error="authentication_failed")
    first, second, *_ = lines(capsys)
    assert first.startswith(" 7  idle ")
    assert second.startswith("15  failed (authentication_failed) ")
    assert first.index("webshop") == second.index("webshop")


def test_title_cannot_steer_the_terminal(
    machine: Machine, capsys: pytest.CaptureFixture[str]
) -> None:
    machine.starts(machine.agent(), "s", cwd="/R/webshop", session_title="a\x1b]0;b\x07\nc")
    first, second, *_ = lines(capsys)
    assert first.endswith("webshop a\ufffd]0;b\ufffd\ufffdc")
    assert second == "1  empty"


def test_time_nobody_knows_is_left_out() -> None:
    (line,) = status._table([SlotView(0, State.IDLE, repo="webshop")], 1e9)
    assert line.split() == ["0", "idle", "webshop"]


def test_session_no_hook_announced_is_marked(
    machine: Machine, capsys: pytest.CaptureFixture[str]
) -> None:
    machine.records(machine.agent(), "s", "idle")
    assert lines(capsys)[0].endswith("  [registry only]")


def test_sessions_without_a_slot_are_counted(
    machine: Machine, capsys: pytest.CaptureFixture[str]
) -> None:
    plans.write(machine.folder, PanelPlan(slots=(0,)))
    for name in ("a", "b", "c"):
        machine.starts(machine.agent(), name)
    assert "2 more without a slot, 0 blocked" in lines(capsys)


def test_panel_that_has_not_yet_said_which_deck_it_has_is_starting(
    machine: Machine, capsys: pytest.CaptureFixture[str]
) -> None:
    from flightdeck.store.instance import Instance  # noqa: PLC0415 - only here

    instance = Instance(machine.folder)
    assert lines(capsys)[-1] == "a panel is starting"
    instance.release()


def test_running_panel_is_named(machine: Machine, capsys: pytest.CaptureFixture[str]) -> None:
    from flightdeck.store.instance import Instance, RunningPanel  # noqa: PLC0415 - only here

    instance = Instance(machine.folder)
    instance.announce(RunningPanel(4711, "browser", "/c"))
    assert lines(capsys)[-1] == "panel on the browser deck, pid 4711"
    instance.release()


@pytest.mark.parametrize(("words", "ends"), [(["--json"], '"spend": null}]}'), ([], "is running")])
def test_watching_says_every_change_until_it_is_interrupted(
    machine: Machine, words: list[str], ends: str
) -> None:
    argv = [*FLIGHTDECK, "status", "--watch", *words]
    with subprocess.Popen(argv, stdout=subprocess.PIPE, text=True) as watching:
        assert watching.stdout
        first = _told(watching, ends)
        machine.starts(machine.agent(), "s")
        second = _told(watching, ends)
        watching.send_signal(signal.SIGINT)
        assert watching.wait(DEADLINE_S) == 130
    assert ("idle" in first, "idle" in second) == (False, True)


@pytest.mark.parametrize("words", [["--json"], []])
def test_unchanged_fleet_is_said_once(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], words: list[str]
) -> None:
    looks: list[float] = []

    def pause(seconds: float) -> None:
        looks.append(seconds)
        if len(looks) == 3:
            raise KeyboardInterrupt

    monkeypatch.setattr(clock, "pause", pause)
    assert main(["status", "--watch", *words]) == 130
    assert capsys.readouterr().out.count("running") == 1


def _told(watching: subprocess.Popen[str], ends: str) -> str:
    assert watching.stdout
    said = ""
    while not said.rstrip().endswith(ends):
        said += watching.stdout.readline()
    return said


def test_state_folder_that_cannot_be_used_is_told_and_how_to_mend_it(
    machine: Machine, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (machine.home / "file").touch()
    monkeypatch.setenv("FLEET_HOME", str(machine.home / "file" / "fleet"))
    assert main(["status"]) == 1
    assert capsys.readouterr().err == (
        f"flightdeck: cannot use the state folder '{machine.home}/file/fleet': Not a directory\n"
        "  hint: make it writable and free some space, or set FLEET_HOME to another folder\n"
    )


def test_folder_whose_lock_cannot_be_opened_is_told(
    machine: Machine, capsys: pytest.CaptureFixture[str]
) -> None:
    machine.folder.lock.mkdir()
    assert main(["status"]) == 1
    assert "cannot use the state folder" in capsys.readouterr().err


def test_request_says_how_often_it_came_and_who_can_answer_it() -> None:
    asked = PendingView("r1", "Bash", "high", repeats=3, since=90.0, answerable=True)
    odd = PendingView("r2", "", since=95.0)
    _, first, second = status._table([SlotView(0, State.BLOCKED, pending=(asked, odd))], 100.0)
    assert first == "   high Bash \u00d73, 10s, the deck can answer"
    assert second == "   request, 5s, in terminal"


def test_selected_session_is_marked() -> None:
    (line,) = status._table([SlotView(0, State.IDLE, repo="webshop", selected=True)], 0.0)
    assert line.endswith("webshop  [selected]")


def test_verb_that_waits_is_named() -> None:
    (line,) = status._table([SlotView(0, State.WORKING, repo="webshop", queued="test")], 0.0)
    assert line.endswith("webshop  [queued: test]")
