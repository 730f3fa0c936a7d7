"""The one door to tree-sitter: bash text in, syntax tree out, its time bounded.

Imported at the first use: the import costs 30 ms, and most folds judge nothing.

The grammar's scanner looks ahead for a closing parenthesis, from every opening one
anew. On text nobody writes (`a=(a=(a=(…`) that is quadratic: 12 KB took 500 ms. So
long text is handed over in small parts: each look back is a call for one more, and
after `READS` of them the text ends. Scripts of this machine need 120 at most.

Source: tree-sitter's documentation, "Using parsers"; measured on 519 scripts in /usr.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeAlias

    import tree_sitter  # noqa: TID251 - this module is its door

    Node: TypeAlias = tree_sitter.Node

READS = 250  # how often a part is handed over
CHUNK = 512  # bytes in one part, more where the text is long
SHORT = 300  # bytes; below it no text is slow


@functools.cache
def _parser() -> tree_sitter.Parser:
    import tree_sitter  # noqa: PLC0415, TID251 - late on purpose, and this is its door
    import tree_sitter_bash  # noqa: PLC0415, TID251 - the same

    return tree_sitter.Parser(tree_sitter.Language(tree_sitter_bash.language()))


def parse(text: bytes) -> tuple[Node, bool]:
    """Return the root of the syntax tree of `text`, and whether all of it was read."""
    if len(text) <= SHORT:
        return _parser().parse(text).root_node, True
    read, left = _reader(text)
    root = _parser().parse(read).root_node
    return root, left() > 0


def _reader(text: bytes) -> tuple[Callable[[int, object], bytes], Callable[[], int]]:
    """Return a reader of `text` that runs dry after `READS` calls, and how many are left."""
    left, chunk = READS, max(CHUNK, len(text) // 64)

    def read(offset: int, _point: object) -> bytes:
        nonlocal left
        left -= 1
        return text[offset : offset + chunk] if left > 0 else b""

    return read, lambda: left
