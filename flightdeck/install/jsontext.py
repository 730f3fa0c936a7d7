"""Strict JSON that remembers where each value stands, and the two edits made on it.

`json` forgets positions, and a settings file dumped again is a settings file
reformatted: here a value is added or dropped by cutting the text alone, so every other
byte stays. Knows nothing of settings or hooks.

Source: RFC 8259.
"""

from __future__ import annotations

import enum
import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    # A value, and its key where it stands in an object.
    Item = tuple[str | None, object]
    # A container, and what comes behind its last item.
    Addition = tuple["Node", Sequence[Item]]

# Deeper than any settings file; the reader is recursive and must not meet Python's limit.
_DEEPEST = 100

_SPACE = re.compile(r"[ \t\r\n]*")
_STRING = re.compile(r'"[^"\\\x00-\x1f]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\x00-\x1f]*)*"')
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
_WORDS = {"true": True, "false": False, "null": None}


class Kind(enum.Enum):
    """What a value is; the text is how messages call it."""

    OBJECT = "an object"
    ARRAY = "an array"
    STRING = "a string"
    NUMBER = "a number"
    BOOLEAN = "true or false"
    NULL = "null"


@dataclass(frozen=True, slots=True)
class Node:
    """A value at `start` to `end` of the text, as offsets in characters.

    `names` holds an object's keys beside `items`; `firsts` is where each item starts,
    its key included. `scalar` is the value of a string, true, false or null.
    """

    kind: Kind
    start: int
    end: int
    items: tuple[Node, ...] = ()
    firsts: tuple[int, ...] = ()
    names: tuple[str, ...] = ()
    scalar: object = None

    def get(self, name: str) -> Node | None:
        """Return the value of the key `name` of an object, if it has one."""
        return self.items[self.names.index(name)] if name in self.names else None


class NotJson(Exception):
    """The text is not strict JSON at `offset`; the message says what was expected."""

    def __init__(self, message: str, offset: int) -> None:
        super().__init__(message)
        self.offset = offset


def parse(text: str) -> Node:
    """Return the value `text` holds; a byte order mark before it is passed over.

    Raises:
        NotJson: it holds anything else, a key twice, or more than 100 levels.
    """
    reader = _Reader(text)
    node = reader.value(_skip(text, len(_mark(text))), 0)
    end = _skip(text, node.end)
    if end < len(text):
        raise NotJson(_found(text, end, "the end of the file"), end)
    return node


def position(text: str, offset: int) -> tuple[int, int]:
    """Return line and column, both from 1, of `offset`; no editor counts a byte order mark."""
    line = text.count("\n", 0, offset) + 1
    unseen = len(_mark(text)) if line == 1 else 0
    return line, offset - unseen - text.rfind("\n", 0, offset)


def drop(text: str, container: Node, index: int) -> str:
    """Return `text` without item `index`, its comma and the space before it."""
    if len(container.items) == 1:
        return text[: container.start + 1] + text[container.end - 1 :]
    if index == len(container.items) - 1:
        return text[: container.items[index - 1].end] + text[container.items[index].end :]
    return text[: container.firsts[index]] + text[container.firsts[index + 1] :]


def append(text: str, container: Node, value: object, name: str | None = None) -> str:
    """Return `text` with `value` as the last item of `container`; see `append_each`."""
    return append_each(text, parse(text), [(container, [(name, value)])])


def append_each(text: str, root: Node, additions: Iterable[Addition]) -> str:
    """Return `text` with new last items in some containers of it, written as the file is.

    A container on one line grows on that line, any other by lines of its own at the
    indentation its items have. A name is the key where the container is an object.
    """
    style = _style(text, root)
    cuts = [_appended(text, style, container, items) for container, items in additions]
    for start, end, put in sorted(cuts, reverse=True):
        text = _cut(text, start, end, put)
    return text


def _appended(
    text: str, style: _Style, container: Node, items: Sequence[Item]
) -> tuple[int, int, str]:
    """Return what to put in place of the text from one offset to another."""
    if not container.items:
        around = _indent_of(text, container.start)
        sep = ", " if style.flat else f",{style.eol}{around}{style.unit}"
        fresh = [_fresh(value, name, style, around + style.unit) for name, value in items]
        inner = sep.join(fresh)
        if not style.flat:
            inner = f"{style.eol}{around}{style.unit}{inner}{style.eol}{around}"
        return container.start + 1, container.end - 1, inner
    last = container.items[-1].end
    gap = text[container.start + 1 : container.firsts[0]]
    if "\n" not in gap:
        flat = _Style(unit=style.unit, eol=style.eol, flat=True)
        fresh = [_fresh(value, name, flat, "") for name, value in items]
        return last, last, "".join(f", {item}" for item in fresh)
    indent = gap[gap.rindex("\n") + 1 :]
    fresh = [_fresh(value, name, style, indent) for name, value in items]
    return last, last, "".join(f",{style.eol}{indent}{item}" for item in fresh)


