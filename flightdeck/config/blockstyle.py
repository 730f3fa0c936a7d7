"""How something written in flow style, `{a: 1}`, looks in block style.

Source: layouts/README.md, "How a file is read"; crdoconnor/strictyaml#38.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from flightdeck.config.nodes import Node, Scalar, Sequence

if TYPE_CHECKING:
    from collections.abc import Iterator

FLOW = "flow style, '[…]' or '{…}'"
_LINES_SHOWN = 8


def block_hint(node: Node) -> str:
    """Return a hint that shows `node` in block style, cut after some lines."""
    lines = list(_block(node))
    if not lines:
        return "leave the key out, or quote the text if the brackets belong to it"
    more = ["…"] if len(lines) > _LINES_SHOWN else []
    shown = "\n".join(f"    {line}" for line in [*lines[:_LINES_SHOWN], *more])
    return f"write it in block style, or quote it if it is text:\n{shown}"


def _block(node: Node) -> Iterator[str]:
    match node:
        case Scalar():
            yield _text(node)
        case Sequence(items=items):
            for item in items:
                first, *rest = list(_block(item)) or [""]
                yield f"- {first}"
                yield from (f"  {line}" for line in rest)
        case _:
            for entry in node.entries:
                if isinstance(entry.value, Scalar):
                    yield f"{_text(entry.key)}: {_text(entry.value)}".rstrip()
                else:
                    yield f"{_text(entry.key)}:"
                    yield from (f"  {line}" for line in _block(entry.value))


def _text(scalar: Scalar) -> str:
    if scalar.plain:
        return scalar.text
    return "'" + scalar.text.replace("'", "''") + "'"
