"""The decks a person may choose, by name; each driver is imported only when it is chosen.

A new kind of deck is one module and one line in `_MAKERS`.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from flightdeck.errors import FlightdeckError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from flightdeck.model.deck import DeckModel
    from flightdeck.ports import Deck

_log = logging.getLogger(__name__)


def make_deck(choice: str, wanted: DeckModel, *, record: Path | None, port: int) -> Deck:
    """Return the deck `choice` names for a layout made for `wanted`; it is not open yet.

    `record` is the folder that keeps every picture; `port` is the browser's, 0 means
    any free one.

    Raises:
        FlightdeckError: there is no such choice.
        Unavailable: the deck asked for is not attached.
        Refused: its grid is not the layout's.
    """
    maker = _MAKERS.get(choice)
    if maker is None:
        raise FlightdeckError(f"unknown deck '{choice}'", f"choose one of {', '.join(CHOICES)}")
    return maker(wanted, record, port)


def _auto(wanted: DeckModel, record: Path | None, port: int) -> Deck:
    """Return the attached deck if its grid is the layout's, else the browser."""
    from flightdeck.decks.hardware import attached  # noqa: PLC0415 - see the module

    there = attached()
    if any(deck.model and deck.grid == wanted.grid for deck in there):
        return _hardware(wanted, record, port)
    for deck in there:
        _log.warning(
            "the %s attached does not fit: it has %d x %d keys, the layout is for %d x %d",
            *(deck.title, deck.grid.columns, deck.grid.rows),
            *(wanted.grid.columns, wanted.grid.rows),
        )
    return _browser(wanted, record, port)


def _hardware(wanted: DeckModel, record: Path | None, _port: int) -> Deck:
    from flightdeck.decks.hardware import Hardware  # noqa: PLC0415 - see the module

    return _taped(Hardware.find(wanted), record)


def _browser(wanted: DeckModel, record: Path | None, port: int) -> Deck:
    from flightdeck.decks.browser import Browser  # noqa: PLC0415 - see the module

    return _taped(Browser(wanted, port), record)


def _recorder(wanted: DeckModel, record: Path | None, _port: int) -> Deck:
    from flightdeck.decks.recorder import Recorder  # noqa: PLC0415 - see the module

    return Recorder(wanted, record)


def _taped(deck: Deck, record: Path | None) -> Deck:
    if record is None:
        return deck
    from flightdeck.decks.taped import Taped  # noqa: PLC0415 - see the module

    return Taped(deck, record)


_MAKERS: dict[str, Callable[[DeckModel, Path | None, int], Deck]] = {
    "auto": _auto,
    "hardware": _hardware,
    "browser": _browser,
    "recorder": _recorder,
}
CHOICES = tuple(_MAKERS)
