"""A YAML file as a tree in which every piece knows where it stands.

Types only; `document.py` builds the tree, `reader.py` asks it questions.

Source: layouts/README.md, "How a file is read".
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from flightdeck.errors import Location, Problem

if TYPE_CHECKING:
    from collections.abc import Iterator


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of one line: line and column from 1, width in characters.

    `file` is set where it is not the document's own: the value came from a parent.
    """

    line: int
    column: int
    width: int = 1
    file: str = ""


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
    `parents` are the files it stands on, the nearest first: values of theirs are in `root`.
    """

    file: str
    lines: tuple[str, ...]
    root: Node | None
    faults: tuple[Problem, ...] = ()
    parents: tuple[Document, ...] = ()

    def problem(self, span: Span, message: str, hint: str = "") -> Problem:
        """Return a problem at `span`, with its source line, in the file it was written in."""
        written = self.written_in(span)
        return problem_at(written.file, written.lines, span, (message, hint))

    def written_in(self, span: Span) -> Document:
        """Return the file a piece of this tree was written in: this one, or a parent."""
        return next((one for one in self.parents if one.file == span.file), self)

    def distance(self, span: Span) -> int:
        """Return how many parents away a piece was written; 0: in this very file."""
        files = ["", *(one.file for one in self.parents)]
        return files.index(span.file)


def problem_at(file: str, lines: tuple[str, ...], span: Span, words: tuple[str, str]) -> Problem:
    """Return the problem `words` (message, hint) at `span`, with its source line."""
    source = lines[span.line - 1] if span.line <= len(lines) else ""
    return Problem(Location(file, span.line, span.column), *words, source, span.width)


def mapping_in_file(mapping: Mapping, file: str) -> Mapping:
    """Return a mapping as part of another file's tree: every piece says where it is from."""
    entries = (
        Entry(_scalar_in_file(one.key, file), _in_file(one.value, file)) for one in mapping.entries
    )
    return Mapping(_span_in_file(mapping.span, file), tuple(entries))


def _in_file(node: Node, file: str) -> Node:
    match node:
        case Scalar():
            return _scalar_in_file(node, file)
        case Sequence(items=items):
            return Sequence(
                _span_in_file(node.span, file), tuple(_in_file(item, file) for item in items)
            )
        case _:
            return mapping_in_file(node, file)


def _scalar_in_file(scalar: Scalar, file: str) -> Scalar:
    return replace(scalar, span=_span_in_file(scalar.span, file))


def _span_in_file(span: Span, file: str) -> Span:
    """Return where a piece stands; what came from a parent of that file is from there still."""
    return span if span.file else replace(span, file=file)


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
