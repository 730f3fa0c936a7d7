"""What stands against a tool call of a gated session: its tier, or that nobody can tell it.

Stricter than the judge of the panel, which only words a prompt: a call, a rule file or a
folder that cannot be read is an objection here, never a guess.

Source: README.md, "GATE".
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from flightdeck.fold.judging import compile_rules
from flightdeck.model.risk import Tier
from flightdeck.store import latch

if TYPE_CHECKING:
    from flightdeck.agents.claude_code.calls import Call
    from flightdeck.store.paths import StateFolder

HALTED = "HALT is set"


def objection(folder: StateFolder, call: Call) -> str:
    """Return why `call` may not pass, in words for the agent; "" if it may.

    The words name rules and files, never what the call holds.
    """
    if latch.stands(folder):
        return HALTED
    if unreadable := _unreadable(folder):
        return unreadable
    rules = compile_rules(folder)
    if rules.problems:
        first = min(rules.problems)
        return f"the risk rules cannot be relied on: {first.location}: {first.message}"
    from flightdeck.risk.judge import TableJudge  # noqa: PLC0415 - a broken file needs none

    judged = TableJudge(rules.table).strictly(call.tool, call.given, call.cwd)
    if judged.tier is not Tier.HIGH:
        return ""
    rule = f" (rule {judged.rule})" if judged.rule else ""
    return f"the call is high risk: {judged.why}{rule}"


def _unreadable(folder: StateFolder) -> str:
    """A folder of rules that may not be listed would look like one without any."""
    try:
        os.listdir(folder.risk)  # noqa: PTH208 - only whether it can be
    except FileNotFoundError:
        return ""
    except OSError as error:
        return f"the risk rules in '{folder.risk}' cannot be read: {error.strerror}"
    return ""
