"""A decision as Claude Code's permission hook prints it.

Anything else a hook prints leaves the dialog in place, so nothing else is ever made here.

Source: Claude Code's hooks, "PermissionRequest"; the recorded outputs in
tests/agents/payloads.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from flightdeck.model.decision import Decision


def line(decision: Decision) -> str:
    """Return the one line of JSON that tells the client, without a newline.

    Raises:
        ValueError: `permissions` is no list in JSON; nothing may be printed then.
    """
    told: dict[str, Any]
    if decision.allow:
        told = {"behavior": "allow"}
        if decision.permissions:
            told["updatedPermissions"] = _suggestion(decision.permissions)
    else:
        told = {"behavior": "deny", "message": decision.message}
        if decision.interrupt:
            told["interrupt"] = True
    output = {"hookEventName": "PermissionRequest", "decision": told}
    return json.dumps({"hookSpecificOutput": output})


def _suggestion(permissions: str) -> list[Any]:
    """Return the client's own suggestion as it came."""
    suggestion = json.loads(permissions)
    if not isinstance(suggestion, list):
        raise ValueError("permissions are no list")  # noqa: TRY004 - one error for all
    return suggestion
