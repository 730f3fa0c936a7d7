"""`status --watch` on a terminal: look, draw, and do what a key at a row says.

A key belongs to the row as it was shown. One whose request has changed within 300 ms,
or that comes in one piece with others, is dropped: nobody can have meant it.

Source: README.md, "The board".
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from flightdeck.commands import slot_words
from flightdeck.commands.board.choosing import Deed, Menu
from flightdeck.commands.board.deeds import VERDICTS, Deeds, Told
from flightdeck.commands.board.drawing import HELP, Picture, draw
from flightdeck.commands.board.keys import ESCAPE
from flightdeck.commands.board.rows import Row, rows_of
from flightdeck.commands.board.screen import HungUp, Screen, borrowed
from flightdeck.commands.board.source import Fleets
from flightdeck.commands.board.stood import STOOD_S, Stood
from flightdeck.commands.panel_arguments import interrupted_by_signals
from flightdeck.commands.plain import plain
from flightdeck.errors import FlightdeckError
from flightdeck.system import clock

if TYPE_CHECKING:
    from typing import Any

    from flightdeck.model.fleet import Fleet
    from flightdeck.model.layout import Action
    from flightdeck.store.paths import StateFolder

# Looking at a panel's snapshot is a stat; without a panel each look is a whole fold.
_LOOK_S, _FOLD_S = 0.2, 0.5
# Longer than a panel's arm lasts: it has the last word, this is about what is shown.
_ARMED_S = 12.0
# A key that is held down comes again within this, the first time as well.
_REPEATS_S = 0.7
_MOVES = {"up": -1, "k": -1, "down": 1, "j": 1} | dict.fromkeys("0123456789", 0)
_MENUS = {"v": Deed.SEND, "t": Deed.STEER}
_DEEDS = frozenset({"s", "f", "enter", *VERDICTS, *_MENUS})
_QUIT, _HALT, _MENU = "q", "H", "menu"
_TOO_SOON = "too soon: that had only just changed; look at it, then press"
_ALONE = "that came in one piece with other keys: press it alone"


def watch(folder: StateFolder) -> None:
    """Show the board until somebody quits it, or the terminal goes.

    Raises:
        Unavailable: the state folder cannot be used.
    """
    board = Board(Fleets(folder), Deeds(folder))
    board.look()
    try:
        with interrupted_by_signals(), borrowed(Screen.here()) as screen:
            board.run(screen)
    except HungUp:
        return


class Board:
    """The rows, the cursor, what is chosen from, and what came of the last key."""

    def __init__(self, fleets: Fleets, deeds: Deeds) -> None:
        self._fleets, self._deeds = fleets, deeds
        self._picture = Picture()
        self._cursor = -1
        self._menu: Menu | None = None
        self._running = False
        self._told = Told("")
        self._told_at = 0.0
        self._drawn = self._told
        self._armed = (Told(""), 0.0)
        self._held = ("", 0.0)
        self._trouble = ""
        self._stood = Stood()

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
        brakes = tuple(plain(line) for line in slot_words.brakes(fleet))
        self._picture = Picture(rows, self._cursor, brakes, _below(fleet, panel))
        if self._menu is not None and not self._menu.stands(self._row):
            slot, self._menu = self._menu.row.slot, None
            self._tell(Told(f"slot {slot} is another's by now, or asks for something else"))

    def run(self, screen: Screen) -> None:
        """Show it until somebody quits.

        Raises:
            HungUp: the terminal has gone.
        """
        while True:
            self.show(screen)
            keys = screen.keys(_LOOK_S if self._running else _FOLD_S)
            # What was typed is for what was shown: it is heard before anything is looked at.
            if keys and not self.hear(keys, screen):
                return
            self._look_again()

    def show(self, screen: Screen) -> None:
        """Draw it as it is now, and remember since when each part of it stands."""
        if self._told.armed and clock.monotonic() - self._told_at > _ARMED_S:
            self._told = Told("")
        picture, shapes = self._shown(), screen.charset.shapes
        screen.show(picture, lambda size: draw(picture, *size, shapes=shapes))
        if self._told is not self._drawn:
            self._drawn, self._told_at = self._told, clock.monotonic()
        menu = self._menu
        aims = {row.slot: row.aim for row in picture.rows}
        self._stood.note(aims | ({_MENU: (menu.chosen, menu.typed)} if menu else {}))

    def hear(self, keys: list[str], screen: Screen) -> bool:
        """Do what was typed, against what is shown; say whether to go on."""
        if self._is_held(keys):
            return True
        if self._menu is not None:
            self._choose(keys, self._menu, screen)
            return True
        if _QUIT in keys:
            return False
        if set(keys) == {_HALT}:  # hammered or not: to stop must never be hard
            self._tell(self._deeds.halt())
        elif set(keys) <= _MOVES.keys():
            self._tell(Told(""))
            for key in keys:
                self._move(key)
            return True
        else:
            self._tell(self._done(keys[0]) if len(keys) == 1 else Told(_ALONE))
        screen.forget_typed()  # it was typed before this came of it
        return True

    def _done(self, key: str) -> Told:
        row = self._row
        if key == "y" and self._told.armed:
            if self._told is self._drawn and clock.monotonic() - self._told_at >= STOOD_S:
                return self._deeds.ask(self._told.armed)
            return replace(self._told)  # shown anew: it has to stand before it is confirmed
        if key == "?":
            return Told("  ".join(HELP))
        if row is None or key not in _DEEDS:
            return Told("")
        if not self._stood.long_enough(row.slot, row.aim):
            return Told(_TOO_SOON)
        if key in VERDICTS:
            return self._verdict(VERDICTS[key], row)
        if key in _MENUS:
            return self._open(key, row)
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

    def _open(self, key: str, row: Row) -> Told:
        """Show the verbs to choose from, if there is somebody to choose one for."""
        deed = _MENUS[key]
        if not row.key:
            return Told(f"slot {row.slot} is empty")
        if deed is Deed.STEER and not row.request_id:
            return Told(f"steer: nothing waits in slot {row.slot}")
        try:
            choices = self._deeds.choices(deed)
        except FlightdeckError as error:
            return Told(plain(error.message))
        if not choices:
            return Told("there is no such verb: `flightdeck verbs list` shows all there are")
        self._menu = Menu(deed, row, choices)
        self._held = (key, clock.monotonic() + _REPEATS_S)
        return Told("")

    def _choose(self, keys: list[str], menu: Menu, screen: Screen) -> None:
        """Take what was typed in the menu: a name may come in one piece, Enter comes alone."""
        self._tell(Told(""))
        if ESCAPE in keys:
            self._menu = None
        elif keys == ["enter"]:
            self._take(menu, screen)
            screen.forget_typed()
        elif "enter" in keys:
            self._tell(Told(_ALONE))
        else:
            for key in keys:
                self._menu = menu = menu.after(key)

    def _take(self, menu: Menu, screen: Screen) -> None:
        if not self._stood.long_enough(_MENU, (menu.chosen, menu.typed)):
            self._tell(Told(_TOO_SOON))
            return
        name, self._menu = menu.chosen.name, None
        self._tell(Told(f"{menu.deed.value} {name} ..."))
        self.show(screen)  # until a session at rest has it may take seconds
        self._tell(self._deeds.chosen(menu.deed, name, menu.row))
        self._held = ("enter", clock.monotonic() + _REPEATS_S)

    def _is_held(self, keys: list[str]) -> bool:
        """Say whether this is only the key of the last deed, which is still held down."""
        key, until = self._held
        now = clock.monotonic()
        if set(keys) != {key} or now >= until:
            self._held = ("", 0.0)
            return False
        self._held = (key, now + _REPEATS_S)
        return True

    def _move(self, key: str) -> None:
        slots = [row.slot for row in self._picture.rows]
        if key.isdigit():
            self._cursor = int(key) if int(key) in slots else self._cursor
        elif slots:
            at = slots.index(self._cursor) + _MOVES[key]
            self._cursor = slots[max(0, min(at, len(slots) - 1))]

    def _look_again(self) -> None:
        """Look; what stands in the way now may not later, so it only shows."""
        try:
            self.look()
            self._trouble = ""
        except FlightdeckError as error:
            self._trouble = plain(error.message)

    def _tell(self, told: Told) -> None:
        self._told, self._told_at = told, clock.monotonic()

    @property
    def _row(self) -> Row | None:
        return next((row for row in self._picture.rows if row.slot == self._cursor), None)

    def _shown(self) -> Picture:
        note = self._told.text or self._trouble
        return replace(self._picture, cursor=self._cursor, note=note, menu=self._menu)


def _below(fleet: Fleet, panel: dict[str, Any]) -> tuple[str, ...]:
    where = slot_words.where(panel)
    if not panel["running"]:
        where += ": nothing can be answered here"
    problem = panel.get("problem") or ""
    told = (*slot_words.overflow(fleet), where)
    return tuple(plain(line) for line in ((problem, *told) if problem else told))