def replace(text: str, node: Node, value: str) -> str:
    """Return `text` with `value`, already JSON, in place of `node`."""
    return _cut(text, node.start, node.end, value)


@dataclass(frozen=True, slots=True)
class _Style:
    unit: str
    eol: str
    flat: bool


def _mark(text: str) -> str:
    return "\ufeff" if text.startswith("\ufeff") else ""


def _style(text: str, root: Node) -> _Style:
    eol = "\r\n" if "\r\n" in text else "\n"
    if not root.items:
        return _Style(unit="  ", eol=eol, flat=False)
    gap = text[root.start + 1 : root.firsts[0]]
    if "\n" not in gap:
        return _Style(unit="  ", eol=eol, flat=True)
    outer = _indent_of(text, root.start)
    return _Style(unit=gap[gap.rindex("\n") + 1 :].removeprefix(outer), eol=eol, flat=False)


def _indent_of(text: str, offset: int) -> str:
    line = text[text.rfind("\n", 0, offset) + 1 : offset]
    return line[: len(line) - len(line.lstrip(" \t"))]


def _fresh(value: object, name: str | None, style: _Style, indent: str) -> str:
    key = "" if name is None else json.dumps(name, ensure_ascii=False) + ": "
    if style.flat:
        return key + json.dumps(value, ensure_ascii=False)
    lines = json.dumps(value, ensure_ascii=False, indent=style.unit).split("\n")
    return key + f"{style.eol}{indent}".join(lines)


def _cut(text: str, start: int, end: int, put: str) -> str:
    return text[:start] + put + text[end:]


def _skip(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    return found.end() if found else at


def _found(text: str, at: int, expected: str) -> str:
    if at >= len(text):
        return f"the file ends where {expected} is expected"
    if text.startswith(("//", "/*", "#"), at):
        return "a comment"
    return f"{text[at]!r} where {expected} is expected"


class _Reader:
    """Recursive descent over one text; every method gets where to look."""

    def __init__(self, text: str) -> None:
        self._text = text

    def value(self, at: int, depth: int) -> Node:
        if depth > _DEEPEST:
            raise NotJson(f"more than {_DEEPEST} levels of nesting", at)
        first = self._text[at : at + 1]
        if first == "{":
            return self._object(at, depth)
        if first == "[":
            return self._array(at, depth)
        if first == '"':
            return self._string(at)
        return self._plain(at)

    def _object(self, at: int, depth: int) -> Node:
        names: dict[str, None] = {}
        firsts: list[int] = []
        items: list[Node] = []
        here = _skip(self._text, at + 1)
        while not self._text.startswith("}", here):
            key = self._key(here, names)
            names[str(key.scalar)] = None
            firsts.append(here)
            colon = _skip(self._text, key.end)
            if not self._text.startswith(":", colon):
                raise NotJson(_found(self._text, colon, "':'"), colon)
            items.append(self.value(_skip(self._text, colon + 1), depth + 1))
            here = self._next("}", items[-1].end)
        parts = (tuple(items), tuple(firsts), tuple(names))
        return Node(Kind.OBJECT, at, here + 1, *parts)

    def _array(self, at: int, depth: int) -> Node:
        items: list[Node] = []
        here = _skip(self._text, at + 1)
        while not self._text.startswith("]", here):
            items.append(self.value(here, depth + 1))
            here = self._next("]", items[-1].end)
        return Node(Kind.ARRAY, at, here + 1, tuple(items), tuple(i.start for i in items))

    def _next(self, bracket: str, at: int) -> int:
        """Return where the next item starts, or the closing bracket stands."""
        here = _skip(self._text, at)
        if self._text.startswith(bracket, here):
            return here
        if not self._text.startswith(",", here):
            raise NotJson(_found(self._text, here, f"',' or '{bracket}'"), here)
        after = _skip(self._text, here + 1)
        if self._text.startswith(bracket, after):
            raise NotJson("a comma after the last item", here)
        return after

    def _key(self, at: int, names: Collection[str]) -> Node:
        if not self._text.startswith('"', at):
            raise NotJson(_found(self._text, at, "a key in double quotes"), at)
        key = self._string(at)
        if key.scalar in names:
            raise NotJson(f"the key {self._text[at : key.end]} stands here a second time", at)
        return key

    def _string(self, at: int) -> Node:
        found = _STRING.match(self._text, at)
        if not found:
            raise NotJson("a string that is not closed, or holds a control character", at)
        return Node(Kind.STRING, at, found.end(), scalar=json.loads(found.group()))

    def _plain(self, at: int) -> Node:
        for word, scalar in _WORDS.items():
            if self._text.startswith(word, at):
                kind = Kind.NULL if scalar is None else Kind.BOOLEAN
                return Node(kind, at, at + len(word), scalar=scalar)
        found = _NUMBER.match(self._text, at)
        if not found:
            raise NotJson(_found(self._text, at, "a value"), at)
        return Node(Kind.NUMBER, at, found.end())
