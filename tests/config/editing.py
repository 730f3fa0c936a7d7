"""A file as an editor sees it, and whether it and the validators say the same.

The validators are right by definition. What they alone can know is named: only by such a rule
may they refuse what a schema lets pass. The other way round there is one reason, told by `typed`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from jsonschema import Draft7Validator

from flightdeck.config.document import parse_document
from flightdeck.config.nodes import Mapping, Scalar, Sequence
from flightdeck.config.rendering import to_plain
from flightdeck.config.schema import schema_of
from tests.config.written import write

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from flightdeck.config.nodes import Document, Node
    from flightdeck.errors import Problem
    from tests.config.written import Tree


def typed(node: Node | None) -> object:
    """Return a tree as an editor sees it: YAML 1.2 takes unquoted words for what they look like."""
    match node:
        case None:
            return None
        case Sequence(items=items):
            return [typed(item) for item in items]
        case Mapping(entries=entries):
            return {entry.key.text: typed(entry.value) for entry in entries}
        case Scalar(text=text, plain=plain):
            return _resolved(text) if plain else text


def _resolved(text: str) -> object:
    """Return what YAML 1.2.2 makes of a plain scalar (10.3.2, the core schema)."""
    if text in {"", "~", "null", "Null", "NULL"}:
        return None
    if text in {"true", "True", "TRUE", "false", "False", "FALSE"}:
        return text.lower() == "true"
    if re.fullmatch("[-+]?[0-9]+", text):
        return int(text)
    if re.fullmatch("0x[0-9a-fA-F]+|0o[0-7]+", text):
        return int(text, 0)
    if re.fullmatch(r"[-+]?([.][0-9]+|[0-9]+([.][0-9]*)?)([eE][-+]?[0-9]+)?", text):
        return float(text)
    return text


@dataclass(frozen=True)
class Editor:
    """An editor with the schema of a kind of file, beside the validators of that kind.

    `alone` are the rules no schema can state, each by a pattern of what its problems say.
    """

    kind: str
    refused: Callable[[Document], tuple[Problem, ...]]
    alone: tuple[str, ...]

    @property
    def _schema(self) -> Draft7Validator:
        return _validator(self.kind)

    def marked(self, tree: object) -> list[str]:
        """Return what the editor says of a file."""
        return [error.message for error in self._schema.iter_errors(tree)]

    def both(self, text: str) -> tuple[tuple[str, ...], list[str]]:
        """Return what the validators say of a text, and what the editor does."""
        document = parse_document(text, "file.yaml")
        told = tuple(problem.message for problem in self.refused(document))
        return told, self.marked(typed(document.root))

    def agree_it_is_good(self, tree: Tree) -> None:
        """Hold that nobody finds anything."""
        assert self.both(write(tree)) == ((), []), write(tree)

    def agree(self, tree: Tree) -> None:
        """Hold that both find something, or neither, or the validators by a rule of their own."""
        text = write(tree)
        document = parse_document(text, "file.yaml")
        assert not document.faults, text
        problems = tuple(problem.message for problem in self.refused(document))
        marks = self.marked(typed(document.root))
        if problems and not marks:
            assert not list(_by_others(problems, self.alone)), text
        if marks and not problems:
            plain = to_plain(document.root) if document.root else None
            assert not self.marked(plain), (text, marks)


def _by_others(problems: Iterable[str], rules: tuple[str, ...]) -> Iterable[str]:
    return (one for one in problems if not any(re.search(rule, one) for rule in rules))


@lru_cache
def _validator(kind: str) -> Draft7Validator:
    return Draft7Validator(schema_of(kind))
