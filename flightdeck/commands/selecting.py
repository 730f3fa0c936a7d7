"""Selecting a session, for every command that does: the file is the one truth of it."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

from flightdeck.commands.panel_door import ask_panel
from flightdeck.errors import FlightdeckError
from flightdeck.store import selection

if TYPE_CHECKING:
    from flightdeck.store.paths import StateFolder


def select_session(folder: StateFolder, key: str) -> None:
    """Make the session with `key` the one rows 2 and 3 act on first.

    Raises:
        Unavailable: the state folder cannot be written.
    """
    try:
        selection.write(folder, key)
    except OSError as error:
        raise folder.unusable(error) from error


def show_selected(folder: StateFolder, slot: int) -> None:
    """Let the running panel's keys show at once what is selected already; never raises."""
    with contextlib.suppress(FlightdeckError):
        ask_panel(folder, {"do": "select", "slot": slot})
