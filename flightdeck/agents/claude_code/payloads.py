"""A hook payload of Claude Code as signals.

Payloads come from another program: every field is checked, anything odd is dropped,
nothing here raises. Prompts and tool input are looked at and never kept; what a
permission request offers to write down is kept as it came.

Source: Claude Code 2.1.332's hook payloads as recorded in tests/agents/payloads.
"""

from __future__ import annotations

import hashlib
import json
import logging
import re
from typing import TYPE_CHECKING

from flightdeck.agents.claude_code.prompts import token_of
from flightdeck.model.lifecycle import Reason
from flightdeck.model.risk import Judgement, Tier
from flightdeck.model.signal import Facts, Kind, Signal

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from flightdeck.model.event import Event
    from flightdeck.ports import Judge

_LOG = logging.getLogger(__name__)
_IDENT = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,127}")
_WORD = re.compile(r"[A-Za-z0-9_.:@-]{1,80}")
_PATH = re.compile(r"/[^\0\ud800-\udfff]{0,4095}")
# Far more than the client was ever seen to suggest; a record holds it while it waits.
_SUGGESTED_BYTES = 16 * 1024
_WAKE = "<task-notification>"
_TOKEN = re.compile(r"[0-9a-f]{16}")
# Types of background work whose end the registry record shows; of others it may not know.
_IN_REGISTRY = frozenset({"shell", "subagent"})
# Calls that may run beside others of their thread; all the rest run alone.
_SIDE_BY_SIDE = frozenset({"Read", "Glob", "Grep", "LS", "WebFetch", "WebSearch", "Agent", "Task"})
_ASKS_FOR = {"AskUserQuestion": Reason.QUESTION, "ExitPlanMode": Reason.PLAN}
_NUDGES = {
    "permission_prompt": Reason.PERMISSION,
    "elicitation_dialog": Reason.INPUT,
    "agent_needs_input": Reason.INPUT,
}


def signals(event: Event, judge: Judge | None = None) -> list[Signal]:
    """Return what `event` says, oldest first; an event that says nothing gives none.

    `judge` tells the tier of a call that asks; without one it has none.
    """
    if event.name == "PermissionRequest":
        return _asked(event, judge)
    rule = _RULES.get(event.name)
    return [] if rule is None else rule(event)


def ident(value: object) -> str:
    """Return `value` if it may become a file name, else ""."""
    return value if isinstance(value, str) and _IDENT.fullmatch(value) else ""


def absolute_path(payload: Mapping[str, object], key: str) -> str:
    """Return the absolute path under `key`, "" if it is none."""
    value = payload.get(key)
    return value if isinstance(value, str) and _PATH.fullmatch(value) else ""


def _word(payload: Mapping[str, object], key: str) -> str:
    value = payload.get(key)
    return value if isinstance(value, str) and _WORD.fullmatch(value) else ""


def _facts(event: Event, cwd: str = "") -> Facts:
    payload = event.payload
    title = payload.get("session_title")
    return Facts(
        session_id=ident(payload.get("session_id")),
        cwd=cwd or absolute_path(payload, "cwd"),
        title=title[:200] if isinstance(title, str) else None,
        permission_mode=_word(payload, "permission_mode"),
        transcript=absolute_path(payload, "transcript_path"),
        place=event.place if event.place.kind != "unknown" else None,
        entrypoint=event.entrypoint,
    )


def _signal(event: Event, kind: Kind, **more: object) -> list[Signal]:
    facts = _facts(event)
    return [Signal(kind, event.at, facts, event=event.name, request_id=event.ident, **more)]  # type: ignore[arg-type]


def _started(event: Event) -> list[Signal]:
    """`compact` starts nothing: it also comes in the middle of a turn."""
    if event.payload.get("source") == "compact":
        return _signal(event, Kind.COMPACTED)
    return _signal(event, Kind.STARTED)


def _ended(event: Event) -> list[Signal]:
    """After `clear` and `resume` the process lives on under another session id."""
    lives_on = _word(event.payload, "reason") in {"clear", "resume"}
    return _signal(event, Kind.LEFT if lives_on else Kind.CLOSED)


def _prompt(event: Event) -> list[Signal]:
    prompt = event.payload.get("prompt")
    if isinstance(prompt, str) and prompt.startswith(_WAKE):
        return _signal(event, Kind.WOKEN)
    return _signal(event, Kind.PROMPTED, token=token_of(prompt))


def _tool(event: Event, kind: Kind, **more: object) -> list[Signal]:
    tool = _word(event.payload, "tool_name")
    return _signal(
        event,
        kind,
        thread=ident(event.payload.get("agent_id")),
        tool=tool,
        fingerprint=_fingerprint(event.payload.get("tool_input")),
        alone=tool not in _SIDE_BY_SIDE and not tool.startswith("mcp__"),
        **more,
    )


