"""Folders on the way to a file of ours: made for their owner, taken out again if empty.

Knows no settings and no services.

Source: README.md, "Uninstall".
"""

from __future__ import annotations

import contextlib
import os
from pathlib import Path
from typing import TYPE_CHECKING

from flightdeck.errors import Refused

if TYPE_CHECKING:
    from collections.abc import Iterable


def missing(folder: Path) -> list[Path]:
    """Return `folder` and those above it as far as they are not there, the outermost first."""
    return [path for path in (*reversed(folder.parents), folder) if not path.exists()]


def make_private(folder: Path) -> None:
    """Make a folder and those above it; `mkdir` alone gives the mode to the last one only.

    Raises:
        OSError: one of them cannot be made.
    """
    for path in missing(folder):
        path.mkdir(mode=0o700, exist_ok=True)


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
