"""Our hooks in a settings file: put in, taken out, everything else left byte for byte.

Pure: text in, text out. What is ours is told by the mark in its command and by nothing
else; what is not ours is never touched, moved or reformatted.

Source: templates/hooks/README.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from flightdeck.install import jsontext
from flightdeck.install.document import Document, Entry, items_of, read
from flightdeck.install.snippets import brakes, waits
from flightdeck.model.layout import LONGEST_DECIDE_S

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping

# A hook that hangs is ended by the client after this many seconds.
TIMEOUT_S = 5
# One that waits is let go by the panel, never by the client: its end would tell nobody.
WAIT_TIMEOUT_S = LONGEST_DECIDE_S + 60


def group_of(command: str) -> dict[str, object]:
    """Return the group a command of ours stands in: no matcher, so every case of its event.

    Where it is a brake, a hook that cannot be run or is too slow refuses the call.
    """
    timeout = WAIT_TIMEOUT_S if waits(command) else TIMEOUT_S
    hook = {"type": "command", "command": command, "timeout": timeout}
    return {"hooks": [hook | ({"onFailure": "block"} if brakes(command) else {})]}


def merge(text: str, wanted: Mapping[str, str], file: str) -> str:
    """Return `text` with exactly one group of ours for each event of `wanted`, and no other.

    An entry that is already right stays where it stands; anything else of ours goes,
    and a new group is appended after those of others.

    Raises:
        Refused: `text` is not a settings file; `file` is what it is called.
    """
    document = read(text, file)
    touched = {entry.event for entry in document.ours()}
    document = _cleared(document, lambda now: _right(now, wanted))
    present = {entry.event for entry in document.ours()}
    lacking = {event: command for event, command in wanted.items() if event not in present}
    document = _appended(document, lacking)
    return _pruned(document, touched - set(wanted), frozenset()).text


def strip(text: str, file: str, keep: Collection[str] = ()) -> str:
    """Return `text` without any command of ours.

    What is empty once they are gone goes too, except the paths in `keep` (`hooks`,
    `hooks.Stop`): those were there before we came.

    Raises:
        Refused: as `merge` does.
    """
    document = read(text, file)
    touched = {entry.event for entry in document.ours()}
    if not touched:
        return text
    document = _pruned(_cleared(document, lambda _: set()), touched, keep)
    if "hooks" in keep or document.events():
        return document.text
    where = document.root.names.index("hooks")
    return jsontext.drop(document.text, document.root, where)


def _right(document: Document, wanted: Mapping[str, str]) -> set[Entry]:
    """Return, for each event, the first entry that stands as it should."""
    found: dict[str, Entry] = {}
    for entry in document.ours():
        if entry.event in wanted and entry.event not in found:
            group = items_of(document.groups(entry.event))[entry.group]
            if document.value(group) == group_of(wanted[entry.event]):
                found[entry.event] = entry
    return set(found.values())


def _cleared(document: Document, spared: Callable[[Document], set[Entry]]) -> Document:
    """Drop our entries one by one, since each drop moves the ones behind it."""
    while True:
        stay = spared(document)
        entry = next((entry for entry in document.ours() if entry not in stay), None)
        if entry is None:
            return document
        document = _dropped(document, entry)


def _dropped(document: Document, entry: Entry) -> Document:
    groups = document.groups(entry.event)
    assert groups  # noqa: S101 - the entry was found in it
    inner = groups.items[entry.group].get("hooks")
    if inner and len(inner.items) > 1:
        return document.edited(jsontext.drop(document.text, inner, entry.index))
    return document.edited(jsontext.drop(document.text, groups, entry.group))


def _appended(document: Document, commands: Mapping[str, str]) -> Document:
    if not commands:
        return document
    if document.hooks is None:
        document = _with_hooks(document)
    hooks = document.hooks
    assert hooks  # noqa: S101 - the line above has put it there
    there = document.events()
    additions: list[jsontext.Addition] = [
        (hooks.items[hooks.names.index(event)], [(None, group_of(command))])
        for event, command in commands.items()
        if event in there
    ]
    fresh = [(name, [group_of(text)]) for name, text in commands.items() if name not in there]
    if fresh:
        additions.append((hooks, fresh))
    return document.edited(jsontext.append_each(document.text, document.root, additions))


def _with_hooks(document: Document) -> Document:
    null = document.root.get("hooks")
    if null:
        return document.edited(jsontext.replace(document.text, null, "{}"))
    return document.edited(jsontext.append(document.text, document.root, {}, "hooks"))


def _pruned(document: Document, events: Collection[str], keep: Collection[str]) -> Document:
    for event in events:
        groups = document.groups(event)
        if document.hooks and groups and not groups.items and f"hooks.{event}" not in keep:
            where = document.hooks.names.index(event)
            document = document.edited(jsontext.drop(document.text, document.hooks, where))
    return document
