"""Which class of places a path belongs to: scratch, secrets, settings, whatever a table names.

Paths are compared as text, in every form they may be meant in; no file is looked at, so
a link is not followed. What may be dangerous is asked of every form; what spares a path
must be proven by the words alone.

Source: risk/README.md, "Operands and paths".
"""

from __future__ import annotations

import posixpath
import re
from typing import TYPE_CHECKING

from flightdeck.risk.globs import LONGEST, paths_source

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

# `./././` may stretch a path, up to what a system takes.
_LONGEST_WRITTEN = 4_096

_HOME = re.compile(r"(?:~[\w.-]*|\$HOME|\$\{HOME\}|/(?:home|Users)/[^/]+|/root)(?=/|\Z)")
_WINDOWS_HOME = re.compile(r"(?:/Users/[^/]+|\$env:USERPROFILE|%USERPROFILE%)(?=/|\Z)", re.I)
_DRIVE = re.compile(r"[A-Za-z]:(?=[\\/])")
_ADDRESS = re.compile(r"[a-z][a-z0-9+.-]*://")
_UNTIDY = re.compile(r"/\.{0,2}(?:/|\Z)|\A\.{1,2}/")
_NONE: frozenset[str] = frozenset()
_UPWARDS = re.compile(r"(?:\.\./)+")
_LOOSE = re.DOTALL | re.IGNORECASE


class Places:
    """Classes of paths by name, as a table has them."""

    def __init__(self, targets: Mapping[str, Iterable[str]], home: str) -> None:
        self._home = posixpath.normpath(home) if home.startswith("/") else ""
        sources = {name: paths_source(globs) for name, globs in targets.items()}
        self._surely = {name: re.compile(told, re.DOTALL) for name, told in sources.items()}
        # Some file systems know no capitals.
        self._perhaps = {name: re.compile(told, _LOOSE) for name, told in sources.items()}
        self._any = re.compile(paths_source(g for globs in targets.values() for g in globs), _LOOSE)

    def classes(self, text: str, cwd: str) -> frozenset[str]:
        """Return the classes a path may be of, seen from `cwd`."""
        some = [form for form in self.forms(text, cwd) if self._any.fullmatch(form)]
        if not some:
            return _NONE
        told = self._perhaps.items()
        return frozenset(name for name, one in told if any(map(one.fullmatch, some)))

    def surely(self, name: str, text: str) -> bool:
        """Return whether the words alone prove that a path is of a class."""
        place = self._surely.get(name)
        return place is not None and place.fullmatch(self.proven(text)) is not None

    def forms(self, text: str, cwd: str) -> tuple[str, ...]:
        """Return every path `text` may mean, seen from `cwd`."""
        if not text or len(text) > _LONGEST_WRITTEN:
            return ()
        found = [path for path in _meant(text, cwd) if len(path) <= LONGEST]
        homely = [_homely(path, self._home) for path in found]
        return tuple(found if homely == found else dict.fromkeys((*found, *homely)))

    def proven(self, text: str) -> str:
        """Return the one path `text` is whatever the folder, empty where that is not sure."""
        if not text or len(text) > LONGEST:
            return ""
        return text if _ADDRESS.match(text) else _homely(_normal(text), self._home)


def _meant(text: str, cwd: str) -> Iterator[str]:
    for spelled in _spelled(text):
        path = _normal(spelled)
        yield path
        if not path.startswith(("/", "~", "$")):
            if cwd.startswith("/"):
                yield _normal(f"{cwd}/{path}")
            upwards = _UPWARDS.match(path)
            if upwards:  # far enough up is the root
                yield path[upwards.end() - 1 :]


def _spelled(text: str) -> Iterator[str]:
    yield text
    if "\\" in text or _DRIVE.match(text):
        unix = _DRIVE.sub("", text, count=1).replace("\\", "/")
        yield _WINDOWS_HOME.sub("~", unix, count=1)
    if text.startswith("file://"):
        yield text.removeprefix("file://")


def _normal(text: str) -> str:
    """Return the path without `.`, `..` and doubled slashes."""
    if not _UNTIDY.search(text):
        return text
    path = posixpath.normpath(text)
    return path[1:] if path.startswith("//") else path


def _homely(path: str, home: str) -> str:
    """Return the path with `~` for a home, anybody's."""
    if home and home != "/" and (path == home or path.startswith(home + "/")):
        return "~" + path[len(home) :]
    found = _HOME.match(path)
    return "~" + path[found.end() :] if found else path
