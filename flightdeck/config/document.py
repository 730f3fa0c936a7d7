"""The one place that knows strictyaml: text in, a tree with positions out.

strictyaml decides what is accepted, and is asked last. It stops at its first
fault, names a line but no column, and some inputs make it raise what is no YAML
error at all, so the tree is built here from the parser's events, which gives every
fault its exact place, and lets the rest of the file still be checked.

Source: layouts/README.md, "How a file is read"; crdoconnor/strictyaml#198, #38, #33.
"""

from __future__ import annotations

import io
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import strictyaml  # noqa: TID251 - this module is its door
from strictyaml.ruamel.loader import SafeLoader  # noqa: TID251 - this module is its door

from flightdeck.config.blockstyle import FLOW, block_hint
from flightdeck.config.nodes import (
    Document,
    Entry,
    Mapping,
    Node,
    Scalar,
    Sequence,
    Span,
    problem_at,
    walk,
)
from flightdeck.config.text import checked, is_unseen, read_text, unseen
from flightdeck.config.yamlfaults import explain
from flightdeck.errors import ConfigError, Problem

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

# A layout nests six deep; the library runs out of stack at some hundreds.
MAX_DEPTH = 12

# xl.yaml has some 200 keys, values, lists and mappings. The library's time grows with the
# square of a list's length: 3 s at most for this many, minutes for a file of 256 KiB.
MAX_NODES = 1_500

_COMMENT = (
    "a comment between a key and its value",
    "move the comment to a line of its own, above the key",
)

_COMMENT_SOMEWHERE = (
    "a comment where the YAML library cannot take one",
    "move comments behind a ':' or '-' to lines of their own",
)
_NO_ANCHORS = (
    "an anchor or alias",
    "write the value out, or quote the text if the '&' or '*' belongs to it",
)


def read_document(
    path: Path, file: str, *, most: int = MAX_NODES, trusted: bool = False
) -> Document:
    """Return the tree of `path`; `file` is what problems call it.

    `most` is how many keys, values, lists and mappings it may have. A `trusted` file, one
    that comes with flightdeck, is not given to strictyaml, which takes a second for the
    longest of them.

    Raises:
        ConfigError: it cannot be read, or is not YAML from some line on.
    """
    return _parsed(read_text(path, file), file, most, trusted=trusted)


def parse_document(text: str, file: str) -> Document:
    """Return the tree of `text`.

    Raises:
        ConfigError: it is not YAML from some line on.
    """
    return _parsed(checked(text, file), file, MAX_NODES)


# One edit of many files is read within tenths of a second: the others are known already.
@lru_cache(maxsize=64)
def _parsed(text: str, file: str, most: int, *, trusted: bool = False) -> Document:
    tree = _Tree(file, tuple(text.split("\n")), most)
    try:
        for event in _events(text):
            tree.add(event)
            if tree.is_read:
                break
    except _TooMuchError as error:
        raise ConfigError(tree.faults) from error
    except Exception as error:  # not only YAMLError: `"\U99999999"` is an OverflowError
        raise ConfigError([*tree.faults, tree.library_fault(error)]) from error
    if not (tree.faults or trusted):
        _ask_strictyaml(text, tree)
    return Document(file, tree.lines, tree.root, tuple(tree.faults))


def _events(text: str) -> Iterator[Any]:
    loader = SafeLoader(io.StringIO(text))
    while loader.check_event():
        yield loader.get_event()


def _ask_strictyaml(text: str, tree: _Tree) -> None:
    try:
        strictyaml.load(text)
    except strictyaml.DuplicateKeysDisallowed:
        pass  # the second pass tells these, all of them and in words of the layout
    except NotImplementedError:
        tree.faults.extend(tree.comments_before_values())
    except Exception as error:  # the library leaks: AttributeError, AssertionError
        tree.faults.append(tree.library_fault(error))


class _TooMuchError(Exception):
    """The fault is noted; nothing behind it is worth reading."""


class _Frame:
    """A collection not yet closed; a mapping's nodes are keys and values in turn."""

    def __init__(self, span: Span, *, is_mapping: bool, flow: bool) -> None:
        self.span = span
        self.is_mapping = is_mapping
        self.flow = flow
        self.nodes: list[Node] = []

    @property
    def wants_value(self) -> bool:
        return self.is_mapping and len(self.nodes) % 2 == 1


