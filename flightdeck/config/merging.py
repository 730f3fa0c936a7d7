"""A layout laid over its parent: two trees to one, in which every piece keeps its place.

Mappings merge key by key, rows by `name`, the keys of a row by column; anything else the
child writes takes the place of what the parent wrote. Knows no files.

Source: layouts/README.md, "Standing on another layout".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from flightdeck.config.nodes import Entry, Mapping, Node, Scalar, Sequence
from flightdeck.config.values import whole

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from collections.abc import Mapping as ByName

    # The child's value and the parent's, to the one both make.
    Over = Callable[[Node, Node], Node]

T = TypeVar("T")

EXTENDS = "extends"


def laid_over(child: Mapping, parent: Mapping) -> Mapping:
    """Return the sections of a layout that extends `parent`."""
    return _sections(child, _without(parent, (EXTENDS,)), _SECTIONS)


def standing_on(layout: Mapping, shipped: Mapping) -> Mapping:
    """Return a layout that extends nothing, the sections it leaves out those of `shipped`.

    `timings` and `glyphs` add to the shipped ones; every other section replaces them whole.
    """
    return _sections(layout, _without(shipped, ("device", "rows")), _ADDED)


def _without(mapping: Mapping, names: Iterable[str]) -> Mapping:
    kept = tuple(entry for entry in mapping.entries if entry.key.text not in names)
    return Mapping(mapping.span, kept)


def _sections(child: Mapping, parent: Mapping, merged: ByName[str, Over]) -> Mapping:
    def section(own: Entry, theirs: Entry) -> Entry:
        over = merged.get(own.key.text, _instead)
        return Entry(own.key, over(own.value, theirs.value))

    return Mapping(child.span, _paired(child.entries, parent.entries, _key_text, section))


def _paired(
    ours: tuple[T, ...],
    theirs: tuple[T, ...],
    name: Callable[[T], str | None],
    merged: Callable[[T, T], T],
) -> tuple[T, ...]:
    """Return `theirs` in their order, ours laid over those of the same name, then our others.

    A name written twice is merged once; what is left over stays, to be told as a fault.
    """
    waiting: dict[str, T] = {}
    for one in ours:
        if (called := name(one)) is not None:
            waiting.setdefault(called, one)
    found, used = [], []
    for other in theirs:
        own = waiting.pop(name(other) or "", None)
        found.append(other if own is None else merged(own, other))
        used.append(own)
    return (*found, *(one for one in ours if one not in used))


def _instead(own: Node, _theirs: Node) -> Node:
    return own


def _key_text(entry: Entry) -> str:
    return entry.key.text


def _by_key(below: Over = _instead, name: Callable[[Entry], str] = _key_text) -> Over:
    """Return what merges mappings key by key, and the values of one key with `below`."""

    def merged(own: Entry, theirs: Entry) -> Entry:
        return Entry(own.key, below(own.value, theirs.value))

    def over(own: Node, theirs: Node) -> Node:
        if not (isinstance(own, Mapping) and isinstance(theirs, Mapping)):
            return own
        return Mapping(own.span, _paired(own.entries, theirs.entries, name, merged))

    return over


def _column(entry: Entry) -> str:
    """Return a column as one number: `01` is the key `1`."""
    number = whole(entry.key.text)
    return entry.key.text if number is None else str(number)


def _one_key(own: Node, theirs: Node) -> Node:
    """Lay one key of the deck over another.

    A label belongs to what the key does: a key that says what it is for is a new one, and
    only one that does not say changes how the parent's looks.
    """
    if not isinstance(own, Mapping) or any(entry.key.text == "bind" for entry in own.entries):
        return own
    if isinstance(theirs, Scalar):
        bound = Entry(Scalar(theirs.span, "bind"), theirs)
        return Mapping(own.span, (bound, *own.entries))
    return _by_key()(own, theirs)


def row_name(row: Node) -> str | None:
    """Return what a row is called, the way its owner tells it from others."""
    if not isinstance(row, Mapping):
        return None
    names = (entry.value for entry in row.entries if entry.key.text == "name")
    return next((value.text for value in names if isinstance(value, Scalar)), None)


def _rows(own: Node, theirs: Node) -> Node:
    if not (isinstance(own, Sequence) and isinstance(theirs, Sequence)):
        return own
    return Sequence(own.span, _paired(own.items, theirs.items, row_name, _ROW))


_ROW = _by_key(_by_key(_one_key, _column))

_SECTIONS: dict[str, Over] = {
    "timings": _by_key(),
    "states": _by_key(_by_key()),
    "marks": _by_key(),
    "armed": _by_key(),
    "rest": _by_key(),
    "glyphs": _by_key(),
    "labels": _by_key(_by_key()),
    "rows": _rows,
}
_ADDED: dict[str, Over] = {"timings": _by_key(), "glyphs": _by_key()}
