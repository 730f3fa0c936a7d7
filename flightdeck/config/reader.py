"""Asks a document for what a layout needs, and notes every fault on the way.

Nothing here raises: a question that has no good answer notes a problem and returns
None, so one pass over a file finds everything that is wrong with it.
Knows mappings, lists and text, not what a layout is.

Source: layouts/README.md, "What is wrong is told at once".
"""

from __future__ import annotations

import difflib
import re
from typing import TYPE_CHECKING, TypeVar

from flightdeck.config.nodes import Document, Entry, Mapping, Node, Scalar, Sequence, Span
from flightdeck.config.values import BadValue

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable

    from flightdeck.errors import Problem

T = TypeVar("T")

_QUOTED_AT_MOST = 40
_UNQUOTED_COLOUR = re.compile(r"#[0-9A-Za-z]+")


class Reader:
    """One pass over one document; `problems` is what it found so far."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.problems: list[Problem] = list(document.faults)
        self._at_fault = {fault.location for fault in document.faults}
        self._inside: dict[Span, str] = {}

    def report(self, at: Node | Span, message: str, hint: str = "") -> None:
        """Note a problem at a node or a stretch of a line.

        Where the YAML itself is at fault, what it would mean is not told on top.
        """
        span = at if isinstance(at, Span) else at.span
        problem = self.document.problem(span, message, hint)
        if problem.location not in self._at_fault:
            self.problems.append(problem)

    def report_pair(self, first: Node, other: Node, message: str, hint: str = "") -> None:
        """Note that two values do not go together, at `first` unless the file itself wrote `other`.

        A parent is right for itself: what its child has changed is what has to be mended.
        """
        far, near = self.farthest_first(other, first)
        if near is first:
            self.report(first, message, hint)
        else:
            there = self.document.problem(far.span, "").location
            self.report(near, f"{message} ({there})", hint)

    def farthest_first(self, one: Node, other: Node) -> tuple[Node, Node]:
        """Return both, first the one a parent wrote; as they are where one file wrote both."""
        nearer = self.document.distance(one.span) < self.document.distance(other.span)
        return (other, one) if nearer else (one, other)

    def sections(
        self, root: Node, known: Collection[str], required: Iterable[str] = ()
    ) -> dict[str, Entry]:
        """Return the entries of the file itself, by name; what is wrong with them is noted."""
        if not isinstance(root, Mapping):
            self.report(root, "a file that is no mapping", f"start with `{next(iter(known))}:`")
            return {}
        found = self._known(root.entries, known)
        for name in required:
            if name not in found:
                self.report(root, f"no section {quoted(name)}", f"add `{name}:`")
        return found

    def fields(
        self, owner: Scalar, node: Node, known: Collection[str], required: Iterable[str] = ()
    ) -> dict[str, Entry]:
        """Return the entries of mapping `node` that are known, by name.

        `owner` is the key it belongs to. Unknown, repeated and missing names are noted.
        """
        entries = self.entries(owner, node)
        found = self._known(entries, known)
        self._inside |= {entry.key.span: owner.text for entry in found.values()}
        for name in required if isinstance(node, Mapping) else ():
            if name not in found:
                self.report(owner, f"{quoted(owner.text)} has no {quoted(name)}", f"add `{name}:`")
        return found

    def entries(self, owner: Scalar, node: Node) -> tuple[Entry, ...]:
        """Return the entries of mapping `node` as they stand, none if it is no mapping."""
        if isinstance(node, Mapping):
            return node.entries
        self._not_a(owner, node, "a mapping", f"    {owner.text}:\n      name: value")
        return ()

    def items(self, owner: Scalar, node: Node) -> tuple[Node, ...]:
        """Return the items of list `node`, none if it is no list."""
        if isinstance(node, Sequence):
            return node.items
        self._not_a(owner, node, "a list", f"    {owner.text}:\n      - first\n      - second")
        return ()

    def text(self, owner: Scalar, node: Node) -> str | None:
        """Return one line of text, or None with the reason noted."""
        if not isinstance(node, Scalar):
            self.report(
                node, f"{self._called(owner)} is not a single value", "write it after the colon"
            )
        elif "\n" in node.text:
            self.report(node, f"{self._called(owner)} spans lines", "write it on one line")
        elif not node.text.strip():
            self._empty(owner, node)
        else:
            return node.text
        return None

    def parsed(self, entry: Entry, parse: Callable[[str], T]) -> T | None:
        """Return `parse` of the text of an entry; the `BadValue` it raises is noted."""
        return self.parsed_text(entry.key, entry.value, parse)

    def parsed_text(self, owner: Scalar, node: Node, parse: Callable[[str], T]) -> T | None:
        """Return `parse` of the text at `node`; the `BadValue` it raises is noted."""
        text = self.text(owner, node)
        if text is None:
            return None
        try:
            return parse(text)
        except BadValue as bad:
            self.report(node, bad.message, bad.hint)
            return None

    def repeated(self, at: Scalar, first: Scalar, message: str) -> None:
        """Note that `at` says again what `first` has said."""
        self.report(at, message, f"the first is {self.place(first.span)}: keep one of them")

    def place(self, span: Span) -> str:
        """Return where something stands: its line, and its file where that is a parent."""
        return f"on line {span.line}{f' of {span.file}' if span.file else ''}"

    def _known(self, entries: Iterable[Entry], known: Collection[str]) -> dict[str, Entry]:
        found: dict[str, Entry] = {}
        for entry in entries:
            name = entry.key.text
            if name not in known:
                self.report(entry.key, f"unknown key {quoted(name)}", choices(name, known))
            elif name in found:
                self.repeated(entry.key, found[name].key, f"{quoted(name)} is written twice")
            else:
                found[name] = entry
        return found

    def _called(self, owner: Scalar) -> str:
        if owner.span in self._inside:
            return f"{owner.text} of {quoted(self._inside[owner.span])}"
        return quoted(owner.text)

    def _not_a(self, owner: Scalar, node: Node, what: str, shape: str) -> None:
        if isinstance(node, Scalar) and not node.text:
            hint = f"give it {what}, or leave it out"
            self.report(node, f"{self._called(owner)} is empty", hint)
        else:
            self.report(node, f"{self._called(owner)} is not {what}", f"write it as\n{shape}")

    def _empty(self, owner: Scalar, node: Scalar) -> None:
        line = self.document.written_in(node.span).lines[node.span.line - 1]
        colour = _UNQUOTED_COLOUR.match(line, line.find("#")) if node.plain else None
        message = f"{self._called(owner)} is empty"
        if colour is None:
            self.report(node, message, "give it a value, or leave it out")
            return
        span = Span(node.span.line, colour.start() + 1, len(colour[0]), node.span.file)
        hint = f"quote it: {owner.text}: '{colour[0]}' (an unquoted # starts a comment)"
        self.report(span, message, hint)


def quoted(text: str) -> str:
    """Return `text` in quotes, shortened so that a message stays one line."""
    short = text if len(text) <= _QUOTED_AT_MOST else text[: _QUOTED_AT_MOST - 1] + "…"
    return "'" + short.replace("\n", " ") + "'"


def choices(word: str, known: Iterable[str]) -> str:
    """Return a hint: the nearest of the known words, or all of them."""
    words = list(known)
    near = difflib.get_close_matches(word[:_QUOTED_AT_MOST], words, 1)
    return f"did you mean '{near[0]}'?" if near else f"there are: {', '.join(words)}"
