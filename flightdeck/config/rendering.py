"""A resolved layout as a file again, or as plain values, each with where it was written.

What is rendered has been compiled before: no key is written twice, no value spans lines.

Source: layouts/README.md, "What came from where".
"""

from __future__ import annotations

import json
from pathlib import PurePath
from typing import TYPE_CHECKING

from flightdeck.config.compiling import SECTIONS
from flightdeck.config.nodes import Entry, Mapping, Node, Scalar, Sequence

if TYPE_CHECKING:
    from collections.abc import Iterator

    from flightdeck.config.nodes import Document

    Plain = str | list["Plain"] | dict[str, "Plain"]

# Comments stand in one column; a value longer than that pushes only its own away.
_COMMENTS_AT_MOST = 56


def render_yaml(document: Document, *, origins: bool) -> list[str]:
    """Return the lines of a file that declares what `document` does and stands on nothing.

    With `origins`, every value is followed by a comment that says where it was written.
    """
    lines = list(_sections(document))
    if not origins:
        return [text for text, _ in lines]
    names = _names(document)
    fitting = (len(text) for text, value in lines if value)
    width = max((length for length in fitting if length <= _COMMENTS_AT_MOST), default=0)
    commented = (
        f"{text:<{width}}  # {names[document.written_in(value.span).file]}:{value.span.line}"
        if value
        else text
        for text, value in lines
    )
    return [*_legend(names), *commented]


def to_plain(node: Node) -> Plain:
    """Return a tree as mappings, lists and text."""
    match node:
        case Scalar(text=text):
            return text
        case Sequence(items=items):
            return [to_plain(item) for item in items]
        case _:
            return {entry.key.text: to_plain(entry.value) for entry in node.entries}


def origins_of(document: Document) -> dict[str, dict[str, str | int]]:
    """Return where each value was written, by its JSON pointer (RFC 6901)."""
    return {
        pointer: {
            "file": document.written_in(value.span).file,
            "line": value.span.line,
            "column": value.span.column,
        }
        for pointer, value in _pointers(in_order(document), "")
    }


def in_order(document: Document) -> Mapping:
    """Return the sections in the order of the language page, without what they stand on."""
    root = document.root
    entries = root.entries if isinstance(root, Mapping) else ()
    named = {entry.key.text: entry for entry in entries}
    kept = tuple(named[name] for name in SECTIONS if name in named)
    return Mapping(kept[0].key.span, kept)


def _sections(document: Document) -> Iterator[tuple[str, Scalar | None]]:
    """Yield each line, with the value on it if there is one; sections stand apart."""
    for entry in in_order(document).entries:
        if not isinstance(entry.value, Scalar):
            yield "", None
        yield from _entry(entry)


def _entry(entry: Entry) -> Iterator[tuple[str, Scalar | None]]:
    key = _written(entry.key)
    if isinstance(entry.value, Scalar):
        yield f"{key}: {_written(entry.value)}", entry.value
    else:
        yield f"{key}:", None
        yield from ((f"  {text}", value) for text, value in _block(entry.value))


def _block(node: Node) -> Iterator[tuple[str, Scalar | None]]:
    match node:
        case Scalar():
            yield _written(node), node
        case Sequence(items=items):
            for item in items:
                for nth, (text, value) in enumerate(_block(item)):
                    yield f"{'  ' if nth else '- '}{text}", value
        case _:
            for entry in node.entries:
                yield from _entry(entry)


def _written(scalar: Scalar) -> str:
    """Return a key or value as it loads again: what needed quotes has them."""
    if scalar.plain:
        return scalar.text
    if "\n" in scalar.text:
        return json.dumps(scalar.text, ensure_ascii=False)
    return "'" + scalar.text.replace("'", "''") + "'"


def _pointers(node: Node, at: str) -> Iterator[tuple[str, Scalar]]:
    match node:
        case Scalar():
            yield at, node
        case Sequence(items=items):
            for nth, item in enumerate(items):
                yield from _pointers(item, f"{at}/{nth}")
        case _:
            for entry in node.entries:
                name = entry.key.text.replace("~", "~0").replace("/", "~1")
                yield from _pointers(entry.value, f"{at}/{name}")


def _names(document: Document) -> dict[str, str]:
    """Return what to call each file in a comment: its last name, where no other has that."""
    files = [document.file, *(parent.file for parent in document.parents)]
    last = [PurePath(file).name for file in files]
    return {
        file: _visible(name if last.count(name) == 1 else file)
        for file, name in zip(files, last, strict=True)
    }


def _legend(names: dict[str, str]) -> Iterator[str]:
    for file, name in names.items():
        whole = _visible(file)
        yield f"# {name}" if name == whole else f"# {name} is {whole}"
    yield ""


def _visible(text: str) -> str:
    return "".join(c if c.isprintable() else "\ufffd" for c in text)
