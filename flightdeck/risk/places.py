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

    _Patterns = dict[tuple[str, ...], re.Pattern[str]]

# `./././` may stretch a path, up to what a system takes.
_LONGEST_WRITTEN = 4_096

_HOME = re.compile(r"(?:~[\w.-]*|\$HOME|\$\{HOME\}|/(?:home|Users)/[^/]+|/root)(?=/|\Z)")
_WINDOWS_HOME = re.compile(r"(?:/Users/[^/]+|\$env:USERPROFILE|%USERPROFILE%)(?=/|\Z)", re.I)
_DRIVE = re.compile(r"[A-Za-z]:(?=[\\/])")
_ADDRESS = re.compile(r"[a-z][a-z0-9+.-]*://")
_UNTIDY = re.compile(r"/\.{0,2}(?:/|\Z)|\A\.{1,2}/")
# A path that is tidy, and stands for itself.
_SIMPLE = re.compile(r"/?[\w+,=@%-][\w+,=@%.-]*(?:/[\w+,=@%-][\w+,=@%.-]*)*", re.ASCII)
_UPWARDS = re.compile(r"(?:\.\./)+")
_LOOSE = re.DOTALL | re.IGNORECASE


class Places:
    """Classes of paths by name, as a table has them."""

    def __init__(
        self, targets: Mapping[str, Iterable[str]], home: str, globs: Iterable[str] = ()
    ) -> None:
        """Take the classes by name; `globs` are paths asked for besides, each its own class."""
        self._home = posixpath.normpath(home) if home.startswith("/") else ""
        named = {name: tuple(found) for name, found in targets.items()}
        self._globs = {own_class(glob): (glob,) for glob in globs} | named
        every = dict.fromkeys(glob for found in self._globs.values() for glob in found)
        self._any = re.compile(paths_source(every), _LOOSE)
        self._surely: _Patterns = {}
        self._perhaps: _Patterns = {}
        self._among: _Patterns = {}

    def hits(self, text: str, cwd: str) -> tuple[str, ...]:
        """Return the paths `text` may mean, seen from `cwd`, that are of some class."""
        return tuple(form for form in self.forms(text, cwd) if self._any.fullmatch(form))

    def perhaps(self, names: tuple[str, ...], hits: Iterable[str]) -> bool:
        """Return whether a hit is of one of some classes; some file systems know no capitals."""
        place = self._perhaps.get(names) or self._pattern(self._perhaps, names, "{}", _LOOSE)
        return any(map(place.fullmatch, hits))

    def among(self, names: tuple[str, ...], lines: str) -> bool:
        """Return whether one of many hits, one a line, may be of one of some classes."""
        flags = re.MULTILINE | re.IGNORECASE
        place = self._among.get(names) or self._pattern(self._among, names, "^{}$", flags)
        return place.search(lines) is not None

    def surely(self, name: str, text: str) -> bool:
        """Return whether the words alone prove that a path is of a class."""
        names = (name,)
        place = self._surely.get(names) or self._pattern(self._surely, names, "{}", re.DOTALL)
        return place.fullmatch(self.proven(text)) is not None

    def _pattern(
        self, made: _Patterns, names: tuple[str, ...], shape: str, flags: re.RegexFlag
    ) -> re.Pattern[str]:
        """Return what fits some classes, compiled when it is first asked for."""
        globs = [glob for name in names for glob in self._globs.get(name, ())]
        made[names] = re.compile(shape.format(paths_source(globs)), flags)
        return made[names]

    def forms(self, text: str, cwd: str) -> tuple[str, ...]:
        """Return every path `text` may mean, seen from `cwd`."""
        if not text or len(text) > _LONGEST_WRITTEN:
            return ()
        if len(text) <= LONGEST and _SIMPLE.fullmatch(text):  # most are
            inside = cwd.startswith("/") and text[0] != "/"
            whole = f"{cwd}/{text}" if inside else text
            return tuple(dict.fromkeys((text, whole, _homely(whole, self._home))))
        found = [path for path in _meant(text, cwd) if len(path) <= LONGEST]
        homely = [_homely(path, self._home) for path in found]
        return tuple(found if homely == found else dict.fromkeys((*found, *homely)))

    def proven(self, text: str) -> str:
        """Return the one path `text` is whatever the folder, empty where that is not sure."""
        if not text or len(text) > LONGEST:
            return ""
        return text if _ADDRESS.match(text) else _homely(_normal(text), self._home)


def own_class(glob: str) -> str:
    """Return the name of the class of one glob; no class of a table is called so."""
    return f"/{glob}"


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
