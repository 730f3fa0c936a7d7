"""A settings file of Claude Code as text and tree, and where our hooks stand in it.

Pure: text in, positions out. Refuses whatever the client itself could not read as
settings, so that nothing is ever written into a file we misunderstand.

Source: Claude Code's settings reference, "hooks".
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from flightdeck.errors import Location, Refused
from flightdeck.install import jsontext
from flightdeck.install.jsontext import Kind, Node, NotJson
from flightdeck.install.snippets import is_ours

if TYPE_CHECKING:
    from collections.abc import Iterator

# A file that does not exist yet, or holds nothing.
NOTHING = "{}\n"

_MEND = "mend the file by hand first; flightdeck changes no file it cannot read"


@dataclass(frozen=True, slots=True)
class Entry:
    """One command of ours: `hooks.<event>[group].hooks[index]`."""

    event: str
    group: int
    index: int
    command: str


@dataclass(frozen=True, slots=True)
class Document:
    """The text of one settings file; `hooks` is None where it has none, or null."""

    file: str
    text: str
    root: Node
    hooks: Node | None

    def groups(self, event: str) -> Node | None:
        """Return the array of `event`, if it has one."""
        return self.hooks.get(event) if self.hooks else None

    def events(self) -> tuple[str, ...]:
        """Return the events that have an array, in the order of the file."""
        return self.hooks.names if self.hooks else ()

    def edited(self, text: str) -> Document:
        """Return the same file with other text."""
        return read(text, self.file)

    def value(self, node: Node) -> object:
        """Return what `node` holds, as `json` reads it."""
        return json.loads(self.text[node.start : node.end])

    def ours(self) -> Iterator[Entry]:
        """Yield every command that carries our mark, of any version, wherever it stands."""
        for event in self.events():
            for place, group in enumerate(items_of(self.groups(event))):
                for index, hook in enumerate(items_of(group.get("hooks"))):
                    command = hook.get("command")
                    if command and is_ours(command.scalar):
                        yield Entry(event, place, index, str(command.scalar))

    def foreign(self, event: str) -> Iterator[str]:
        """Yield what others run at `event`: a command, or the kind of hook that is none."""
        for group in items_of(self.groups(event)):
            for hook in items_of(group.get("hooks")):
                told = hook.get("command") or hook.get("type")
                if told and isinstance(told.scalar, str) and not is_ours(told.scalar):
                    yield told.scalar

    def containers(self) -> frozenset[str]:
        """Return `hooks` and `hooks.<event>` for those that are there."""
        here = {"hooks"} if "hooks" in self.root.names else set()
        return frozenset(here | {f"hooks.{event}" for event in self.events()})


def items_of(node: Node | None) -> tuple[Node, ...]:
    """Return the items of an array, nothing for anything else."""
    return node.items if node and node.kind is Kind.ARRAY else ()


def read(text: str, file: str) -> Document:
    """Return what `text`, the content of `file`, holds; blank text counts as `{}`.

    Raises:
        Refused: it is not strict JSON, or the top level, `hooks` or an event is not of
            the kind the client wants; names line, column and JSON path.
    """
    text = text if text.strip("\ufeff \t\r\n") else NOTHING
    try:
        root = jsontext.parse(text)
    except NotJson as fault:
        where = Location(file, *jsontext.position(text, fault.offset))
        raise Refused(f"{where}: not strict JSON: {fault}", _MEND) from fault
    document = Document(file, text, root, None)
    _expect(document, root, "the top level ($)", Kind.OBJECT)
    hooks = root.get("hooks")
    if hooks is None or hooks.kind is Kind.NULL:
        return document
    _expect(document, hooks, "hooks", Kind.OBJECT)
    for name, groups in zip(hooks.names, hooks.items, strict=True):
        _expect(document, groups, f"hooks.{printable(name)}", Kind.ARRAY)
    return Document(file, text, root, hooks)


def printable(name: str) -> str:
    """Return `name`, a key of somebody's file, fit for a message."""
    return name if name.isprintable() else ascii(name)[1:-1]


def _expect(document: Document, node: Node, path: str, kind: Kind) -> None:
    if node.kind is kind:
        return
    where = Location(document.file, *jsontext.position(document.text, node.start))
    message = f"{where}: {path} is {node.kind.value} where {kind.value} is expected"
    raise Refused(message, _MEND)
