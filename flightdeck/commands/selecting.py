"""Selecting a session, for every command that does, and whom a terminal saw selected.

The file is the one truth of it, and names the session: a slot may change hands between a
look at it and what is done about it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from flightdeck.commands.panel_door import ask_panel
from flightdeck.errors import FlightdeckError, Unavailable
from flightdeck.store import selection, snapshot
from flightdeck.store.instance import running_panel

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


def select_shown(folder: StateFolder, slot: int, key: str) -> None:
    """Select the session with `key`, which somebody saw in a slot.

    A running panel does it, so that its keys show it at once; one that does not answer sees
    the file at its next look.

    Raises:
        Refused: another session has that slot by now, or none.
        Unavailable: the state folder cannot be written.
    """
    if running_panel(folder) is not None:
        try:
            ask_panel(folder, {"do": "select", "slot": slot, "key": key})
        except Unavailable:
            pass
        else:
            return
    select_session(folder, key)


def key_of(folder: StateFolder, session_id: str) -> str:
    """Return the key of the session with that id, as the last snapshot tells it.

    Raises:
        FlightdeckError: there is none.
    """
    try:
        slots = snapshot.fleet_from_json(snapshot.read(folder.slots)).slots
    except ValueError:
        slots = ()
    for view in slots:
        if view.key and view.session_id == session_id:
            return view.key
    told = f"no session on the panel has the id '{session_id}'"
    raise FlightdeckError(told, "`flightdeck status --json` has the ids")
