"""`halt`: the latch. While anything stands at that name, no hook lets a tool call through.

What stands there is not read: an empty file, a folder or a link that leads nowhere all
count, as they do for the hook. A state folder that may not be looked into counts too,
because then nobody can tell that the latch is not there.

Source: README.md, "HALT"; templates/hooks/brakes.sh.j2.
"""

from __future__ import annotations

import contextlib
import logging
import os
from typing import TYPE_CHECKING

from flightdeck.errors import Refused

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from flightdeck.store.paths import StateFolder

_LOG = logging.getLogger(__name__)


def stands(folder: StateFolder) -> bool:
    """Say whether the fleet is halted; never raises."""
    try:
        os.lstat(folder.halt)
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError:
        return True
    return True


def put(folder: StateFolder) -> bool:
    """Set the latch, on disk before this returns; say whether it was not there before.

    Raises:
        Unavailable: it could not be set; nothing is halted.
    """
    try:
        folder.root.mkdir(mode=0o700, parents=True, exist_ok=True)
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
        handle = os.open(folder.halt, flags, 0o600)
    except FileExistsError:
        if stands(folder):
            return False
        raise folder.unusable(NotADirectoryError(0, "it is not a folder")) from None
    except OSError as error:
        if stands(folder):
            return False
        raise folder.unusable(error) from error
    try:
        _forced(folder.halt, lambda: os.fsync(handle))
    finally:
        os.close(handle)
    _forced(folder.root, lambda: _sync_folder(folder.root))
    return True


def lift(folder: StateFolder) -> bool:
    """Take the latch away; say whether it was there.

    Raises:
        Refused: what stands there is not a file, and cannot simply be taken away.
        Unavailable: it could not be taken away; the fleet is still halted.
    """
    try:
        _take_away(folder.halt)
    except FileNotFoundError:
        return False
    except NotADirectoryError:
        return False
    except OSError as error:
        if folder.halt.is_dir() and not folder.halt.is_symlink():
            raise Refused(
                f"'{folder.halt}' is a folder with things in it: the fleet stays halted",
                "look into it, then remove it by hand",
            ) from error
        raise folder.unusable(error) from error
    _forced(folder.root, lambda: _sync_folder(folder.root))
    return True


def _take_away(path: Path) -> None:
    """Remove a file, a link or an empty folder: none of them holds anything."""
    if path.is_dir() and not path.is_symlink():
        path.rmdir()
    else:
        path.unlink()


def _sync_folder(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _forced(path: Path, sync: Callable[[], None]) -> None:
    """Force to disk what holds already: that it may not outlast a power cut undoes nothing."""
    with contextlib.suppress(OSError):
        sync()
        return
    _LOG.warning("%s could not be forced to disk", path)
