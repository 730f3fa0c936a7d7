"""The one thread that writes to the deck: only keys whose bytes differ are written.

The library's `set_key_image` takes no lock, so nothing else may write.
"""

from __future__ import annotations

import logging
import threading
from typing import TYPE_CHECKING

from flightdeck.errors import Unavailable

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from flightdeck.model.deck import Position
    from flightdeck.model.keyview import KeyView
    from flightdeck.ports import Deck

_LOG = logging.getLogger(__name__)


class Painter:
    """Draws and writes what it was last told to show; what it missed in between is skipped."""

    def __init__(
        self, deck: Deck, native: Callable[[KeyView], bytes], lost: Callable[[Unavailable], None]
    ) -> None:
        """`native` draws a view; `lost` is called once, from this thread, if the deck goes."""
        self._deck = deck
        self._native = native
        self._lost = lost
        self._changed = threading.Condition()
        self._wanted: dict[int, KeyView] = {}
        self._shown: dict[int, tuple[bytes, str]] = {}
        self._painted: dict[int, KeyView] = {}
        self._stopped = False
        self._idle = True
        self.writes = 0
        self._thread = threading.Thread(target=self._run, name="painter", daemon=True)

    def start(self) -> None:
        """Begin to paint."""
        self._thread.start()

    def show(self, views: Mapping[Position, KeyView]) -> None:
        """Make these the wanted faces; returns at once."""
        grid = self._deck.model.grid
        with self._changed:
            wanted = {grid.index(position): view for position, view in views.items()}
            if wanted != self._wanted:
                self._wanted = wanted
                self._idle = False
                self._changed.notify_all()

    def settle(self, timeout_s: float) -> bool:
        """Wait until everything wanted is on the deck; False if it took longer."""
        with self._changed:
            return self._changed.wait_for(lambda: self._idle or self._stopped, timeout_s)

    def stop(self) -> None:
        """Stop painting; what is on the deck stays."""
        with self._changed:
            self._stopped = True
            self._changed.notify_all()
        if self._thread.is_alive() and self._thread is not threading.current_thread():
            self._thread.join(timeout=5)

    def _run(self) -> None:
        while (work := self._next()) is not None:
            index, view = work
            try:
                self._paint(index, view)
            except Unavailable as error:
                self._lost(error)
                self.stop()
                return

    def _next(self) -> tuple[int, KeyView] | None:
        """Wait for a key whose wanted view is not the painted one; None when stopped."""
        with self._changed:
            while not self._stopped:
                for index, view in self._wanted.items():
                    if self._painted.get(index) != view:
                        return index, view
                self._idle = True
                self._changed.notify_all()
                self._changed.wait()
            return None

    def _paint(self, index: int, view: KeyView) -> None:
        # Even if it fails: the same view would fail again, and for ever.
        self._painted[index] = view
        try:
            image = self._native(view)
        except Exception:  # a face's bug costs that key its picture, no other one
            _LOG.exception("key %d keeps what it shows", index)
            return
        if self._shown.get(index) != (image, view.name):
            self._write(index, image, view.name)
            self._shown[index] = (image, view.name)
            self.writes += 1

    def _write(self, index: int, image: bytes, name: str) -> None:
        try:
            self._deck.write_key(index, image, name)
        except Unavailable:
            raise
        except Exception as error:  # a driver's bug must end the panel, not blind it
            _LOG.exception("writing key %d", index)
            raise Unavailable(f"the {self._deck.name} deck failed: {error}") from error
