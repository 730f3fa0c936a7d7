"""What takes long is told at a terminal while it lasts, and wiped out once it is over.

Source: README.md, "The command line".
"""

from __future__ import annotations

import os
import sys
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

# What takes less needs no word about it.
_PATIENCE_S = 0.5


def _terminal() -> bool:
    if sys.stderr is None:  # somebody has closed it
        return False
    return sys.stderr.isatty() and os.environ.get("TERM", "dumb") != "dumb"


@contextmanager
def waiting(what: str) -> Iterator[None]:
    """Say at a terminal what takes so long; nothing else may be said meanwhile.

    An empty `what` is never told.
    """
    if not what or not _terminal():
        yield
        return
    said: list[str] = []

    def say() -> None:
        said.append(what)
        sys.stderr.write(f"{what} ...")
        sys.stderr.flush()

    timer = threading.Timer(_PATIENCE_S, say)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()
        if said:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
