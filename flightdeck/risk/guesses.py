"""Which program a word names that an unknown variable is part of.

Source: bash(1), "Parameter Expansion": a variable nobody has set is empty.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from flightdeck.model.shell import Word

if TYPE_CHECKING:
    from flightdeck.risk.line import Command, Line

_DEFAULT = re.compile(r"\$\{\w+:?[-=]([\w./-]+)\}")
_VARIABLE = re.compile(r"\$(?:\{\w+\}|\w+|[@*])")
_NAME = re.compile(r"[\w.-]+")


def named(line: Line, command: Command) -> Command:
    """Take `${x:-rm}` and `r${x}m` for `rm`, as they are where x is not set."""
    if not command.words or command.words[0].literal:
        return command
    first = command.words[0]
    if found := _DEFAULT.fullmatch(first.text):
        name = found[1]
    elif _NAME.fullmatch(name := _VARIABLE.sub("", first.text)):
        line.opaque = True  # x may be set all the same
    else:
        return command
    return replace(command, words=(Word(name, first.span), *command.words[1:]))


def without_first(command: Command) -> Command | None:
    """Return what `$x rm a` runs where x is not set, None where it may be nothing else."""
    words = command.words
    if len(words) < 2 or words[0].literal or words[0].quoted or words[1].text[:1] == "-":
        return None
    return None if _VARIABLE.sub("", words[0].text) else replace(command, words=words[1:])


def chained(command: Command) -> list[Command]:
    r"""Return the commands of `tmux a \; b`, each with the program before it."""
    words = command.words
    if len(words) < 3 or words[0].text.rpartition("/")[2] != "tmux":
        return [command]
    parts: list[list[Word]] = [[words[0]]]
    for word in words[1:]:
        ends = word.text.endswith(";")
        text = word.text.removesuffix(";")
        if text:
            parts[-1].append(replace(word, text=text) if ends else word)
        if ends:
            parts.append([words[0]])
    return [replace(command, words=tuple(part)) for part in parts if len(part) > 1]
