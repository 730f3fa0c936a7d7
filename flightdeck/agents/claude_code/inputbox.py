"""Where Claude Code's input box is on its screen, and what stands in it.

The client documents nothing of this, so whatever does not look exactly like the box is none:
a dialog, another program. Two views of its own are known by their last row, the search in its
history and its transcript: they cover the box while the client is at rest.

Source: Claude Code 2.1.332; its screens are recorded in tests/agents/screens.
"""

from __future__ import annotations

import re
from itertools import takewhile
from typing import TYPE_CHECKING

from flightdeck.model.inputbox import Box, Mode

if TYPE_CHECKING:
    from collections.abc import Sequence

# The box is between two rules; the upper one may hold the title of the session.
_UPPER = re.compile(r"─{2,}(?: [^─].* ─+)?")
_LOWER = re.compile(r"─{10,}")
# A mark and a no-break space. With an ordinary one it is a prompt of the conversation, or the
# box of the list of agents, where a line would start another session.
_FIRST = re.compile(r"([\u276f!])\u00a0(.*)")
_MODES = {"\u276f": Mode.PLAIN, "!": Mode.SHELL}
_INDENT = "  "
_COVERED = re.compile(r"  Showing detailed transcript\b.*|  .*\bctrl\+s to change scope\b.*")
# Said at the right end of a row above the box while the client keeps a draft.
_STASHED = "draft stashed"
_ABOVE = 2
_EDGE = 4
_CHOSEN = re.compile(r"  \u276f ")
# What the client itself writes into an empty box, faintly; typing makes it go. What it
# proposes as the next prompt looks the same, but is no text known beforehand.
_GHOST = re.compile(
    r"Try \"[^\"]*\""
    r"|Press up to (?:edit queued messages|select a queued message).*"
    r"|Press Enter to edit the selected message, or up again .*"
    r"|Taking your message back…"
)


def read(screen: str) -> Box | None:
    """Return the box on a screen without colours, None where there is none to be sure of."""
    rows = [row.rstrip(" \r") for row in screen.split("\n")]
    if _COVERED.fullmatch(next(filter(None, reversed(rows)), "")):
        return Box(Mode.COVERED)
    for top in range(len(rows) - 2, -1, -1):
        first = _FIRST.fullmatch(rows[top + 1])
        if first is not None and _UPPER.fullmatch(rows[top]):
            text = _text(first[2], rows[top + 2 :], len(rows[top]))
            if text is None:
                return None
            return Box(_MODES[first[1]], text, _stashed(rows[:top], text, len(rows[top])))
    return None


def _text(first: str, below: Sequence[str], width: int) -> str | None:
    """Return what stands in the box, None if it has no lower rule or a row is not its own."""
    rows = [first]
    for row in below:
        if _LOWER.fullmatch(row) and len(row) <= width:
            text = "\n".join(rows)
            return "" if _GHOST.fullmatch(text.replace("\n", " ")) else text
        if row and not row.startswith(_INDENT):
            return None
        rows.append(row.removeprefix(_INDENT))
    return None


def _stashed(above: Sequence[str], text: str, width: int) -> bool:
    """Say whether the client keeps a draft, or whether that cannot be told.

    A list of what could be completed takes the place of what is said there, and there is
    none without a text. What is said is one row, which ends at the right end.
    """
    if any(row.endswith(_STASHED) for row in above[-_ABOVE:]):
        return True
    block = list(takewhile(bool, reversed(above)))
    said = len(block) == 1 and len(block[0]) >= width - _EDGE and not _CHOSEN.match(block[0])
    return bool(text and block) and not said
