"""What a key of the board does: the deeds of `verdict`, `send`, `select`, `focus` and `halt`.

A verdict goes through the running panel with the very request the row showed, a verb with
the very session; whether it may is the panel's to say. Without a panel nobody can answer
a hook, and nobody sends. A halt needs none.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from flightdeck.commands.board.choosing import Choice, Deed
from flightdeck.commands.halt import halt
from flightdeck.commands.panel_door import ask_panel
from flightdeck.commands.plain import plain
from flightdeck.commands.selecting import select_shown
from flightdeck.config.verbs import load_verbs
from flightdeck.errors import FlightdeckError
from flightdeck.hosts.catalogue import Hosts
from flightdeck.model.layout import Action
from flightdeck.model.verb import VerbKind
from flightdeck.store.instance import running_panel

if TYPE_CHECKING:
    from collections.abc import Callable

    from flightdeck.commands.board.rows import Row
    from flightdeck.model.verb import Verb
    from flightdeck.store.paths import StateFolder

VERDICTS = {
    "a": Action.APPROVE,
    "d": Action.DENY,
    "r": Action.REMEMBER,
    "x": Action.INTERRUPT,
}

_CONFIRM = "y does it, any other key lets it go"
_NO_PANEL = "no panel is running, so nobody can {}: start `flightdeck run`"


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
        return self._ruled(self.request(action, row), row)

    def request(self, action: Action, row: Row) -> dict[str, Any]:
        """Return what to ask a panel for: this verdict on the very request the row shows."""
        return _verdict(action.value, "", row)

    def choices(self, deed: Deed) -> tuple[Choice, ...]:
        """Return the verbs there are for a deed, by name; one that has problems is left out."""
        verbs = load_verbs(self._folder).usable
        steers = deed is Deed.STEER
        fit = [verb for verb in verbs.values() if (verb.kind is VerbKind.STEER) is steers]
        return tuple(Choice(verb.name, _about(verb)) for verb in sorted(fit, key=lambda v: v.name))

    def chosen(self, deed: Deed, name: str, row: Row) -> Told:
        """Do it with the verb of that name, for the session or the request of a row."""
        if deed is Deed.STEER:
            return self._ruled(_verdict("steer", name, row), row)
        return self._sent(name, row)

    def ask(self, request: dict[str, Any]) -> Told:
        """Ask the panel for something, for the first time or to confirm it."""

        def asked() -> Told:
            answer = ask_panel(self._folder, request)
            what = f"{request.get('action', '')} {request['verb']}".strip()
            text = f"{what}: {answer.get('done', 'done')}"
            if answer.get("armed"):
                return Told(plain(f"{_CONFIRM}: {text}"), request)
            hint = answer.get("hint", "")
            return Told(plain(f"{text}: {hint}" if hint else text))

        return _tried(asked)

    def select(self, row: Row) -> Told:
        """Make the session of a row the selected one."""

        def selected() -> Told:
            select_shown(self._folder, row.slot, row.key)
            return Told(f"slot {row.slot} is selected")

        return _tried(selected) if row.key else Told(f"slot {row.slot} is empty")

    def focus(self, row: Row) -> Told:
        """Select the session of a row and bring its window forward."""

        def focused() -> Told:
            select_shown(self._folder, row.slot, row.key)
            hosts = Hosts()
            try:
                hosts.focus(row.view.place)
            finally:
                hosts.close()
            return Told(plain(f"slot {row.slot} is in front ({row.view.place.kind})"))

        return _tried(focused) if row.key else Told(f"slot {row.slot} is empty")

    def halt(self) -> Told:
        """Stop the fleet. To lift that takes another command: no slip of a finger may."""

        def halted() -> Told:
            result = halt(self._folder)
            return Told(plain("; ".join((*result.lines, *result.notes))))

        return _tried(halted)

    def _ruled(self, request: dict[str, Any], row: Row) -> Told:
        if running_panel(self._folder) is None:
            return Told(_NO_PANEL.format("answer"))
        if not row.request_id:
            return Told(f"{request['action']}: nothing waits in slot {row.slot}")
        return self.ask(request)

    def _sent(self, name: str, row: Row) -> Told:
        if running_panel(self._folder) is None:
            return Told(_NO_PANEL.format("send"))

        def sent() -> Told:
            # As on the deck: a verb is for the session that is selected.
            select_shown(self._folder, row.slot, row.key)
            return self.ask({"do": "send", "verb": name, "key": row.key})

        return _tried(sent)


def _verdict(action: str, verb: str, row: Row) -> dict[str, Any]:
    return {"do": "verdict", "action": action, "verb": verb, "request": row.request_id}


def _about(verb: Verb) -> str:
    known = (
        (f"types {verb.text}", verb.kind is VerbKind.KEY),
        ("asks first", verb.confirm),
    )
    return ", ".join(what for what, true in known if true)


def _tried(deed: Callable[[], Told]) -> Told:
    try:
        return deed()
    except FlightdeckError as error:
        return Told(plain(f"{error.message}: {error.hint}" if error.hint else error.message))
