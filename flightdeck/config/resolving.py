"""A layout file and everything it stands on, as one document.

`extends` names one parent, which may have one itself; the first of them stands on the shipped
xl. Each piece of the result says which file it was written in.

Source: layouts/README.md, "Standing on another layout".
"""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from flightdeck import shipped
from flightdeck.config.document import read_document
from flightdeck.config.merging import EXTENDS, laid_over, standing_on
from flightdeck.config.nodes import Document, Entry, Mapping, mapping_in_file
from flightdeck.config.reader import Reader, choices, quoted
from flightdeck.config.text import shown
from flightdeck.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Callable

    from flightdeck.store.paths import StateFolder

DEFAULT = "xl"

# Whoever reads the last of them has to keep all of them in mind.
MOST_PARENTS = 8


def layout_places(folder: StateFolder | None) -> tuple[Path, ...]:
    """Return the folders names are looked for in, the one that wins first."""
    own = (folder.root / "layouts",) if folder else ()
    return (*own, shipped.folder("layouts"))


def shipped_default() -> Path:
    """Return the layout that stands on no other, and every other on it."""
    return shipped.folder("layouts") / f"{DEFAULT}.yaml"


def is_path(wanted: str) -> bool:
    """Say whether somebody who asks for a layout gives its file, not its name."""
    return "/" in wanted or wanted.endswith(".yaml")


def resolved(
    path: Path, document: Document, folder: StateFolder | None, trail: tuple[Path, ...] = ()
) -> Document:
    """Return `document`, which was read from `path`, with all it stands on.

    Names are looked for in `folder`, the state folder, and among the shipped layouts; `trail`
    are the files that led here.

    Raises:
        ConfigError: a parent is not there, cannot be read, or stands on what led to it.
    """
    root = document.root
    if not isinstance(root, Mapping):
        return document
    entry = next((one for one in root.entries if one.key.text == EXTENDS), None)
    if entry is not None:
        trail = (*trail, path)
        there = _extended(Reader(document), entry, trail, folder)
        parent = resolved(there, _read_parent(there, document, entry), folder, trail)
        return _over(document, root, parent, laid_over)
    if _same(path, shipped_default()):
        return document
    return _over(document, root, _shipped_document(), standing_on)


def _over(
    child: Document, own: Mapping, parent: Document, merge: Callable[[Mapping, Mapping], Mapping]
) -> Document:
    theirs = parent.root
    merged = (
        merge(own, mapping_in_file(theirs, parent.file)) if isinstance(theirs, Mapping) else own
    )
    return replace(
        child,
        root=merged,
        faults=(*child.faults, *parent.faults),
        parents=(parent, *parent.parents),
    )


def _extended(
    reader: Reader, entry: Entry, trail: tuple[Path, ...], folder: StateFolder | None
) -> Path:
    """Return the file `entry` of the last file of `trail` names.

    Raises:
        ConfigError: it names none, or one that led here.
    """
    wanted = reader.text(entry.key, entry.value)
    found = None if wanted is None else _found(reader, entry, wanted, trail[-1], folder)
    if found is None or not _leads_on(reader, entry, found, trail):
        raise ConfigError(reader.problems)
    return found


def _leads_on(reader: Reader, entry: Entry, found: Path, trail: tuple[Path, ...]) -> bool:
    """Say whether following `found` comes to an end; if not, that is noted."""
    if any(_same(found, one) for one in trail):
        ring = " -> ".join(shown(one) for one in (*trail, found))
        reader.report(entry.value, "a layout that stands on itself", f"break the ring: {ring}")
        return False
    if len(trail) > MOST_PARENTS:
        told = f"a layout with more than {MOST_PARENTS} below it"
        reader.report(entry.value, told, "put some of them into one")
        return False
    return True


def _found(
    reader: Reader, entry: Entry, wanted: str, here: Path, folder: StateFolder | None
) -> Path | None:
    """Return the file a parent is asked for with; a name nobody has is noted."""
    if is_path(wanted):
        return _beside(here, wanted)
    places = layout_places(folder)
    # A layout that extends its own name means the one it hides.
    fitting = (place / f"{wanted}.yaml" for place in places)
    found = next((path for path in fitting if _is_file(path) and not _same(path, here)), None)
    if found is None:
        names = sorted({path.stem for place in places for path in place.glob("*.yaml")})
        reader.report(entry.value, f"no layout is called {quoted(wanted)}", choices(wanted, names))
    return found


def _beside(here: Path, wanted: str) -> Path:
    """Return the file at a path that starts where `here` is, or where the link `here` leads."""
    if wanted.startswith("~/"):
        return Path.home() / wanted[2:]
    there = Path(os.path.realpath(here)).parent / wanted
    return there if _is_file(there) and not _is_file(here.parent / wanted) else here.parent / wanted


def _is_file(path: Path) -> bool:
    return os.path.isfile(path)  # noqa: PTH113 - Path.is_file raises where a name is too long


def _read_parent(path: Path, child: Document, entry: Entry) -> Document:
    """Return the tree of a parent.

    Raises:
        ConfigError: it cannot be read, told where it is named, or it has faults of its own.
    """
    file = shown(path)
    try:
        parent = read_document(path, file, trusted=path.parent == shipped.folder("layouts"))
    except ConfigError as error:
        of_all = [one for one in error.problems if not one.location.line]
        faults = [child.problem(entry.value.span, f"{file} {p.message}", p.hint) for p in of_all]
        raise ConfigError([*child.faults, *faults, *set(error.problems) - set(of_all)]) from error
    if not isinstance(parent.root, Mapping):
        told, hint = f"{file} declares no layout", "it holds no sections: name another"
        raise ConfigError([*child.faults, child.problem(entry.value.span, told, hint)])
    return parent


def _same(one: Path, other: Path) -> bool:
    return os.path.realpath(one) == os.path.realpath(other)


def _shipped_document() -> Document:
    path = shipped_default()
    return read_document(path, shown(path), trusted=True)
