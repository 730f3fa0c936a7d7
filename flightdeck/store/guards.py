"""`blocked/<session id>`: the resumed guard's one test.

A file stands there while a tool call of that session would be news; the hook spools
the call only then.
"""

from __future__ import annotations

import contextlib
import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


class Guards:
    """The guard files, touched only where they change."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._armed: set[str] | None = None

    def forget(self) -> None:
        """Look at the folder again next time: another process may have folded."""
        self._armed = None

    def arm(self, wanted: set[str]) -> None:
        """Make the guard files be exactly those of `wanted` session ids."""
        if self._armed is None:
            self._armed = self._standing()
        for name in wanted - self._armed:
            with contextlib.suppress(OSError):  # the next time tries again
                (self.folder / name).touch(mode=0o600)
                self._armed.add(name)
        for name in self._armed - wanted:
            with contextlib.suppress(OSError):
                (self.folder / name).unlink()
            self._armed.discard(name)

    def _standing(self) -> set[str]:
        try:
            return set(os.listdir(self.folder))  # noqa: PTH208 - names are all that is wanted
        except OSError:
            return set()
