"""What a fold writes: states, ids and words; never a prompt, a tool input or a result."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from flightdeck.install.snippets import Kind
from flightdeck.model.lifecycle import Reason, State
from flightdeck.model.plan import PanelPlan
from tests.fold.world import view_of

if TYPE_CHECKING:
    from tests.fold.world import Machine

SECRET = "swordfish-7Q"


def rows(machine: Machine) -> list[dict[str, object]]:
    """Return the journal."""
    return [json.loads(line) for line in machine.folder.journal.read_text().splitlines()]


def a_session(machine: Machine, name: str = "s") -> int:
    pid = machine.agent()
    machine.starts(pid, name)
    return pid


def everything(machine: Machine) -> dict[str, bytes]:
    files = (path for path in machine.folder.root.rglob("*") if path.is_file())
    return {str(path): path.read_bytes() for path in files}


def test_no_prompt_tool_input_or_result_is_anywhere_once_folded(machine: Machine) -> None:
    fold, pid = machine.fold(), a_session(machine)
    said: dict[str, dict[str, object]] = {
        "UserPromptSubmit": {"prompt": SECRET},
        "PreToolUse": {"tool_name": "Bash", "tool_input": {"command": SECRET}},
        "PermissionRequest": {"tool_name": "Bash", "tool_input": {SECRET: SECRET}},
        "PostToolUse": {"tool_name": "Bash", "tool_input": SECRET, "tool_response": SECRET},
        "Notification": {"notification_type": "permission_prompt", "message": SECRET},
        "Elicitation": {"mcp_server_name": "srv", "message": SECRET},
        "Stop": {"last_assistant_message": SECRET, "background_tasks": [{"command": SECRET}]},
        "StopFailure": {"error": "rate_limit", "error_details": SECRET},
    }
    for event, payload in said.items():
        machine.says(pid, event, session_id="s", **payload)
        machine.spool(pid, event, b'{"torn": "' + SECRET.encode())
        machine.step(fold)
        assert [p for p, data in everything(machine).items() if SECRET.encode() in data] == []


def test_journal_tells_every_change_of_state_once(machine: Machine) -> None:
    fold, pid = machine.fold(), a_session(machine)
    for event in ("UserPromptSubmit", "PreToolUse", "Stop"):
        machine.says(pid, event, session_id="s")
        machine.step(fold)
    machine.kill(pid)
    machine.step(fold)
    assert [(row["from_state"], row["state"]) for row in rows(machine)] == [
        ("empty", "working"),
        ("working", "done"),
        ("done", "empty"),
    ]


def test_journal_tells_an_end_once_though_the_process_outlives_it(machine: Machine) -> None:
    fold, pid = machine.fold(), a_session(machine)
    machine.step(fold)
    machine.says(pid, "SessionEnd", session_id="s", reason="other")
    machine.step(fold)
    machine.kill(pid)
    machine.step(fold)
    assert [(row["from_state"], row["state"]) for row in rows(machine)][1:] == [("idle", "empty")]


def test_journal_row_holds_ids_and_words_only(machine: Machine) -> None:
    pid = a_session(machine)
    machine.says(pid, "StopFailure", session_id="s", error="rate_limit")
    outcome = machine.step(machine.fold())
    assert rows(machine) == [
        {
            "time": round(machine.now, 3),
            "key": view_of(outcome, 0).key,
            "session_id": "s",
            "slot": 0,
            "from_state": "empty",
            "state": "failed",
            "reason": None,
            "how": "hook",
            "error": "rate_limit",
            "pid": pid,
            "agent": "claude-code",
        }
    ]


def test_plan_without_a_journal_keeps_none(machine: Machine) -> None:
    a_session(machine)
    machine.step(machine.fold(PanelPlan(journal_bytes=0)))
    assert not machine.folder.journal.exists()


def test_guard_stands_exactly_while_a_tool_call_would_be_news(machine: Machine) -> None:
    fold, pid = machine.fold(), a_session(machine)
    guard = machine.folder.blocked / "s"
    seen = []
    for event in ("UserPromptSubmit", "PermissionRequest", "PostToolUse", "Stop", "SessionEnd"):
        machine.says(pid, event, session_id="s", tool_name="Bash", tool_input={})
        machine.step(fold)
        seen.append(guard.exists())
    assert seen == [False, True, False, True, False]


def test_guard_stands_while_background_work_may_wake_an_agent_without_a_record(
    machine: Machine,
) -> None:
    fold, pid = machine.fold(), a_session(machine)
    machine.says(pid, "Stop", session_id="s", background_tasks=[{"type": "shell"}])
    outcome = machine.step(fold)
    assert view_of(outcome, 0).reason is Reason.BACKGROUND
    assert (machine.folder.blocked / "s").exists()
    machine.records(pid, "s", "shell")
    machine.step(fold)
    assert not (machine.folder.blocked / "s").exists()


@pytest.mark.parametrize("shell", ["/bin/dash", "/bin/bash"])
def test_real_hook_in_a_real_shell_reaches_its_key(machine: Machine, shell: str) -> None:
    pid = machine.agent()
    body = b'{"session_id": "s", "hook_event_name": "UserPromptSubmit", "prompt": "x"}\n'
    assert machine.hook(Kind.SPOOL, "UserPromptSubmit", shell, body, pid) == 0
    assert view_of(machine.step(machine.fold()), 0).state is State.WORKING
