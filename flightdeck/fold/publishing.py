"""The public snapshot, written only when it is another one, and told only when it is news.

What stands on disk and what was last told are two things: another process may write too.

Source: README.md, "The state folder".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from flightdeck.store import snapshot

if TYPE_CHECKING:
    from pathlib import Path
    from typing import Any

    from flightdeck.model.fleet import Fleet


class Publisher:
    """Keeps the snapshot at `path` that of the fleet."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._written: dict[str, Any] | None = None
        self._told: dict[str, Any] | None = None

    def forget(self) -> None:
        """Read what stands on disk the next time: another process may have folded."""
        self._written = None

    def publish(self, fleet: Fleet, panel: dict[str, Any]) -> str | None:
        """Make the snapshot on disk be this one, and return it if it is news.

        Raises:
            OSError: it could not be written; the old one stands.
        """
        data = snapshot.fleet_json(fleet, panel)
        if self._written is None or not self._path.exists():
            self._written = snapshot.read(self._path)
        if self._told is None:
            self._told = self._written
        if data != self._written:
            snapshot.write(self._path, data)
            self._written = data
        if data == self._told:
            return None
        self._told = data
        return snapshot.text(data)

    def remembered(self) -> dict[str, int]:
        """Return which session key the last snapshot showed on which slot."""
        return snapshot.remembered_slots(self._path)
