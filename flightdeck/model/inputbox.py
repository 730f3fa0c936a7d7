"""The box an agent takes its next prompt from, as its window shows it.

A line goes out as it was meant only where the box holds it and nothing else: a draft would
be sent with it, and in shell mode the line would be run. Knows no agent's screen; an
`AgentKind` reads that.

Source: verbs/README.md, "How a verb gets there".
"""

from __future__ import annotations

import enum
from dataclasses import dataclass

# Columns beside the text in a box, and rows around it: two rules, what is said above and
# below, and one more, as words may be broken early.
_MARGIN, _AROUND = 4, 5


class Mode(enum.Enum):
    """What becomes of a line that is submitted."""

    PLAIN = "plain"
    SHELL = "shell"
    # Another view of the agent's own stands before the box; one Esc leaves it.
    COVERED = "covered"


@dataclass(frozen=True, slots=True)
class Box:
    """An input box; `text` is what stands in it, row by row as shown.

    A row may end where the window broke it or where the writer did. `stashed` says that a
    draft is kept elsewhere, and comes back once something has been submitted; also where
    that may be so and cannot be seen.
    """

    mode: Mode = Mode.PLAIN
    text: str = ""
    stashed: bool = False

    @property
    def empty(self) -> bool:
        """Whether nothing is seen in it."""
        return not self.text


def holds(box: Box, line: str) -> bool:
    """Say whether submitting the box sends `line`: exactly that, and as a prompt."""
    return box.mode is Mode.PLAIN and bool(line) and _shown(box.text, line) == len(line)


def begins(box: Box, line: str) -> bool:
    """Say whether the box holds the beginning of `line` and nothing else: the rest was erased.

    A blank that is left at the end may have a row of its own.
    """
    return box.mode is Mode.PLAIN and _shown(box.text.rstrip(" \n"), line) is not None


def has_room(screen: str, line: str) -> bool:
    """Say whether a window that shows `screen` is large enough for a box with all of `line`.

    What is not seen whole is not submitted, and would be left in the box. An agent draws a
    rule over its whole width, so the widest row tells how wide the window is.
    """
    rows = screen.removesuffix("\n").split("\n")
    width = max(1, max(map(len, rows)) - _MARGIN)
    return len(rows) >= -(-len(line) // width) + _AROUND


def _shown(text: str, line: str) -> int | None:
    """Return how many characters of `line` the rows of `text` show; None: they show others too.

    A window that breaks a line between words may drop the blank there. It makes no empty row.
    """
    at = 0
    for number, row in enumerate(text.split("\n") if text else ()):
        if number and not line.startswith(row, at):
            at = len(line) - len(line[at:].lstrip(" "))
        if not row.strip() or not line.startswith(row, at):
            return None
        at += len(row)
    return at
