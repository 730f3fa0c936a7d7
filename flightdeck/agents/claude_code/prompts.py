"""A staged verb in the two forms Claude Code takes it: as a hook's answer, and as a typed line.

What is typed does not always reach the prompt: in shell mode it is run, in a search it is
sought, behind a draft it is the end of something else. So the screen is read before Enter.

Source: Claude Code's hooks, "Stop"; the lines are seen at work in tests/real.
"""

from __future__ import annotations

import json
import re
from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

# The box has a rule above and below, or a frame; its prompt begins with a mark of its own.
_EDGES = ("───", "╭──", "╰──")
_MARKS = ("\u276f", ">")
_WAKE = re.compile(r"flightdeck [^\n]*/([0-9a-f]{16})\.md[^\n]*")


def carry_on(prompt: str) -> str:
    """Return what a Stop hook prints so that the turn goes on with `prompt`; no newline."""
    return json.dumps({"decision": "block", "reason": prompt})


def wake_line(label: str, prompt_file: Path) -> str:
    """Return the line that has an agent at rest do what is in `prompt_file`.

    There is a word behind the path: Enter straight after one would only complete it.
    """
    path = f'"{prompt_file}"' if " " in str(prompt_file) else prompt_file
    return f"flightdeck {label}: do what @{path} says"


def took(screen: str, line: str) -> bool:
    """Say whether a screen shows the prompt with this line in it, once and nothing else.

    Where the rows of a narrow window break it, and how, does not matter.
    """
    rows = [row.strip() for row in screen.splitlines()]
    whole = _squeezed(line)
    if _squeezed(screen).replace("│", "").count(whole) != 1:
        return False
    edges = [number for number, row in enumerate(rows) if row.startswith(_EDGES)]
    boxes = ("".join(row.strip("│") for row in rows[a + 1 : b]) for a, b in pairwise(edges))
    return any(_squeezed(box) in {mark + whole for mark in _MARKS} for box in boxes)


def token_of(prompt: object) -> str:
    """Return the token of the verb a prompt asks to read, "" if it is no such line."""
    found = _WAKE.fullmatch(prompt.strip()) if isinstance(prompt, str) else None
    return found[1] if found else ""


def _squeezed(text: str) -> str:
    return "".join(text.split())
