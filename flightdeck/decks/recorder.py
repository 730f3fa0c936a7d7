"""A deck without a device: it keeps every picture, and a test or a demo is its thumb.

Its pictures are upright PNGs of the layout's own key size, so a frame on disk is
what a person would have seen. With no folder it records in memory only.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from flightdeck.decks.presses import tell
from flightdeck.decks.recording import MOST_FRAMES, Recording, contact_sheet
from flightdeck.errors import Unavailable
from flightdeck.model.deck import Codec, KeyFormat
from flightdeck.system import clock

if TYPE_CHECKING:
    from pathlib import Path

    from flightdeck.model.deck import DeckModel
    from flightdeck.ports import OnKey


class Recorder:
    """Records what it is shown and plays presses; see `Recording` for what lies in the folder."""

    def __init__(self, model: DeckModel, folder: Path | None, most: int = MOST_FRAMES) -> None:
        self._model = replace(model, key=KeyFormat(model.key.width, model.key.height, Codec.PNG))
        self._folder = folder
        self._recording = Recording(self._model, folder, most) if folder else None
        self._current: dict[int, bytes] = {}
        self._names: dict[int, str] = {}
        self._on_key: OnKey | None = None

    @property
    def name(self) -> str:
        """Return `recorder`."""
        return "recorder"

    @property
    def model(self) -> DeckModel:
        """The layout's deck, its pictures upright PNGs."""
        return self._model

    @property
    def where(self) -> str:
        """The folder it records into, or `memory`."""
        return str(self._folder) if self._folder else "memory"

    def open(self, on_key: OnKey) -> None:
        """Start recording.

        Raises:
            Unavailable: the folder cannot be written.
        """
        if self._recording:
            self._recording.start()
        self._on_key = on_key

    def write_key(self, index: int, image: bytes, name: str) -> None:
        """Keep `image` as the key's picture.

        Raises:
            IndexError: the deck has no such key.
            Unavailable: it is not open.
        """
        if not 0 <= index < self._model.grid.keys:
            raise IndexError(f"no key {index} on {self._model.title}")
        self._listener()
        self._current[index] = image
        self._names[index] = name
        if self._recording:
            self._recording.keep(index, image, name)

    def set_brightness(self, percent: int) -> None:
        """Do nothing: a file has no brightness."""

    def close(self) -> None:
        """Stop recording and leave the contact sheet; never raises."""
        was_open, self._on_key = self._on_key is not None, None
        if self._recording and was_open:
            self._recording.finish(self._current)

    def current(self, index: int) -> bytes:
        """Return the picture the key shows, or b"" if it was never written."""
        return self._current.get(index, b"")

    def current_name(self, index: int) -> str:
        """Return what a screen reader would say of the key, or "" if it was never written."""
        return self._names.get(index, "")

    def contact_sheet(self) -> bytes:
        """Return a PNG of the whole deck as it stands."""
        return contact_sheet(self._model, self._current)

    def press(self, index: int) -> None:
        """Put the thumb down on a key.

        Raises:
            Unavailable: it is not open.
        """
        tell(self._listener(), index, clock.monotonic(), down=True)

    def release(self, index: int) -> None:
        """Lift the thumb off a key.

        Raises:
            Unavailable: it is not open.
        """
        tell(self._listener(), index, clock.monotonic(), down=False)

    def _listener(self) -> OnKey:
        if self._on_key is None:
            raise Unavailable("the recorder is not open")
        return self._on_key
