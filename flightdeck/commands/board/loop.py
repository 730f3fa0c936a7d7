"""`status --watch` on a terminal: look, draw, and do what a key at a row says.

A key belongs to the row as it was shown. One whose request has changed within 300 ms,
or that comes in one piece with others, is dropped: nobody can have meant it.

Source: README.md, "The board".
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from flightdeck.commands import slot_words
from flightdeck.commands.board.deeds import VERDICTS, Deeds, Told
from flightdeck.commands.board.drawing import Picture, draw
from flightdeck.commands.board.keys import MOVES
from flightdeck.commands.board.rows import Row, rows_of
from flightdeck.commands.board.screen import HungUp, borrowed
from flightdeck.commands.board.source import Fleets
from flightdeck.commands.panel_arguments import interrupted_by_signals
from flightdeck.commands.plain import plain
from flightdeck.errors import FlightdeckError
from flightdeck.system import clock

if TYPE_CHECKING:
    from typing import Any

    from flightdeck.commands.board.screen import Screen
    from flightdeck.model.fleet import Fleet
    from flightdeck.model.layout import Action
    from flightdeck.store.paths import StateFolder

# Looking at a panel's snapshot is a stat; without a panel each look is a whole fold.
_LOOK_S, _FOLD_S = 0.2, 0.5
# As on the deck: what has stood for less was not what the finger was aimed at.
STOOD_S = 0.3
# Longer than a panel's arm lasts: it has the last word, this is about what is shown.
_ARMED_S = 12.0
_DEEDS = frozenset({"s", "f", "enter", *VERDICTS})
_QUIT = "q"
_TOO_SOON = "too soon: that had only just changed; look at it, then press"


def watch(folder: StateFolder) -> None:
    """Show the board until somebody quits it, or the terminal goes.

    Raises:
        Unavailable: the state folder cannot be used.
    """
    board = Board(Fleets(folder), Deeds(folder))
    board.look()
    with interrupted_by_signals(), borrowed() as screen:
        try:
            board.run(screen)
        except HungUp:
            return


class Board:
    """The rows, the cursor, and what came of the last key."""

    def __init__(self, fleets: Fleets, deeds: Deeds) -> None:
        self._fleets, self._deeds = fleets, deeds
        self._picture = Picture()
        self._cursor = -1
        self._running = False
        self._told = Told("")
        self._told_at = 0.0
        self._drawn = self._told
        self._armed = (Told(""), 0.0)
        self._trouble = ""
        self._stood: dict[int, tuple[tuple[str, str], float]] = {}

    def look(self) -> None:
        """Take in the fleet as it is now.

        Raises:
            Unavailable: the state folder cannot be used.
        """
        fleet, panel = self._fleets.look()
        self._running = bool(panel["running"])
        rows = rows_of(fleet, clock.now())
        if all(row.slot != self._cursor for row in rows):
            self._cursor = rows[0].slot if rows else -1
        self._picture = Picture(
            rows,
            self._cursor,
            tuple(plain(line) for line in slot_words.brakes(fleet)),
            _below(fleet, panel),
        )

    def run(self, screen: Screen) -> None:
        """Show it until somebody quits.

        Raises:
            HungUp: the terminal has gone.
        """
        while True:
            self.show(screen)
            keys = screen.keys(_LOOK_S if self._running else _FOLD_S)
            # What was typed is for what was shown: it is heard before anything is looked at.
            if _QUIT in keys:
                return
            if keys:
                self.hear(keys, screen)
            self._look_again()

    def show(self, screen: Screen) -> None:
        """Draw it as it is now, and remember since when each part of it stands."""
        if self._told.armed and clock.monotonic() - self._told_at > _ARMED_S:
            self._told = Told("")
        picture = self._shown()
        screen.show(picture, lambda size: draw(picture, *size, screen.encoding))
        now, stood = clock.monotonic(), self._stood
        if self._told is not self._drawn:
            self._drawn, self._told_at = self._told, now
        self._stood = {
            row.slot: stood[row.slot]
            if row.slot in stood and stood[row.slot][0] == row.aim
            else (row.aim, now)
            for row in picture.rows
        }

    def hear(self, keys: list[str], screen: Screen) -> None:
        """Do what was typed, against the rows that are shown."""
        moves = [key for key in keys if key in MOVES]
        if len(keys) == 1 and not moves:
            self._told = self._done(keys[0])
            screen.forget_typed()  # it was typed before this came of it
        elif len(moves) < len(keys):
            self._told = Told("that came in one piece with other keys: press it alone")
        else:
            self._told = Told("")
            for key in moves:
                self._move(key)
        self._told_at = clock.monotonic()

    def _done(self, key: str) -> Told:
        row = next((row for row in self._picture.rows if row.slot == self._cursor), None)
        if key == "y" and self._told.armed:
            if self._told is self._drawn and _stands(self._told_at):
                return self._deeds.ask(self._told.armed)
            return replace(self._told)  # shown anew: it has to stand before it is confirmed
        if row is None or key not in _DEEDS:
            return Told("")
        if not self._stands(row):
            return Told(_TOO_SOON)
        if key in VERDICTS:
            return self._verdict(VERDICTS[key], row)
        return self._deeds.select(row) if key == "s" else self._deeds.focus(row)

    def _verdict(self, action: Action, row: Row) -> Told:
        """Give a verdict; the same key never confirms what it armed: it may only be held down."""
        told, at = self._armed
        now = clock.monotonic()
        again = told.armed == self._deeds.request(action, row) and now - at < _ARMED_S
        done = told if again else self._deeds.verdict(action, row)
        if done.armed:
            done = replace(done)  # shown anew
            self._armed = (done, now)
        return done

    def _stands(self, row: Row) -> bool:
        """Say whether a row has been as it is for long enough to be aimed at."""
        aim, at = self._stood.get(row.slot, (None, 0.0))
        return aim == row.aim and _stands(at)

    def _move(self, key: str) -> None:
        slots = [row.slot for row in self._picture.rows]
        if key.isdigit():
            self._cursor = int(key) if int(key) in slots else self._cursor
        elif slots:
            step = -1 if key == "up" else 1
            at = slots.index(self._cursor) + step
            self._cursor = slots[max(0, min(at, len(slots) - 1))]

    def _look_again(self) -> None:
        """Look; what stands in the way now may not later, so it only shows."""
        try:
            self.look()
            self._trouble = ""
        except FlightdeckError as error:
            self._trouble = plain(error.message)

    def _shown(self) -> Picture:
        note = self._told.text or self._trouble
        return replace(self._picture, cursor=self._cursor, note=note)


def _stands(since: float) -> bool:
    return clock.monotonic() - since >= STOOD_S


def _below(fleet: Fleet, panel: dict[str, Any]) -> tuple[str, ...]:
    where = slot_words.where(panel)
    if not panel["running"]:
        where += ": nothing can be answered here"
    return tuple(plain(line) for line in (*slot_words.overflow(fleet), where))
