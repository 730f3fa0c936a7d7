"""Any deck with a recording running beside it: `--record` on hardware or in the browser."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flightdeck.decks.recording import Recording

if TYPE_CHECKING:
    from pathlib import Path

    from flightdeck.model.deck import DeckModel
    from flightdeck.ports import Deck, OnKey


class Taped:
    """The deck inside, unchanged; every picture it was shown is kept as well."""

    def __init__(self, deck: Deck, folder: Path) -> None:
        self._deck = deck
        self._recording = Recording(deck.model, folder)
        self._current: dict[int, bytes] = {}
        self._running = False

    @property
    def name(self) -> str:
        """The name of the deck inside."""
        return self._deck.name

    @property
    def model(self) -> DeckModel:
        """The model of the deck inside."""
        return self._deck.model

    @property
    def where(self) -> str:
        """Where the deck inside is found."""
        return self._deck.where

    def open(self, on_key: OnKey) -> None:
        """Open the deck and start the recording.

        Raises:
            Unavailable: the deck is not there, or the folder cannot be written.
        """
        self._recording.start()
        self._running = True
        try:
            self._deck.open(on_key)
        except BaseException:
            self.close()
            raise

    def write_key(self, index: int, image: bytes, name: str) -> None:
        """Show the picture, then keep it.

        Raises:
            Unavailable: the deck has gone.
        """
        self._deck.write_key(index, image, name)
        self._current[index] = image
        self._recording.keep(index, image, name)

    def set_brightness(self, percent: int) -> None:
        """Set the brightness of the deck inside."""
        self._deck.set_brightness(percent)

    def close(self) -> None:
        """Close the deck, then leave the contact sheet; never raises."""
        self._deck.close()
        if self._running:
            self._running = False
            self._recording.finish(self._current)