def _asked(event: Event, judge: Judge | None) -> list[Signal]:
    tool = _word(event.payload, "tool_name")
    judged = _judged(event, tool, judge)
    return _tool(
        event,
        Kind.ASKED,
        reason=_ASKS_FOR.get(tool, Reason.PERMISSION),
        tier=judged.tier.value if judged else "",
        rule=judged.rule if judged else "",
        suggestions=_suggestions(event.payload.get("permission_suggestions")),
    )


def _judged(event: Event, tool: str, judge: Judge | None) -> Judgement | None:
    """Return what the judge says of the call; one that fails must not lose the request."""
    if judge is None:
        return None
    try:
        return judge(tool, event.payload.get("tool_input"), absolute_path(event.payload, "cwd"))
    except Exception as error:
        _LOG.error("call of event %s not judged: %s", event.ident, type(error).__name__)
        return Judgement(Tier.MEDIUM)


def _suggestions(value: object) -> str:
    """Return the suggestions as JSON, "" where there are none, or too many to keep."""
    if not isinstance(value, list) or not value:
        return ""
    try:
        text = json.dumps(value)
    except RecursionError:
        return ""
    return text if len(text) <= _SUGGESTED_BYTES else ""


def _fingerprint(tool_input: object) -> str:
    """Tell one tool input from another without keeping it; "" for one nested too deeply."""
    try:
        text = json.dumps(tool_input, sort_keys=True, ensure_ascii=True)
    except RecursionError:
        return ""
    return hashlib.blake2b(text.encode(), digest_size=8).hexdigest()


def _notified(event: Event) -> list[Signal]:
    reason = _NUDGES.get(_word(event.payload, "notification_type"))
    return [] if reason is None else _signal(event, Kind.NUDGED, reason=reason)


def _stopped(event: Event) -> list[Signal]:
    tasks = event.payload.get("background_tasks")
    kinds = {_type_of(task) for task in tasks} if isinstance(tasks, list) else set()
    kinds.discard("")
    return _signal(event, Kind.TURN_ENDED, running=bool(kinds), untold=not kinds <= _IN_REGISTRY)


def _drained(event: Event) -> list[Signal]:
    """A Stop in which the hook had a verb to hand over: the turn goes on with it."""
    token = event.about if _TOKEN.fullmatch(event.about) else ""
    return _signal(event, Kind.DELIVERED, token=token)


def _type_of(task: object) -> str:
    """Return the type of a background task, "" for one that is over."""
    if not isinstance(task, dict):
        return "unknown"
    if _word(task, "status") in {"completed", "failed", "killed", "stopped"}:
        return ""
    return _word(task, "type") or "unknown"


def _failed(event: Event) -> list[Signal]:
    return _signal(event, Kind.TURN_FAILED, error=_word(event.payload, "error") or "unknown")


def _subagent_ended(event: Event) -> list[Signal]:
    """Internal forks, as compaction makes them, have no type and are nobody's agent."""
    if not event.payload.get("agent_type"):
        return []
    return _signal(event, Kind.SUBAGENT_ENDED, thread=ident(event.payload.get("agent_id")))


def _elicitation(event: Event, kind: Kind) -> list[Signal]:
    server = "mcp:" + _word(event.payload, "mcp_server_name")
    return _signal(
        event,
        kind,
        thread=ident(event.payload.get("agent_id")),
        tool=server,
        reason=Reason.INPUT if kind is Kind.ASKED else None,
    )


def _moved(event: Event) -> list[Signal]:
    facts = _facts(event, cwd=absolute_path(event.payload, "new_cwd"))
    thread = ident(event.payload.get("agent_id"))
    return [Signal(Kind.MOVED, event.at, facts, event.name, event.ident, thread=thread)]


_RULES: dict[str, Callable[[Event], list[Signal]]] = {
    "SessionStart": _started,
    "SessionEnd": _ended,
    "UserPromptSubmit": _prompt,
    "PreToolUse": lambda e: _tool(e, Kind.TOOL_STARTED),
    "PostToolUse": lambda e: _tool(e, Kind.TOOL_ENDED),
    "PostToolUseFailure": lambda e: _tool(e, Kind.TOOL_ENDED),
    "Notification": _notified,
    "Stop": _stopped,
    "Drained": _drained,
    "StopFailure": _failed,
    "SubagentStop": _subagent_ended,
    "PreCompact": lambda e: _signal(e, Kind.COMPACTING),
    "PostCompact": lambda e: _signal(e, Kind.COMPACTED),
    "Elicitation": lambda e: _elicitation(e, Kind.ASKED),
    "ElicitationResult": lambda e: _elicitation(e, Kind.ANSWERED),
    "CwdChanged": _moved,
}
