"""Programs that set something the line uses later: aliases, `printf -v`, `read`, `tee`.

Source: bash(1), "ALIASES", "SHELL BUILTIN COMMANDS"; POSIX.1-2024, "tee".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from flightdeck.model.shell import Word
from flightdeck.risk import feeds
from flightdeck.risk.line import Value

if TYPE_CHECKING:
    from flightdeck.risk.line import Command, Line


def set_aliases(line: Line, command: Command) -> None:
    """Keep `alias name=value`: a shell that expands aliases takes it from here on."""
    for word in command.words[1:]:
        name, equals, value = word.text.partition("=")
        if equals and name:
            line.aliases[name] = Word(value, word.span)
            line.version += 1


def set_variables(line: Line, command: Command, name: str) -> None:
    """Read `printf -v x …` and `read x <<< …` as the assignments they are."""
    words = command.words[1:]
    if name == "read":
        _read(line, command, [w.text for w in words if not w.text.startswith("-")])
    elif len(words) > 2 and words[0].text == "-v":
        text = feeds.written("printf", words[2:], None, line.files)
        line.set(words[1].text, Value(None if text is None else (text,)))


def set_files(line: Line, command: Command) -> None:
    """Keep what `tee` writes, where its input is known."""
    for word in command.words[1:]:
        if word.literal and not word.text.startswith("-"):
            line.write(word.text, command.stdin.text)


def _read(line: Line, command: Command, names: list[str]) -> None:
    text = command.stdin.text
    parts = text.split(None, max(len(names) - 1, 0)) if text is not None else []
    for at, name in enumerate(names):
        known = (parts[at].strip(),) if at < len(parts) else None
        line.set(name, Value(known, command.stdin.upstream))
