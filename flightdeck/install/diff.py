"""A change as a unified diff, for people and for `--json`.

Pure.
"""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from flightdeck.install.target import Change

_COLOURS = {"+": "\x1b[32m", "-": "\x1b[31m", "@": "\x1b[36m"}
_PLAIN = "\x1b[0m"


def render_diff(change: Change, *, colour: bool = False) -> list[str]:
    """Return the lines of a unified diff; no file is `/dev/null`, as in git."""
    lines = difflib.unified_diff(
        _lines(change.before),
        _lines(change.after),
        "/dev/null" if change.before is None else str(change.file),
        "/dev/null" if change.after is None else str(change.file),
        lineterm="",
    )
    return [_painted(_visible(line)) if colour else _visible(line) for line in lines]


def _lines(content: bytes | None) -> list[str]:
    if not content:
        return []
    lines = content.decode("utf-8", "replace").split("\n")
    return lines[:-1] if lines[-1] == "" else [*lines[:-1], f"{lines[-1]} (no newline at the end)"]


def _visible(line: str) -> str:
    """Somebody's file must not be able to move the cursor of the terminal it is shown on."""
    text = line.removesuffix("\r")
    return "".join(c if c.isprintable() or c == "\t" else ascii(c)[1:-1] for c in text)


def _painted(line: str) -> str:
    colour = _COLOURS.get(line[:1])
    return f"{colour}{line}{_PLAIN}" if colour else line
