"""A tool call as Claude Code tells it before it runs, and how one is refused.

Source: Claude Code's hooks, "PreToolUse" and "PreSkillShellCommand"; the recorded
payloads in tests/agents/payloads.
"""

from __future__ import annotations

import json
from dataclasses import dataclass

from flightdeck.agents.claude_code.payloads import absolute_path


@dataclass(frozen=True, slots=True)
class Call:
    """A tool, what it is `given`, and the folder it would run in, "" where that is not told."""

    tool: str
    given: object
    cwd: str


def call_of(payload: bytes) -> Call:
    """Return the call a hook was told of.

    Raises:
        ValueError: it tells of none.
    """
    try:
        told = json.loads(payload.decode(errors="surrogateescape"))
    except RecursionError as error:
        raise ValueError("nested too deeply") from error
    if not isinstance(told, dict):
        raise ValueError("not an object")  # noqa: TRY004 - one error for all
    tool, given = told.get("tool_name"), told.get("tool_input")
    if not isinstance(tool, str) or not tool or not isinstance(given, dict):
        raise ValueError("no tool, or no input")
    return Call(tool, given, absolute_path(told, "cwd"))


def refusal(event: str, reason: str) -> str:
    """Return the line that refuses a call, without a newline; `reason` is for the agent."""
    output = {
        "hookEventName": event,
        "permissionDecision": "deny",
        "permissionDecisionReason": reason,
    }
    return json.dumps({"hookSpecificOutput": output})
