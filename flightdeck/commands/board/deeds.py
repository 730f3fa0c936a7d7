"""What a key of the board does: the deeds of `verdict`, `select` and `focus`, no others.

A verdict goes through the running panel with the very request the row showed; whether it
may be given is the panel's to say. Without a panel nobody can answer a hook.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from flightdeck.commands.panel_door import ask_panel
from flightdeck.commands.plain import plain
from flightdeck.commands.selecting import select_session, show_selected
from flightdeck.errors import FlightdeckError
from flightdeck.hosts.catalogue import Hosts
from flightdeck.model.layout import Action
from flightdeck.store.instance import running_panel

if TYPE_CHECKING:
    from collections.abc import Callable

    from flightdeck.commands.board.rows import Row
    from flightdeck.store.paths import StateFolder

VERDICTS = {
    "a": Action.APPROVE,
    "d": Action.DENY,
    "r": Action.REMEMBER,
    "x": Action.INTERRUPT,
}

_CONFIRM = "y does it, any other key lets it go"


@dataclass(frozen=True, slots=True)
class Told:
    """What came of a key; `armed` is what to ask the panel again to confirm it."""

    text: str
    armed: dict[str, Any] | None = None


class Deeds:
    """Carries out keys for the board."""

    def __init__(self, folder: StateFolder) -> None:
        self._folder = folder

    def verdict(self, action: Action, row: Row) -> Told:
        """Answer the request of a row; what is dangerous or lasting comes back armed."""
        if running_panel(self._folder) is None:
            return Told("no panel is running, so nobody can answer: start `flightdeck run`")
        if not row.request_id:
            return Told(f"{action.value}: nothing waits in slot {row.slot}")
        return self.ask(self.request(action, row))

    def request(self, action: Action, row: Row) -> dict[str, Any]:
        """Return what to ask a panel for: this verdict on the very request the row shows."""
        return {"do": "verdict", "action": action.value, "verb": "", "request": row.request_id}

    def ask(self, request: dict[str, Any]) -> Told:
        """Ask the panel for a verdict, for the first time or to confirm it."""

        def asked() -> Told:
            answer = ask_panel(self._folder, request)
            text = f"{request['action']}: {answer.get('done', 'done')}"
            if answer.get("armed"):
                return Told(plain(f"{_CONFIRM}: {text}"), request)
            return Told(plain(text))

        return _tried(asked)

    def select(self, row: Row) -> Told:
        """Make the session of a row the selected one."""

        def selected() -> Told:
            self._selected(row)
            return Told(f"slot {row.slot} is selected")

        return _tried(selected) if row.key else Told(f"slot {row.slot} is empty")

    def focus(self, row: Row) -> Told:
        """Select the session of a row and bring its window forward."""

        def focused() -> Told:
            self._selected(row)
            hosts = Hosts()
            try:
                hosts.focus(row.view.place)
            finally:
                hosts.close()
            return Told(plain(f"slot {row.slot} is in front ({row.view.place.kind})"))

        return _tried(focused) if row.key else Told(f"slot {row.slot} is empty")

    def _selected(self, row: Row) -> None:
        select_session(self._folder, row.key)
        if running_panel(self._folder) is not None:
            show_selected(self._folder, row.slot)


def _tried(deed: Callable[[], Told]) -> Told:
    try:
        return deed()
    except FlightdeckError as error:
        return Told(plain(f"{error.message}: {error.hint}" if error.hint else error.message))
