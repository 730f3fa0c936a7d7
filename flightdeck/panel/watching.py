"""Where the panel hears of news: the inbox, the agents' registries, and what others leave for it.

Anybody may set the latch, gate a session or select one without asking the panel, with nothing
but a file. Every fold writes beside those files, so of the state folder itself only their
names are news.

Source: README.md, "The state folder".
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from flightdeck.store.watch import Watch

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from flightdeck.store.paths import StateFolder


class Watching:
    """Calls `wake`, from a thread of its own, when a look at the fleet may find something new."""

    def __init__(self, folder: StateFolder, wake: Callable[[], None]) -> None:
        self._loud = (folder.inbox,)
        self._parents = (folder.root, folder.gate)
        self._root = str(folder.root)
        self._news = {path.name for path in (folder.halt, folder.selected, folder.gate)}
        self._watch = Watch(wake, self._concerns)

    def tend(self, elsewhere: Iterable[Path]) -> bool:
        """Watch what is there by now, `elsewhere` as well; cheap, call it often.

        Returns whether all of it is watched: where not, only looking often finds news.
        """
        return self._watch.tend((*self._loud, *elsewhere), self._parents)

    def close(self) -> None:
        """Wake nobody any more; may be called twice."""
        self._watch.close()

    def _concerns(self, path: str) -> bool:
        place, name = os.path.split(path)
        return place != self._root or name in self._news
