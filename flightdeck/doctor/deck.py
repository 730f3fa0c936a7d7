"""The deck: attached, open to us, and in whose hands.

Source: README.md, "Your own agents".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from flightdeck.decks import closed, hardware
from flightdeck.model.finding import Finding, Known, ok, warning
from flightdeck.store.instance import running_panel

if TYPE_CHECKING:
    from collections.abc import Iterator

    from flightdeck.doctor.machine import Machine


def look(machine: Machine) -> Iterator[Finding]:
    """Say of every deck on the bus whether a panel could have it."""
    there = hardware.attached()
    if not there:
        yield ok("no Stream Deck is attached: `run` takes a browser tab")
        return
    panel = running_panel(machine.folder)
    ours = {panel.pid} if panel else set()
    hint = closed.hindrance()
    others = [one for one in closed.holders() if one.pid not in ours]
    for deck in there:
        title = Known(deck.title)
        if hint:
            yield warning("{deck} is attached, and closed to us", "{hint}", deck=title, hint=hint)
        elif others:
            what = "{deck} is attached, and {holder} (pid {pid}) has it open"
            said = {"deck": title, "holder": others[0].name, "pid": others[0].pid}
            yield warning(what, "end that program: kill {pid}", **said)
        else:
            fits = "" if deck.model else ", which no layout is made for yet"
            yield ok("{deck} is attached" + fits, deck=title)
