"""The errors a person may see, and where in a file they belong.

Knows nothing of flightdeck: every other module may import this one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True, slots=True, order=True)
class Location:
    """A place in a text file; line and column count from 1, 0 means the whole file."""

    file: str
    line: int = 0
    column: int = 0

    def __str__(self) -> str:
        if not self.line:
            return self.file
        return f"{self.file}:{self.line}:{self.column or 1}"


@dataclass(frozen=True, slots=True, order=True)
class Problem:
    """One fault in a file somebody wrote.

    `message` is lower case without a full stop; `hint` is an edit or a command;
    `source` is the offending line as it stands in the file, `width` how many
    characters of it, from the location's column, are at fault.
    """

    location: Location
    message: str
    hint: str = ""
    source: str = ""
    width: int = 1


class FlightdeckError(Exception):
    """Something a person can mend; `hint` says how."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class ConfigError(FlightdeckError):
    """Files people wrote have faults; every one of them is in `problems`."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        super().__init__(f"{len(problems)} problem{'s' if len(problems) != 1 else ''}")
        self.problems = tuple(sorted(problems))


class Refused(FlightdeckError):
    """A guard said no, and nothing was done."""


class Unavailable(FlightdeckError):
    """A part outside this process is not there: a deck unplugged, a window closed."""


class Gone(Unavailable):
    """What was asked for no longer exists and will not come back: a closed pane."""
