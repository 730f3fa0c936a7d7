"""What may be typed into somebody's window: single keys, and one line at a time.

A line that held a line end, an escape or any other control character could press keys,
or end a paste early, so none of these is ever sent.

Source: xterm's control sequences, "Bracketed Paste Mode"; readline(3), the keys' names.
"""

from __future__ import annotations

import enum

LONGEST_LINE = 1000


class Key(enum.Enum):
    """A key that is pressed by itself; the value is the character it sends."""

    ENTER = "\r"
    ESCAPE = "\x1b"
    STASH = "\x13"
    ERASE = "\x15"


def must_be_one_line(line: str) -> None:
    """Refuse what is not one line of printable characters.

    Raises:
        ValueError: it is empty, longer than 1000 characters, or holds a character that
            is not printed: control and format characters, every space but the plain one.
    """
    if not 0 < len(line) <= LONGEST_LINE:
        raise ValueError(f"{len(line)} characters are not one line")
    if not line.isprintable():
        raise ValueError("a line holds printable characters only")
