"""Sees that the files of the panel were edited, and has them read: on a thread of its own.

A watch wakes it, what the files look like decides: editors write beside and rename, write
in several goes, write twice. So an edit is read once the files have stood still, and what
was read is used only if they stood still meanwhile.

Source: README.md, "Editing a layout".
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Protocol

from flightdeck.store.watch import Watch

if TYPE_CHECKING:
    from collections.abc import Callable

    from flightdeck.panel.messages import Edited
    from flightdeck.panel.sources import Sources, Stamp

# How often is looked where nothing can be watched, and beside a watch, which may have died.
LOOK_S = 0.2
WATCHED_S = 10.0
# How long files must have stood still: an editor's next write comes sooner.
SETTLE_S = 0.05


class Files(Protocol):
    """Who reads the files."""

    sources: Sources
    before: Stamp

    def again(self) -> Edited:
        """Return what they say now."""


class Reloading:
    """Calls `tell` with what the files say, from its own thread, after every edit."""

    def __init__(self, files: Files, tell: Callable[[Edited], None]) -> None:
        self._files = files
        self._tell = tell
        self._woken = threading.Event()
        self._ended = threading.Event()
        self.watch = Watch(self._woken.set, files.sources.concerns)
        self._thread = threading.Thread(target=self._run, name="reloading", daemon=True)

    def start(self) -> None:
        """Begin to look; an edit since the files were read first is seen as well."""
        self._thread.start()

    def close(self) -> None:
        """Look no more."""
        self._ended.set()
        self._woken.set()
        if self._thread.ident is not None:
            self._thread.join(timeout=5)
        self.watch.close()

    def _run(self) -> None:
        seen, sources = self._files.before, self._files.sources
        while not self._ended.is_set():
            self._woken.clear()
            self.watch.tend(sources.folders(), sources.parents())
            # Again: a folder made in another just before that was watched is found now.
            watched = self.watch.tend(sources.folders(), sources.parents())
            if sources.stamp().differs(seen):
                seen = self._edited()
            if not self._ended.is_set():
                self._woken.wait(WATCHED_S if watched else LOOK_S)

    def _edited(self) -> Stamp:
        """Have the files read as they stand still, tell, and return how they then looked."""
        while not self._ended.is_set():
            stands = self._still()
            edited = self._files.again()
            after = self._files.sources.stamp()
            if not after.differs(stands):
                if not self._ended.is_set():
                    self._tell(edited)
                self._woken.set()  # which files there are may have turned out only now
                return after
        return self._files.before

    def _still(self) -> Stamp:
        before = self._files.sources.stamp()
        while not self._ended.wait(SETTLE_S):
            now = self._files.sources.stamp()
            if not now.differs(before):
                return now
            before = now
        return before
