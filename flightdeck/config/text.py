"""Bytes of a file somebody wrote, turned into text YAML can be asked about.

What editors of every system leave behind is accepted (a byte order mark, CRLF);
what would make the YAML library fail in words of its own is told here first: tabs,
NUL and other characters nobody can see, bytes that are not UTF-8.
Knows nothing of YAML beyond that.

Source: layouts/README.md, "How a file is read".
"""

from __future__ import annotations

import unicodedata
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import TYPE_CHECKING

from flightdeck.config.nodes import Span, problem_at
from flightdeck.errors import ConfigError, Location, Problem

if TYPE_CHECKING:
    from collections.abc import Iterator

# A layout is a few hundred lines.
MAX_BYTES = 256 * 1024

TAB = ("a tab where only spaces may stand", "put spaces in its place, two for each level")

# Controls, format characters (bidi overrides hide code), line separators, surrogates.
_UNSEEN = frozenset({"Cc", "Cf", "Zl", "Zp", "Cs"})
_NEVER_CHARACTERS = "\ufffe\uffff"


_READ: ContextVar[set[Path] | None] = ContextVar("_READ", default=None)


@contextmanager
def noting_reads() -> Iterator[set[Path]]:
    """Give a set that takes in every file this thread reads, or tries to, inside the block."""
    read: set[Path] = set()
    before = _READ.set(read)
    try:
        yield read
    finally:
        _READ.reset(before)


def read_text(path: Path, file: str) -> str:
    """Return the text of `path`, lines ending in LF; `file` is what problems call it.

    Raises:
        ConfigError: it is missing, a folder, too large, or holds what no layout may.
    """
    return checked(decoded(path, file), file)


def decoded(path: Path, file: str) -> str:
    """Return the text of `path` as it stands there; `file` is what problems call it.

    Raises:
        ConfigError: it is missing, a folder, too large, or not UTF-8.
    """
    if (read := _READ.get()) is not None:
        read.add(path)
    try:
        if path.is_fifo() and path.parts[:2] != ("/", "dev"):
            # `/dev/stdin` and `<(…)` have a writer; one that lies in a folder need not.
            raise _whole(file, "is a pipe, not a file", "give it on /dev/stdin, or rm it")
        with path.open("rb") as stream:
            raw = stream.read(MAX_BYTES + 1)
    except OSError as error:
        raise _whole(file, *_unreadable(error)) from error
    except ValueError as error:  # a NUL in the name
        raise _whole(file, f"cannot be read: {error}", "check the path") from error
    if len(raw) > MAX_BYTES:
        raise _whole(file, f"is larger than {MAX_BYTES // 1024} KiB", "is this the file you meant?")
    return _decoded(raw, file)


def plain(text: str) -> str:
    """Return `text` without what editors of other systems add: byte order mark, CR."""
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


def checked(text: str, file: str) -> str:
    """Return `text` without byte order mark, lines ending in LF.

    Raises:
        ConfigError: it holds tabs or characters nobody can see; every one is listed.
    """
    tidy = plain(text)
    lines = tuple(tidy.split("\n"))
    problems = [
        problem_at(file, lines, Span(number, column, 1), words)
        for number, line in enumerate(lines, 1)
        for column, words in _faults(line)
    ]
    if problems:
        raise ConfigError(problems)
    return tidy


def is_unseen(character: str) -> bool:
    """Say whether a character leaves no mark on the page, or is none at all."""
    return unicodedata.category(character) in _UNSEEN or character in _NEVER_CHARACTERS


def unseen(character: str) -> tuple[str, str]:
    """Return message and hint for a character nobody can see."""
    name = "NUL" if character == "\0" else f"U+{ord(character):04X}"
    return (f"an invisible character, {name}", "delete it, or type the line again")


def shown(path: Path) -> str:
    """Return what to call a file: its path from the current folder where that is shorter."""
    try:
        return str(path.absolute().relative_to(Path.cwd()))
    except (OSError, ValueError):
        return str(path)


def _faults(line: str) -> Iterator[tuple[int, tuple[str, str]]]:
    before_tab, tab, _ = line.partition("\t")
    if tab and not before_tab.strip():
        yield len(before_tab) + 1, TAB
    if line.isprintable():
        return
    for column, character in enumerate(line, 1):
        if character != "\t" and is_unseen(character):
            yield column, unseen(character)


def _decoded(raw: bytes, file: str) -> str:
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as error:
        before = raw[: error.start].decode("utf-8").split("\n")
        message = f"byte 0x{raw[error.start]:02x} is not UTF-8"
        place = Location(file, len(before), len(before[-1]) + 1)
        problem = Problem(place, message, "save the file as UTF-8")
        raise ConfigError([problem]) from error


def _unreadable(error: OSError) -> tuple[str, str]:
    if isinstance(error, FileNotFoundError):
        return "does not exist", "check the path"
    if isinstance(error, IsADirectoryError):
        return "is a folder, not a file", "name one of the files in it"
    return f"cannot be read: {error.strerror}", "check its permissions"


def _whole(file: str, message: str, hint: str) -> ConfigError:
    return ConfigError([Problem(Location(file), message, hint)])
