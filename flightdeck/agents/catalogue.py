"""The agent kinds there are; a new one is a module and a line here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flightdeck.agents.claude_code.kind import ClaudeCode

if TYPE_CHECKING:
    from flightdeck.ports import AgentKind


def agent_kinds() -> dict[str, AgentKind]:
    """Return every agent kind by its name, ready to be asked."""
    kinds: list[AgentKind] = [ClaudeCode()]
    return {kind.name: kind for kind in kinds}
