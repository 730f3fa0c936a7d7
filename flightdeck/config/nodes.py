"""A YAML file as a tree in which every piece knows where it stands.

Types only; `document.py` builds the tree, `reader.py` asks it questions.

Source: layouts/README.md, "How a file is read".
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from flightdeck.errors import Location, Problem

if TYPE_CHECKING:
    from collections.abc import Iterator


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of one line: line and column from 1, width in characters."""

    line: int
    column: int
    width: int = 1


@dataclass(frozen=True, slots=True)
class Scalar:
    """A key or a value as text; `plain` says it was written without quotes."""

    span: Span
    text: str
    plain: bool = True


@dataclass(frozen=True, slots=True)
class Entry:
    """One `key: value` of a mapping."""

    key: Scalar
    value: Node


@dataclass(frozen=True, slots=True)
class Mapping:
    """Entries as they stand in the file; a key written twice is here twice."""

    span: Span
    entries: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class Sequence:
    """The items of a list."""

    span: Span
    items: tuple[Node, ...]


Node = Scalar | Mapping | Sequence


@dataclass(frozen=True, slots=True)
class Document:
    """A file that could be read; `root` is None when nothing is written in it.

    `faults` are what the YAML itself got wrong without keeping the rest from being read.
    """

    file: str
    lines: tuple[str, ...]
    root: Node | None
    faults: tuple[Problem, ...] = ()

    def problem(self, span: Span, message: str, hint: str = "") -> Problem:
        """Return a problem at `span`, with its source line."""
        return problem_at(self.file, self.lines, span, (message, hint))


def problem_at(file: str, lines: tuple[str, ...], span: Span, words: tuple[str, str]) -> Problem:
    """Return the problem `words` (message, hint) at `span`, with its source line."""
    source = lines[span.line - 1] if span.line <= len(lines) else ""
    return Problem(Location(file, span.line, span.column), *words, source, span.width)


def walk(node: Node) -> Iterator[Entry]:
    """Yield every entry of every mapping below `node`, in file order."""
    below: list[Node] = [node]
    while below:
        match below.pop():
            case Mapping(entries=entries):
                yield from entries
                below.extend(entry.value for entry in entries)
            case Sequence(items=items):
                below.extend(items)
            case _:
                pass
