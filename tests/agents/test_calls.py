"""A tool call before it runs, as the client tells it, and the refusal it understands."""

from __future__ import annotations

import json

import pytest

from flightdeck.agents.claude_code.calls import Call, call_of, refusal
from tests.agents.recorded import recorded


@pytest.mark.parametrize(
    "name", ["PreToolUse-Bash", "PreToolUse-Edit", "PreToolUse-bypassPermissions"]
)
def test_recorded_call_is_read(name: str) -> None:
    told = recorded(name)
    assert call_of(json.dumps(told).encode()) == Call(
        told["tool_name"], told["tool_input"], told["cwd"]
    )


def test_folder_that_is_none_is_left_out() -> None:
    assert call_of(b'{"tool_name": "Bash", "tool_input": {}, "cwd": "app"}').cwd == ""


@pytest.mark.parametrize(
    "payload",
    [
        b"",
        b"\n",
        b"[]",
        b"null",
        b"{",
        b"{}",
        b'{"tool_name": "Bash"}',
        b'{"tool_name": "", "tool_input": {}}',
        b'{"tool_name": 7, "tool_input": {}}',
        b'{"tool_name": "Bash", "tool_input": "rm"}',
        b'{"tool_name": "Bash", "tool_input": ' + b"[" * 100_000,
    ],
)
def test_what_tells_of_no_call_is_an_error(payload: bytes) -> None:
    with pytest.raises(ValueError, match=r".+"):
        call_of(payload)


def test_refusal_is_one_line_in_the_form_the_hook_lets_through() -> None:
    line = refusal("PreToolUse", 'no, "never"\nat all')
    assert "\n" not in line
    start = '{"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "deny", '
    assert line.startswith(start)
    assert json.loads(line)["hookSpecificOutput"]["permissionDecisionReason"].endswith("at all")
