"""Small questions to the syntax tree, and to the text of a part of it.

Source: tree-sitter-bash 0.25, its node types.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from flightdeck.risk.tree import Node

SUBSCRIPT = re.compile(r"\w\[[^\]]*(?:\$\(|`)")  # a test runs what is in one, quoted or not


def parts(node: Node) -> list[Node]:
    """Return the statements in a node; `a && b && c` is a tree that leans to the left."""
    if node.type != "list":
        return node.named_children
    found: list[Node] = []
    while node.type == "list" and node.named_child_count:
        first, *rest = node.named_children
        found += reversed(rest)
        node = first
    return [node, *reversed(found)]


def reads_output(redirect: Node) -> Node | None:
    """Return the `>(…)` of a redirection into it: a pipe with another face."""
    if redirect.type != "file_redirect" or not redirect.named_child_count:
        return None
    last = redirect.named_children[-1]
    is_one = last.type == "process_substitution" and last.children[0].type == ">("
    return last if is_one else None


def ticks(node: Node, raw: Callable[[Node], str]) -> list[str]:
    """Return what stands between backticks in an expansion: the grammar takes it for text."""
    if node.type != "expansion":
        return []
    leaves = [child for child in node.named_children if child.type in ("word", "regex")]
    return [text for leaf in leaves for text in raw(leaf).split("`")[1::2]]


def summed(written: list[str | None]) -> str | None:
    """Return one text of several, None where one is unknown."""
    known = [w for w in written if w is not None]
    return "".join(known) if len(known) == len(written) else None


def names_program(variable: str, script: str) -> bool:
    """Say whether `script` has the variable where a program stands (`$c -rf x`)."""
    before = r"(?:^|[\n;&|(]|\bdo|\bthen)\s*\"?"
    return re.search(rf"{before}\$\{{?{re.escape(variable)}\b", script) is not None
