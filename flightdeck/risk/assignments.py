"""Assignments: what a variable of the line holds further on.

Source: bash(1), "PARAMETERS", "Arrays".
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from flightdeck.model.shell import Word
from flightdeck.risk.line import MOST_TEXT, MOST_UPSTREAM, Context, Value, flat

if TYPE_CHECKING:
    from flightdeck.risk.line import Source
    from flightdeck.risk.script import Scripts
    from flightdeck.risk.tree import Node
    from flightdeck.risk.words import Words


# Variables whose value a shell, a pager's caller or git runs as a command.
_COMMANDS = (
    {"PAGER", "MANPAGER", "GIT_PAGER", "EDITOR", "VISUAL", "GIT_EDITOR", "GIT_SEQUENCE_EDITOR"}
    | {"GIT_SSH_COMMAND", "GIT_EXTERNAL_DIFF", "GIT_PROXY_COMMAND", "LESSOPEN", "LESSCLOSE"}
    | {"BROWSER", "PROMPT_COMMAND", "PS0", "PS1", "PS4", "RSYNC_RSH", "SVN_SSH", "SVN_EDITOR"}
    | {"HGEDITOR", "KUBE_EDITOR", "FCEDIT"}
)
_ELEMENT = re.compile(r"(\w+)\[(\d+)\]")


class Assignments:
    """Reads the assignments of one source and sets the variables of its line."""

    def __init__(self, source: Source, scripts: Scripts, words: Words) -> None:
        self._source = source
        self._scripts = scripts
        self._line = scripts.line
        self._words = words

    def read(self, node: Node) -> list[tuple[str, Word]]:
        """Read `NAME=value` and set the variable; return it where it has one value."""
        line, children, text = self._line, node.named_children, self._source.text
        if not line.spend():
            return []
        mark, used = len(line.found), len(line.used)
        name = text[children[0].start_byte : children[0].end_byte]
        if children[0].named_child_count:  # a subscript, in which something may be run
            self._words.joined(children[0])
        words = self._values(node, children[1:])
        sources = flat([*line.found[mark:], *line.used[used:]])
        texts = tuple(w.text for w in words) if all(w.literal for w in words) else None
        adds = text.startswith("+=", children[0].end_byte)
        array = children[-1].type == "array"
        if index := _ELEMENT.fullmatch(name):
            # Elements are written one after the other, in the order of their index.
            name, adds, array = index[1], index[2] != "0", True
        self._set(name, Value(texts, sources), adds=adds, array=array)
        if name in _COMMANDS and texts is not None:
            span = self._source.span(node.start_byte, node.end_byte)
            self._scripts.run_text(" ".join(texts).lstrip("|"), Context(), span)
        return [(name, words[0])] if len(words) == 1 else []

    def _values(self, node: Node, values: list[Node]) -> list[Word]:
        if not values:
            return [Word("", self._source.span(node.end_byte, node.end_byte))]
        if values[0].type == "array":
            return [w for c in values[0].named_children for w in self._words.read(c)]
        return [self._words.joined(values[0])]

    def _set(self, name: str, value: Value, *, adds: bool, array: bool) -> None:
        old = self._line.variables.get(name)
        if adds and old is not None:
            sources = (old.sources + value.sources)[-MOST_UPSTREAM:]
            value = Value(_sum(old.texts, value.texts, array=array), sources)
        if sum(len(text) + 8 for text in value.texts or ()) <= MOST_TEXT:
            self._line.set(name, value)


def _sum(
    old: tuple[str, ...] | None, new: tuple[str, ...] | None, *, array: bool
) -> tuple[str, ...] | None:
    """Return what `+=` makes: more words of an array, else a longer first one."""
    if old is None or new is None:
        return None
    return old + new if array else ("".join([*old[:1], *new]), *old[1:])
