"""A file of a service on disk: ours by its mark, or somebody else's and not to be touched.

Source: README.md, "Services".
"""

from __future__ import annotations

import contextlib
import os
import stat
from pathlib import Path
from typing import TYPE_CHECKING

from flightdeck.errors import FlightdeckError, Refused
from flightdeck.install.units import is_ours
from flightdeck.store import files

if TYPE_CHECKING:
    from collections.abc import Iterable


def content(path: Path) -> bytes | None:
    """Return what is in a file of ours, None where there is nothing.

    Raises:
        Refused: what is there is not ours.
        FlightdeckError: it cannot be looked at.
    """
    try:
        plain = stat.S_ISREG(path.lstat().st_mode)
        found = files.read(path) if plain else b""
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise FlightdeckError(f"cannot read {path}: {error.strerror}") from error
    if plain and is_ours(found):
        return found
    what = "is not flightdeck's own" if plain else "is no plain file, so not flightdeck's own"
    raise Refused(f"{path} {what}", "move it away, or go without: flightdeck apply --no-services")


def ours(path: Path) -> bytes | None:
    """Return what is in a file of ours, None where none of ours is there.

    Raises:
        FlightdeckError: it cannot be looked at.
    """
    try:
        return content(path)
    except Refused:
        return None


def put(path: Path, data: bytes | None) -> None:
    """Make `data` the content of the file; None removes it.

    Raises:
        OSError: it is as it was.
    """
    if data is None:
        path.unlink(missing_ok=True)
    else:
        files.replace(path, data, durable=True, mode=0o644)


def take_out(folders: Iterable[str]) -> None:
    """Remove those that are empty, the innermost first."""
    for folder in sorted(folders, key=len, reverse=True):
        with contextlib.suppress(OSError):  # somebody has put things there since
            Path(folder).rmdir()


def refuse_dangling(folder: Path) -> None:
    """Make no folder where a link leads nowhere: a disk that is not mounted, say, hides there.

    Raises:
        Refused: a link on the way to `folder` leads nowhere.
    """
    for path in (folder, *folder.parents):
        if path.is_symlink() and not path.exists():
            where = f"{path} is a link to {os.readlink(path)}, which is not there"  # noqa: PTH115
            raise Refused(f"cannot write into {folder}: {where}", "mend the link, or remove it")
