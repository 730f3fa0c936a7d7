"""The files a panel is made of: where they lie, and whether one of them is another by now.

Nothing is read here but what the file system says of a file. It must not know what is in one.

Source: README.md, "Editing a layout".
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from flightdeck import shipped

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from flightdeck.store.paths import StateFolder

# What changes when a file does; of one that cannot be looked at, why.
Mark = tuple[int, ...]
_SUFFIXES = (".yaml", ".md", ".j2")


@dataclass(frozen=True, slots=True)
class Stamp:
    """Every file of some folders with its mark, and of single files `named` the same."""

    listed: frozenset[tuple[str, Mark]] = frozenset()
    named: Mapping[Path, Mark] = field(default_factory=dict)

    def differs(self, before: Stamp) -> bool:
        """Say whether a file is another than `before`; one not named then is no news."""
        if self.listed != before.listed:
            return True
        return any(self.named.get(path, mark) != mark for path, mark in before.named.items())

    def as_before(self, before: Stamp) -> Stamp:
        """Return `before` with the files that were named only since then."""
        return Stamp(before.listed, {**self.named, **before.named})


class Sources:
    """The files of one panel; which single files those are turns out as they are read."""

    def __init__(self, folder: StateFolder) -> None:
        self.risk = (folder.risk, shipped.folder("risk"))
        faces = folder.templates / "faces"
        self.faces = (shipped.folder("templates") / "faces", faces)
        own = (folder.root / "layouts", folder.verbs)
        self._folders = (*own, *map(shipped.folder, ("layouts", "verbs")), *self.risk, *self.faces)
        self._local = folder.local
        self._root = str(folder.root)
        self._templates = folder.templates
        self._in_root = {path.name for path in (folder.local, *own, folder.risk, self._templates)}
        self._named: frozenset[Path] = frozenset()

    def name(self, files: Iterable[Path]) -> None:
        """Look at these as well, those that were read last, in whatever folder they lie."""
        self._named = frozenset(path for path in files if path.parent not in self._folders)

    def stamp(self) -> Stamp:
        """Return what all files look like now."""
        named = {path: _mark(path) for path in (self._local, *self._named)}
        return Stamp(listed(self._folders), named)

    def folders(self) -> set[Path]:
        """Return the folders whose changes are news; a link is edited where it leads."""
        files = [*_files(self._folders), *self._named, self._local]
        linked = {Path(os.path.realpath(path)).parent for path in files if path.is_symlink()}
        elsewhere = {path.parent for path in self._named if path != self._local}
        return {*self._folders, *linked, *elsewhere}

    def parents(self) -> tuple[Path, ...]:
        """Return the folders that hold few of the files or none, and folders of them.

        The state folder, and the one in which that of the faces is made.
        """
        return (self._local.parent, self._templates)

    def concerns(self, path: str) -> bool:
        """Say whether a change of this path may be one of the files."""
        place, name = os.path.split(path)
        if place != self._root:
            return True
        return name in self._in_root or any(name == named.name for named in self._named)


def listed(folders: Iterable[Path]) -> frozenset[tuple[str, Mark]]:
    """Return every file of these folders that may be ours, with its mark."""
    found = [(str(path), _mark(path)) for path in _files(folders)]
    return frozenset(found)


def _files(folders: Iterable[Path]) -> list[Path]:
    found: list[Path] = []
    for folder in folders:
        try:
            names = os.listdir(folder)  # noqa: PTH208 - several times a second
        except OSError:
            continue
        found += [folder / n for n in names if n.endswith(_SUFFIXES) and not n.startswith(".")]
    return found


def _mark(path: Path) -> Mark:
    """Return what tells a file from what it was: the time of any change to it above all.

    That time also tells of a mode that was changed, and nobody can turn it back.
    """
    try:
        told = os.stat(path)  # noqa: PTH116 - several times a second
    except OSError as error:
        return (error.errno or -1,)
    return (told.st_dev, told.st_ino, told.st_size, told.st_mtime_ns, told.st_ctime_ns)
