"""`ports.Judge` over a table: any call in, a judgement out, whatever the call is made of.

Source: risk/README.md, "What a call is judged by".
"""

from __future__ import annotations

import logging
import os
from dataclasses import replace
from typing import TYPE_CHECKING

from flightdeck.model.risk import Judgement, Tier
from flightdeck.risk.evaluate import SHELLS, ShellRules, empty, strongest
from flightdeck.risk.places import Places
from flightdeck.risk.tokens import path_globs
from flightdeck.risk.tools import UNKNOWN, ToolRules

if TYPE_CHECKING:
    from collections.abc import Mapping

    from flightdeck.model.risk import Table
    from flightdeck.model.shell import Script, Span

_log = logging.getLogger(__name__)

_UNREADABLE = "it cannot be read"


class TableJudge:
    """Judges by one table; safe to call from one thread at a time."""

    def __init__(self, table: Table, home: str | None = None) -> None:
        where = os.environ.get("HOME", "") if home is None else home
        places = Places(table.targets, where, path_globs(table.rules))
        self._programs = table.programs
        self._shells = {tool: ShellRules(table, tool, places) for tool in SHELLS}
        self._tools = ToolRules(table, places)

    def __call__(self, tool: str, tool_input: object, cwd: str = "") -> Judgement:
        """Return the tier of a call of `tool`; never raises."""
        try:
            return self._judge(tool, tool_input, cwd)
        except Exception as error:
            _log.warning("a call could not be judged: %s", type(error).__name__)
            return Judgement(Tier.MEDIUM, why=_UNREADABLE)

    def strictly(self, tool: str, tool_input: object, cwd: str = "") -> Judgement:
        """Return the tier of a call, or raise where it cannot be told: for whoever refuses.

        Raises:
            Exception: the call cannot be read, or judging it failed.
        """
        if not isinstance(tool_input, dict):
            raise TypeError(_UNREADABLE)
        if tool in self._shells and not isinstance(tool_input.get("command"), str):
            raise TypeError(_UNREADABLE)
        return self._judge(tool, tool_input, cwd)

    def speaking(self, tool: str, tool_input: object, cwd: str = "") -> frozenset[str]:
        """Return the names of all rules that speak of a call, not only the one that decides."""
        if not isinstance(tool_input, dict):
            return frozenset()
        if tool not in self._shells:
            trips = self._tools.trips(tool, tool_input, cwd)
        else:
            command = tool_input.get("command")
            if not isinstance(command, str):
                return frozenset()
            trips = self._shells[tool].trips(self._parsed(tool, command), cwd)
        return frozenset(trip.rule.name for trip in trips)

    def _judge(self, tool: str, tool_input: object, cwd: str) -> Judgement:
        if not isinstance(tool_input, dict):
            return Judgement(Tier.MEDIUM, why=_UNREADABLE)
        fields: Mapping[str, object] = tool_input
        rules = self._shells.get(tool)
        if rules is None:
            return self._of_tool(tool, fields, cwd)
        command = fields.get("command")
        if not isinstance(command, str) or not command.strip():
            return empty()
        judged = rules.judge(self._parsed(tool, command), cwd)
        return replace(judged, span=_within(judged.span, len(command)))

    def _of_tool(self, tool: str, fields: Mapping[str, object], cwd: str) -> Judgement:
        """Judge a tool by its own rules; a line it would give to a shell can only make it high.

        The client's Monitor runs a command line, and so do tools of servers. Rules of the
        user's own about such a tool are the last word.
        """
        told, line = strongest(self._tools.trips(tool, fields, cwd)), fields.get("command")
        if told and (told.rule.local or told.rule.tier is Tier.HIGH):
            return told.judgement()
        if isinstance(line, str):
            said = self._shells["Bash"].judge(self._parsed("Bash", line), cwd)
            if said.tier is Tier.HIGH:
                return replace(said, span=None)
        return told.judgement() if told else UNKNOWN

    def _parsed(self, tool: str, command: str) -> Script:
        from flightdeck.risk import powershell, script  # noqa: PLC0415 - loads the grammar

        if tool == "PowerShell":
            return powershell.parse(command, lambda text: script.parse(text, self._programs))
        return script.parse(command, self._programs)


def _within(span: Span | None, length: int) -> Span | None:
    """Return the part of a span that lies in a text of this length, None if none does."""
    start, end = span or (0, 0)
    return (start, min(end, length)) if start < min(end, length) else None
