"""Programs that set something the line uses later: aliases, `set --`, `read`, `cd`, `tee`.

Source: bash(1), "ALIASES", "SHELL BUILTIN COMMANDS"; POSIX.1-2024, "tee".
"""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING

from flightdeck.model.shell import Word
from flightdeck.risk import feeds
from flightdeck.risk.line import Value

if TYPE_CHECKING:
    from flightdeck.risk.line import Command, Line


_FOLDERS = frozenset({"cd", "pushd", "popd"})
NAMES = frozenset({"alias", "printf", "read", "set", "tee"}) | _FOLDERS
MOST_FOLDER = 200  # characters of a folder that is followed


def remember(line: Line, command: Command, name: str) -> None:
    """Keep what one of `NAMES` sets for what follows."""
    if name == "alias":
        _aliases(line, command)
    elif name in _FOLDERS:
        _folder(line, command, name)
    elif name == "tee":
        _files(line, command)
    else:
        _variables(line, command, name)


def _aliases(line: Line, command: Command) -> None:
    """Keep `alias name=value`: a shell that expands aliases takes it from here on."""
    for word in command.words[1:]:
        name, equals, value = word.text.partition("=")
        if equals and name:
            line.aliases[name] = Word(value, word.span)
            line.version += 1


def _variables(line: Line, command: Command, name: str) -> None:
    """Read `printf -v x …`, `read x <<< …` and `set -- …` as the assignments they are."""
    words = command.words[1:]
    if name == "set":
        _set(line, [w.text for w in words])
    elif name == "read":
        _read(line, command, [w.text for w in words if not w.text.startswith("-")])
    elif len(words) > 2 and words[0].text == "-v":
        text = feeds.written("printf", words[2:], None, line.files)
        line.set(words[1].text, Value(None if text is None else (text,)))


def _folder(line: Line, command: Command, name: str) -> None:
    """Keep where `cd` goes: what follows names its files from there."""
    words = [w.text for w in command.words[1:] if w.text[:1] != "-"]
    if name == "popd" or len(words) > 1:
        return
    folder = words[0] if words else "~"
    here = posixpath.join(line.folder, folder) if folder[:1] not in "~$" else folder
    if here != line.folder and len(here) <= MOST_FOLDER:
        line.folder = here
        line.version += 1


def _files(line: Line, command: Command) -> None:
    """Keep what `tee` writes, where its input is known."""
    for word in command.words[1:]:
        if word.literal and not word.text.startswith("-"):
            line.write(word.text, command.stdin.text)


def _read(line: Line, command: Command, names: list[str]) -> None:
    text = command.stdin.text
    parts = text.split(None, max(len(names) - 1, 0)) if text is not None else []
    for at, name in enumerate(names):
        known = (parts[at].strip(),) if at < len(parts) else None
        line.set(name, Value(known, command.stdin.upstream))


def _set(line: Line, words: list[str]) -> None:
    """Take what stands behind the options of `set` for `$1` and so on."""
    while words and words[0][:1] in ("-", "+"):
        if words.pop(0) == "--":
            break
    if words:
        line.parameters = ("sh", *words)
        line.version += 1
