"""The one thread that writes to the deck: only keys whose bytes differ are written.

The library's `set_key_image` takes no lock, so nothing else may write.
"""

from __future__ import annotations

import logging
import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING

from flightdeck.errors import Unavailable
from flightdeck.system import clock

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from flightdeck.model.deck import Position
    from flightdeck.model.keyview import KeyView
    from flightdeck.model.row import Aim
    from flightdeck.ports import Deck

_LOG = logging.getLogger(__name__)
# What a key was aimed at before that is of no use to a press any more.
_REMEMBERED = 8


@dataclass(frozen=True, slots=True)
class Stood:
    """What a verdict key was aimed at, and since when that has been on the deck, monotonic."""

    aim: Aim
    since: float


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
        self._wanted: dict[int, tuple[KeyView, Aim | None]] = {}
        self._shown: dict[int, tuple[bytes, str]] = {}
        self._painted: dict[int, tuple[KeyView, Aim | None]] = {}
        self._stood: dict[int, tuple[Stood, ...]] = {}
        # Since when each key shows what it is to show, as far as that can be drawn.
        self._since: dict[int, float] = {}
        # Keys whose picture may be another than that of the last they stood for.
        self._unsure: set[int] = set()
        self._stopped = False
        self._idle = True
        self.writes = 0
        # What a key shows that could not be drawn: nobody can read there what it stands for.
        self.torn = b""
        self._thread = threading.Thread(target=self._run, name="painter", daemon=True)

    def start(self) -> None:
        """Begin to paint."""
        self._thread.start()

    def show(
        self, views: Mapping[Position, KeyView], aims: Mapping[Position, Aim] | None = None
    ) -> None:
        """Make these the wanted faces, and `aims` what they stand for; returns at once."""
        grid, aims = self._deck.model.grid, aims or {}
        with self._changed:
            wanted = {grid.index(p): (view, aims.get(p)) for p, view in views.items()}
            if wanted != self._wanted:
                self._wanted = wanted
                self._idle = False
                self._changed.notify_all()

    def stood(self, index: int) -> tuple[Stood, ...]:
        """Return what a key was aimed at lately, as far as it reached the deck, oldest first.

        Nothing while that cannot be told: its next face is being written, or was not drawn.
        """
        with self._changed:
            return () if index in self._unsure else self._stood.get(index, ())

    def shown_since(self, index: int) -> float | None:
        """Return since when a key shows what it is to show, monotonic; None: it does not yet."""
        with self._changed:
            if self._painted.get(index) != self._wanted.get(index):
                return None
            return self._since.get(index)

    def follow(self, native: Callable[[KeyView], bytes]) -> None:
        """Let `native` draw from now on, what is on the keys as well."""
        with self._changed:
            if native != self._native:
                self._native, self._idle = native, False
                self._painted.clear()
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
            index, view, aim = work
            try:
                self._paint(index, view, aim)
            except Unavailable as error:
                self._lost(error)
                self.stop()
                return

    def _next(self) -> tuple[int, KeyView, Aim | None] | None:
        """Wait for a key whose wanted view is not the painted one; None when stopped."""
        with self._changed:
            while not self._stopped:
                for index, wanted in self._wanted.items():
                    if self._painted.get(index) != wanted:
                        return index, *wanted
                self._idle = True
                self._changed.notify_all()
                self._changed.wait()
            return None

    def _paint(self, index: int, view: KeyView, aim: Aim | None) -> None:
        self._since.pop(index, None)
        # Even if it fails: the same view would fail again, and for ever.
        self._painted[index] = (view, aim)
        self._draw(index, view, aim)
        self._since[index] = clock.monotonic()

    def _draw(self, index: int, view: KeyView, aim: Aim | None) -> None:
        try:
            image = self._native(view)
        except Exception:  # a face's bug costs that key its picture, no other one
            _LOG.exception("key %d keeps what it shows", index)
            return
        if self._shown.get(index) != (image, view.name):
            self._begin(index, aim)
            self._write(index, image, view.name)
            self._shown[index] = (image, view.name)
            self.writes += 1
        if aim is not None and image != self.torn:
            self._note(index, aim)

    def _begin(self, index: int, aim: Aim | None) -> None:
        """From now on the deck may show a face that means something else."""
        with self._changed:
            before = self._stood.get(index, ())
            if before and before[-1].aim != aim:
                self._unsure.add(index)

    def _note(self, index: int, aim: Aim) -> None:
        """Remember since when a key has meant this; a new picture of it changes nothing."""
        with self._changed:
            before = self._stood.get(index, ())
            if index in self._unsure or not before or before[-1].aim != aim:
                self._unsure.discard(index)
                stood = Stood(aim, clock.monotonic())
                self._stood[index] = (*before[1 - _REMEMBERED :], stood)

    def _write(self, index: int, image: bytes, name: str) -> None:
        try:
            self._deck.write_key(index, image, name)
        except Unavailable:
            raise
        except Exception as error:  # a driver's bug must end the panel, not blind it
            _LOG.exception("writing key %d", index)
            raise Unavailable(f"the {self._deck.name} deck failed: {error}") from error
