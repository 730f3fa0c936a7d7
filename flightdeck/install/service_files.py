"""A file of a service on disk: ours by its mark, or somebody else's and not to be touched.

Source: README.md, "Services".
"""

from __future__ import annotations

import stat
from typing import TYPE_CHECKING

from flightdeck.errors import FlightdeckError, Refused
from flightdeck.install.units import is_ours
from flightdeck.store import files

if TYPE_CHECKING:
    from pathlib import Path


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
