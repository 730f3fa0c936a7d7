"""Thumbs on keys, told to the panel so that no deck can stick, stutter or die of it.

A key goes down once and comes up once, however many pages or reports speak of it,
and a key whose deck or page went away comes up too: a lost release must never
read as a hold. Knows nothing of what a press means.

Source: streamdeck-linux-gui/streamdeck-linux-gui#249 (a raising callback kills a
reader thread); timothycrosley/streamdeck-ui#131 (a release that never comes).
"""

from __future__ import annotations

import logging
import threading
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from flightdeck.ports import OnKey

_log = logging.getLogger(__name__)


def tell(on_key: OnKey, index: int, at: float, *, down: bool, lost: bool = False) -> None:
    """Call `on_key`; whatever it raises is logged with the key, not passed on."""
    try:
        on_key(index, down, at, lost=lost)
    except Exception:  # a deck's own thread must outlive any fault of the panel
        _log.exception("the panel failed on key %d %s", index, "down" if down else "up")


class Presses:
    """Which keys are held, and by whom; may be called from any thread.

    `by` names whoever holds: the hardware, or one browser page.
    """

    def __init__(self, on_key: OnKey, keys: int) -> None:
        self._on_key = on_key
        self._keys = keys
        self._held: dict[int, set[str]] = {}
        # Held while the panel is told, so that it hears edges in the order they happened.
        self._lock = threading.Lock()

    def down(self, index: int, by: str, at: float) -> None:
        """Note that `by` pressed a key at `at` (monotonic seconds); keys not there are ignored."""
        if not 0 <= index < self._keys:
            return
        with self._lock:
            holders = self._held.setdefault(index, set())
            first = not holders
            holders.add(by)
            if first:
                tell(self._on_key, index, at, down=True)

    def up(self, index: int, by: str, at: float) -> None:
        """Note that `by` let a key go; it comes up when nobody else holds it."""
        with self._lock:
            self._let_go(index, by, at)

    def gone(self, by: str, at: float) -> None:
        """Let go of everything `by` holds: it will never say so itself."""
        with self._lock:
            for index in sorted(self._held):
                self._let_go(index, by, at, lost=True)

    def end(self, at: float) -> None:
        """Lift every key, then tell nothing more: the deck is closing."""
        with self._lock:
            for index in sorted(self._held):
                tell(self._on_key, index, at, down=False, lost=True)
            self._held.clear()
            self._keys = 0

    def _let_go(self, index: int, by: str, at: float, *, lost: bool = False) -> None:
        holders = self._held.get(index, set())
        if by not in holders:
            return
        holders.discard(by)
        if not holders:
            del self._held[index]
            tell(self._on_key, index, at, down=False, lost=lost)
