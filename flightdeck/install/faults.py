"""What in a settings file keeps Claude Code from running hooks, whoever wrote it.

Pure. The client drops a whole settings file over one malformed group, or one setting of a
wrong kind, in print mode without a word: a stranger's slip silences ours too.

Source: Claude Code 2.1.332, observed with one wrong value at a time; its settings
reference, "hooks", "disableAllHooks". Names it does not know, it lets pass.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from flightdeck.install.document import items_of, printable
from flightdeck.install.jsontext import Kind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from flightdeck.install.document import Document
    from flightdeck.install.jsontext import Node

_DISABLE = "disableAllHooks"
# Each was seen to cost the whole file when it is of another kind, null too.
_KINDS = {
    "alwaysThinkingEnabled": Kind.BOOLEAN,
    "apiKeyHelper": Kind.STRING,
    "cleanupPeriodDays": Kind.NUMBER,
    _DISABLE: Kind.BOOLEAN,
    "enableAllProjectMcpServers": Kind.BOOLEAN,
    "enabledPlugins": Kind.OBJECT,
    "env": Kind.OBJECT,
    "includeCoAuthoredBy": Kind.BOOLEAN,
    "language": Kind.STRING,
    "model": Kind.STRING,
    "outputStyle": Kind.STRING,
    "permissions": Kind.OBJECT,
    "sandbox": Kind.OBJECT,
    "spinnerTipsEnabled": Kind.BOOLEAN,
    "statusLine": Kind.OBJECT,
}
_RULES = ("allow", "ask", "deny")


def malformed(document: Document) -> list[str]:
    """Return what the client cannot read, each as `<JSON path> is … where … is expected`."""
    return [*_settings(document.root), *_hooks(document)]


def disabled(document: Document) -> bool | None:
    """Return what the file says of `disableAllHooks`, None if nothing that counts."""
    found = document.root.get(_DISABLE)
    return found.scalar if found and isinstance(found.scalar, bool) else None


def _settings(root: Node) -> Iterator[str]:
    for name, kind in _KINDS.items():
        yield from _optional(root, name, kind)
    permissions = root.get("permissions")
    if permissions and permissions.kind is Kind.OBJECT:
        for name in _RULES:
            yield from _optional(permissions, name, Kind.ARRAY, "permissions.")


def _hooks(document: Document) -> list[str]:
    return [
        fault
        for event in document.events()
        for place, group in enumerate(items_of(document.groups(event)))
        for fault in _group(group, f"hooks.{printable(event)}[{place}]")
    ]


def _group(group: Node, path: str) -> Iterator[str]:
    if group.kind is not Kind.OBJECT:
        yield _wrong(path, group, Kind.OBJECT)
        return
    yield from _optional(group, "matcher", Kind.STRING, f"{path}.")
    hooks = group.get("hooks")
    if hooks is None or hooks.kind is not Kind.ARRAY:
        yield _wrong(f"{path}.hooks", hooks, Kind.ARRAY)
    for index, hook in enumerate(items_of(hooks)):
        yield from _hook(hook, f"{path}.hooks[{index}]")


def _hook(hook: Node, path: str) -> Iterator[str]:
    if hook.kind is not Kind.OBJECT:
        yield _wrong(path, hook, Kind.OBJECT)
        return
    kind = hook.get("type")
    if kind is None or kind.kind is not Kind.STRING:
        yield _wrong(f"{path}.type", kind, Kind.STRING)
    command = hook.get("command")
    needed = kind is not None and kind.scalar == "command"
    if (needed or command) and (command is None or command.kind is not Kind.STRING):
        yield _wrong(f"{path}.command", command, Kind.STRING)
    yield from _optional(hook, "timeout", Kind.NUMBER, f"{path}.")


def _optional(node: Node, name: str, kind: Kind, path: str = "") -> Iterator[str]:
    found = node.get(name)
    if found and found.kind is not kind:
        yield _wrong(f"{path}{name}", found, kind)


def _wrong(path: str, found: Node | None, expected: Kind) -> str:
    what = found.kind.value if found else "missing"
    return f"{path} is {what} where {expected.value} is expected"
