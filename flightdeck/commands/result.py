"""What a command hands back; `cli` is the only place that prints it.

Source: README.md, "Exit codes".
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Mapping
from dataclasses import dataclass


class Exit(enum.IntEnum):
    """Exit codes of every command."""

    DONE = 0
    NO = 1
    USAGE = 2
    UNEXPECTED = 3
    ARMED = 4
    INTERRUPTED = 130


@dataclass(frozen=True, slots=True)
class Result:
    """Lines for standard output, notes for standard error, and the exit code.

    `data`, where given, is printed as one JSON object instead of the lines.
    """

    lines: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    code: Exit = Exit.DONE
    data: Mapping[str, object] | None = None


# A command that runs on says what is now true through this, one line at a time.
Say = Callable[[str], None]
