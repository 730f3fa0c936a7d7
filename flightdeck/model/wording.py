"""What is said of a request: on a key, in a terminal, and to the agent that is told no.

Words only, no rule. Nothing here has a tool's input, so nothing here can show it.

Source: README.md, "Row 3: verdicts"; how Claude Code takes a denial of a question or a
plan: its hooks, "PermissionRequest", and anthropics/claude-code#81976.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from flightdeck.model.layout import Action, SteerBinding
from flightdeck.model.lifecycle import Reason

if TYPE_CHECKING:
    from collections.abc import Iterable

    from flightdeck.model.ask import Ask
    from flightdeck.model.layout import VerdictBinding

CONFIRM = "CONFIRM?"
# Longer lines, or more of them, are not told apart on the smallest key.
LINE_CHARS, MOST_LINES = 16, 5
# Their answer is a choice that only the terminal can make.
CHOICES = {Reason.QUESTION: "question", Reason.PLAN: "plan"}

DENIED = "The operator refused this call. Do not try it again in another form; say what you need."
INTERRUPTED = "The operator stopped this turn."
DENIALS = {
    Reason.QUESTION: (
        "The operator has not answered this question. Choose nothing in their name: "
        "wait for their next message."
    ),
    Reason.PLAN: (
        "The operator has not approved this plan. Stay in plan mode, change nothing, "
        "and wait for their next message."
    ),
}
_DEEDS = {
    Action.APPROVE: "approve",
    Action.REMEMBER: "approve",
    Action.DENY: "deny",
    Action.INTERRUPT: "deny",
}


def legible(lines: Iterable[str]) -> bool:
    """Say whether a key can show these lines whole."""
    told = tuple(lines)
    return len(told) <= MOST_LINES and all(len(line) <= LINE_CHARS for line in told)


def whole(text: str) -> list[str]:
    """Return all of `text` in lines of a key, broken after a mark where there is one."""
    lines = []
    while len(text) > LINE_CHARS:
        marks = (i for i in range(LINE_CHARS, 0, -1) if not text[i - 1].isalnum())
        at = next(marks, LINE_CHARS)
        lines.append(text[:at])
        text = text[at:]
    return [*lines, text]


def joined(lines: Iterable[str]) -> str:
    """Return what was broken into lines as it was: after a letter a line's end is a blank."""
    told = ""
    for line in lines:
        told += f" {line}" if told[-1:].isalnum() else line
    return told


def who(ask: Ask) -> tuple[str, ...]:
    """Return the label of the session that asks, in lines for a key."""
    return tuple(short(line) for line in ask.label if line) or (short(ask.agent),)


def tool(ask: Ask) -> str:
    """Return what wants to run, without the server an MCP tool comes from."""
    return ask.tool.rsplit("__", 1)[-1] or ask.tool


def call(ask: Ask) -> str:
    """Return the call in one line for a key: how dangerous, then which tool, or the choice."""
    choice = CHOICES.get(ask.reason)
    if choice:
        return choice.upper()
    times = f" \u00d7{ask.repeats}" if ask.repeats > 1 else ""
    # The count and the tier are said whole, so it is the tool that gives way.
    room = LINE_CHARS - len(times) - len(ask.tier) - 1
    return f"{ask.tier} {short(tool(ask), room)}{times}".strip()


def short(text: str, most: int = LINE_CHARS) -> str:
    """Return `text` cut to `most` characters, with a mark where it was cut."""
    return text if len(text) <= most else text[: max(0, most - 1)] + "\u2026"


def sentence(ask: Ask) -> str:
    """Return the request in words for a terminal or a screen reader."""
    session = " ".join(line for line in ask.label if line) or ask.agent
    if choice := CHOICES.get(ask.reason):
        return f"the {choice} of {session}"
    times = f", asked {ask.repeats} times" if ask.repeats > 1 else ""
    tier = f" ({ask.tier})" if ask.tier else ""
    return f"{ask.tool or 'a call'}{tier} of {session}{times}"


def deed(binding: VerdictBinding | SteerBinding, ask: Ask) -> str:
    """Return what a press of `binding` does to `ask`, in words for a terminal."""
    if isinstance(binding, SteerBinding):
        return f"deny {sentence(ask)} and say: {binding.verb.label}"
    told = f"{_DEEDS.get(binding.action, 'look at')} {sentence(ask)}"
    if binding.action is Action.INTERRUPT and ask.reason not in CHOICES:
        return f"{told} and end its turn"
    if binding.action is Action.REMEMBER:
        return f"{told} and write down {joined(ask.grant.what)} for {ask.grant.where}"
    return told
