"""Where the board has the fleet from: a running panel's snapshot, or a fold of its own.

One folds at a time: while a panel runs, this only reads what it wrote.

Source: README.md, "The state folder".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flightdeck.errors import FlightdeckError
from flightdeck.fold.opening import fold_once, open_fold, panel_json
from flightdeck.model.fleet import Fleet
from flightdeck.store import snapshot

if TYPE_CHECKING:
    from flightdeck.fold.folding import Fold
    from flightdeck.store.paths import StateFolder

_Mark = tuple[int, int, int]


class Fleets:
    """The fleet as it is at each look."""

    def __init__(self, folder: StateFolder) -> None:
        self._folder = folder
        self._fold: Fold | None = None
        self._fleet = Fleet()
        self._mark: _Mark | None = None

    def look(self) -> tuple[Fleet, dict[str, Any]]:
        """Return the fleet now, and the `panel` part of its snapshot.

        Raises:
            Unavailable: no panel runs, and the state folder cannot be used.
        """
        panel = panel_json(self._folder)
        if panel["running"]:
            self._fold = None
            self._read()
            return self._fleet, panel
        self._mark = None
        if self._fold is None:
            self._fold = open_fold(self._folder)
        try:
            outcome, panel = fold_once(self._fold)
        except FlightdeckError:
            self._fold = None  # its folder may have been removed: the next one makes it anew
            raise
        self._fleet = outcome.fleet
        return self._fleet, panel

    def _read(self) -> None:
        """Take in the snapshot if it is another one; what cannot be read leaves the last."""
        mark = self._stamp()
        if mark is None or mark == self._mark:
            return
        try:
            self._fleet = snapshot.fleet_from_json(snapshot.read(self._folder.slots))
        except ValueError:
            return
        self._mark = mark

    def _stamp(self) -> _Mark | None:
        try:
            told = self._folder.slots.stat()
        except OSError:
            return None
        return (told.st_ino, told.st_mtime_ns, told.st_size)