class _Tree:
    """Takes the parser's events and grows `root`, noting `faults` on the way."""

    def __init__(self, file: str, lines: tuple[str, ...], most: int) -> None:
        self.file = file
        self.lines = lines
        self._most = most
        self.root: Node | None = None
        self.faults: list[Problem] = []
        self._open: list[_Frame] = []
        self._documents = 0
        self._nodes = 0

    @property
    def is_read(self) -> bool:
        """Say that a second document has begun: nobody looks into it, however long it is."""
        return self._documents > 1

    def add(self, event: Any) -> None:
        """Take one event of the parser."""
        kind = type(event).__name__.removesuffix("Event")
        if kind == "DocumentStart":
            self._start_document(event)
        elif kind in {"MappingStart", "SequenceStart"}:
            self._start(event, is_mapping=kind == "MappingStart")
        elif kind in {"MappingEnd", "SequenceEnd"}:
            self._put(self._close(event))
        elif kind == "Scalar":
            self._marked(event)
            self._put(self._scalar(event))
        elif kind == "Alias":
            self._fault(self._span(event), *_NO_ANCHORS)
            self._put(Scalar(self._span(event), ""))

    def library_fault(self, error: Exception) -> Problem:
        """Return what the library could not read, in our words."""
        mark, message, hint = explain(error)
        span = Span(mark[0] + 1, mark[1] + 1) if mark else Span(0, 0)
        return problem_at(self.file, self.lines, span, (message, hint))

    def comments_before_values(self) -> Iterator[Problem]:
        """Yield a fault for each comment that stands where strictyaml cannot take one."""
        found = False
        for entry in walk(self.root) if self.root else ():
            key, value = entry.key.span, entry.value.span
            after = self.lines[key.line - 1][key.column + key.width - 1 :]
            if value.line > key.line and "#" in after and isinstance(entry.value, Scalar):
                found = True
                at = Span(key.line, key.column + key.width + after.index("#"), 1)
                yield problem_at(self.file, self.lines, at, _COMMENT)
        if not found:
            yield problem_at(self.file, self.lines, Span(0, 0), _COMMENT_SOMEWHERE)

    def _start_document(self, event: Any) -> None:
        self._documents += 1
        if event.version or event.tags:
            self._fault(self._span(event), "a % directive", "delete the line")
        if self._documents == 2:
            self._fault(self._span(event), "a second document", "one file holds one: delete '---'")

    def _start(self, event: Any, *, is_mapping: bool) -> None:
        self._marked(event)
        span = self._span(event)
        if len(self._open) == MAX_DEPTH:
            self._fault(span, f"nested more than {MAX_DEPTH} deep", "a layout nests six deep")
            raise _TooMuchError
        self._open.append(_Frame(span, is_mapping=is_mapping, flow=bool(event.flow_style)))

    def _close(self, event: Any) -> Node:
        frame = self._open.pop()
        node: Node = Sequence(frame.span, tuple(frame.nodes))
        if frame.is_mapping:
            pairs = zip(frame.nodes[::2], frame.nodes[1::2], strict=True)
            node = Mapping(frame.span, tuple(self._entries(pairs)))
        if frame.flow and not (self._open and self._open[-1].flow):
            end = (event.end_mark.line, event.end_mark.column)
            self._fault(self._until(frame.span, end), FLOW, block_hint(node))
        return node

    def _entries(self, pairs: Iterator[tuple[Node, Node]]) -> Iterator[Entry]:
        for key, value in pairs:
            if isinstance(key, Scalar):
                yield Entry(key, value)
            else:
                self._fault(key.span, "a key that is not plain text", "a key is one word")

    def _put(self, node: Node) -> None:
        self._nodes += 1
        if self._nodes > self._most:
            told = f"more than {self._most} keys and values"
            self._fault(node.span, told, "a layout has some hundred: is this one?")
            raise _TooMuchError
        if self._open:
            self._open[-1].nodes.append(node)
        elif not (isinstance(node, Scalar) and node.plain and not node.text):
            self.root = node

    def _scalar(self, event: Any) -> Scalar:
        plain = event.style is None
        span = self._span(event)
        if plain and not event.value:
            return Scalar(self._nothing(span), "")
        hidden = [c for c in event.value if is_unseen(c) and c != "\n"]
        if hidden:  # "\e" in quotes: the file itself holds none
            self._fault(span, *unseen(hidden[0]))
        text = "".join("\ufffd" if c in hidden else c for c in event.value)
        return Scalar(span, text.removesuffix("\n"), plain)

    def _nothing(self, span: Span) -> Span:
        """Return where a missing value should have been: the parser only knows what follows."""
        if self._open and self._open[-1].wants_value:
            key = self._open[-1].nodes[-1].span
            return Span(key.line, key.column + key.width + 1)
        for number in range(min(span.line, len(self.lines)), 0, -1):
            before_comment = self.lines[number - 1].split("#")[0].rstrip()
            if before_comment.endswith("-"):
                return Span(number, len(before_comment))
        return span

    def _marked(self, event: Any) -> None:
        if event.anchor:
            self._fault(self._span(event), *_NO_ANCHORS)
        if event.tag:
            self._fault(self._span(event), "a tag", "quote the text if the '!' belongs to it")

    def _span(self, event: Any) -> Span:
        start, end = event.start_mark, event.end_mark
        return self._until(Span(start.line + 1, start.column + 1), (end.line, end.column))

    def _until(self, start: Span, end: tuple[int, int]) -> Span:
        """Return the part from `start` to `end` (from 0) that lies on the first line."""
        line = self.lines[min(start.line, len(self.lines)) - 1]
        stop = end[1] if end[0] == start.line - 1 else len(line.rstrip())
        return Span(start.line, start.column, max(1, stop - start.column + 1))

    def _fault(self, span: Span, message: str, hint: str) -> None:
        self.faults.append(problem_at(self.file, self.lines, span, (message, hint)))
