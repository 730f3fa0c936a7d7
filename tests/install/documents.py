"""Settings files and commands for the tests of `install`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

OURS = "new # flightdeck:1:spool"
OLDER = "old # flightdeck:0:spool"
WAITING = "wait # flightdeck:1:wait"
WANTED = {"Stop": OURS, "SessionStart": "start # flightdeck:1:spool"}
FILE = "/cfg/settings.json"


def a_group(*commands: str, **more: object) -> dict[str, object]:
    """Return a group of commands, with a matcher or whatever else it should carry."""
    return {**more, "hooks": [{"type": "command", "command": command} for command in commands]}


def a_file(hooks: Mapping[str, object] | None = None, **more: object) -> str:
    """Return the text of a settings file, indented by two."""
    parts = dict(more) if hooks is None else {**more, "hooks": hooks}
    return json.dumps(parts, indent=2, ensure_ascii=False) + "\n"


def hooks_of(text: str) -> dict[str, list[object]]:
    """Return what stands under `hooks`."""
    found: dict[str, list[object]] = json.loads(text).get("hooks", {})
    return found
