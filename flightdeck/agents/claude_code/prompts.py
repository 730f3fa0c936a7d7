"""A staged verb in the two forms Claude Code takes it: as a hook's answer, and as a typed line.

Source: Claude Code's hooks, "Stop"; the lines are seen at work in tests/real.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

_WAKE = re.compile(r"flightdeck [^\n]*/([0-9a-f]{16})\.md[^\n]*")


def carry_on(prompt: str) -> str:
    """Return what a Stop hook prints so that the turn goes on with `prompt`; no newline."""
    return json.dumps({"decision": "block", "reason": prompt})


def wake_line(label: str, prompt_file: Path) -> str:
    """Return the line that has an agent at rest do what is in `prompt_file`, "" if none does.

    There is a word behind the path: Enter straight after one would only complete it. The
    client takes what is behind a `#` for the number of a line, and a path with a blank ends
    with the next quote: of such a file it would be told the name alone.
    """
    path = str(prompt_file)
    if "#" in path or (" " in path and '"' in path):
        return ""
    path = f'"{path}"' if " " in path else path
    return f"flightdeck {label}: do what @{path} says"


def token_of(prompt: object) -> str:
    """Return the token of the verb a prompt asks to read, "" if it is no such line."""
    found = _WAKE.fullmatch(prompt.strip()) if isinstance(prompt, str) else None
    return found[1] if found else ""
