"""The agent kinds there are; a new one is a module and a line here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flightdeck.agents.claude_code.kind import ClaudeCode

if TYPE_CHECKING:
    from flightdeck.ports import AgentKind, Judge


def agent_kinds(judge: Judge | None = None) -> dict[str, AgentKind]:
    """Return every agent kind by its name, ready to be asked; `judge` tells tiers of calls."""
    kinds: list[AgentKind] = [ClaudeCode(judge=judge)]
    return {kind.name: kind for kind in kinds}
