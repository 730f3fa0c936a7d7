"""A command that is unwrapped is kept as an invocation of its line.

Source: risk/README.md.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from flightdeck.model.shell import Invocation
from flightdeck.risk import feeds
from flightdeck.risk.fetched import naming
from flightdeck.risk.reading import base_name

if TYPE_CHECKING:
    from flightdeck.risk.line import Command, Line

_GLOB = re.compile(r"[*?[]")


def alone(line: Line, command: Command) -> None:
    """Keep what is set for a command whose words are read as a script."""
    if command.assignments:
        line.found.append(
            Invocation("", span=command.span, assignments=command.assignments, folder=line.folder)
        )


def keep(line: Line, command: Command) -> str | None:
    """Keep `command` as an invocation; return what it writes, None if unknown."""
    first = command.words[0] if command.words else None
    words, stdin = command.words[1:], command.stdin
    program = base_name(first.text) if first is not None and first.literal else ""
    if first is not None and first.glob and _GLOB.search(program):
        program = ""
    line.found.append(
        Invocation(
            program,
            words,
            command.span,
            first,
            command.wrappers,
            command.assignments,
            command.redirects,
            stdin.feed,
            stdin.upstream,
            stdin.text or "",
            command.more,
            (*command.sources, *naming(command.words, line.found, line.programs)),
            line.folder,
        )
    )
    return feeds.written(program, words, stdin.text, line.files)
