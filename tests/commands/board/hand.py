"""A board by hand: the clock, the fleet, the screen and the deeds behind it are none."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, cast

from flightdeck.commands.board.charset import Charset
from flightdeck.commands.board.choosing import Choice, Deed
from flightdeck.commands.board.deeds import Deeds, Told
from flightdeck.commands.board.loop import Board
from flightdeck.model.fleet import Fleet, PendingView, SlotView
from flightdeck.model.lifecycle import State
from tests.fold.world import NOBODY

if TYPE_CHECKING:
    from collections.abc import Callable

    from flightdeck.commands.board.drawing import Picture
    from flightdeck.commands.board.rows import Row
    from flightdeck.commands.board.screen import Screen
    from flightdeck.commands.board.source import Fleets
    from flightdeck.errors import FlightdeckError, Unavailable
    from flightdeck.model.layout import Action

ARMED = "armed"


def slot(number: int, *requests: str, key: str = "") -> SlotView:
    asks = tuple(PendingView(request, "Bash", answerable=True) for request in requests)
    state = State.BLOCKED if asks else State.IDLE
    return SlotView(number, state, key=key or f"k{number}", pending=asks)


@dataclass
class World(Deeds):
    """The fleet, the screen and the deeds of a board, all by hand."""

    fleet: Fleet = field(default_factory=Fleet)
    panel: dict[str, Any] = field(default_factory=lambda: NOBODY)
    arms: bool = False
    fault: Unavailable | None = None
    now: float = 1000.0
    asked: list[dict[str, Any]] = field(default_factory=list)
    done: list[str] = field(default_factory=list)
    picture: Picture | None = None
    flushed: int = 0
    typed: list[list[str]] = field(default_factory=list)
    patience: list[float] = field(default_factory=list)
    charset: Charset = field(default_factory=Charset)
    verbs: tuple[Choice, ...] = (Choice("commit"), Choice("test"))
    verbs_fault: FlightdeckError | None = None
    notes: list[str] = field(default_factory=list)

    def look(self) -> tuple[Fleet, dict[str, Any]]:
        if self.fault:
            raise self.fault
        return self.fleet, self.panel

    def show(self, what: Picture, drawn: Callable[[Any], object]) -> None:
        assert callable(drawn)
        self.picture = what
        self.notes.append(what.note)

    def keys(self, timeout_s: float) -> list[str]:
        self.patience.append(timeout_s)
        return self.typed.pop(0)

    def forget_typed(self) -> None:
        self.flushed += 1

    def verdict(self, action: Action, row: Row) -> Told:
        return self.ask(self.request(action, row))

    def ask(self, request: dict[str, Any]) -> Told:
        self.asked.append(request)
        arms = self.arms and self.asked.count(request) == 1
        return Told(ARMED, request) if arms else Told("sent")

    def choices(self, deed: Deed) -> tuple[Choice, ...]:
        if self.verbs_fault:
            raise self.verbs_fault
        return self.verbs

    def chosen(self, deed: Deed, name: str, row: Row) -> Told:
        return self.ask({"do": deed.value, "verb": name, "key": row.key, "request": row.request_id})

    def halt(self) -> Told:
        self.done.append("halt")
        return Told("HALTED")

    def select(self, row: Row) -> Told:
        self.done.append(f"select {row.slot}")
        return Told("selected")

    def focus(self, row: Row) -> Told:
        self.done.append(f"focus {row.slot}")
        return Told("in front")


class Hand:
    """A board, and what is done at it."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.goes_on = True
        self.board = Board(cast("Fleets", world), world)
        self.board.look()
        self.screen = cast("Screen", world)
        self.board.show(self.screen)

    def types(self, *keys: str, after_s: float = 1.0) -> str:
        """Type keys in one piece so long after the last thing, and return the note."""
        self.world.now += after_s
        self.goes_on = self.board.hear(list(keys), self.screen)
        return self.passes()

    @property
    def menu(self) -> list[str]:
        """Return what can be chosen, nothing where nobody is asked."""
        return [c.name for c in self.picture.menu.fitting] if self.picture.menu else []

    def passes(self, seconds: float = 0.0) -> str:
        """Let time pass and the board look and draw again; return its note."""
        self.world.now += seconds
        self.board._look_again()
        self.board.show(self.screen)
        return self.picture.note

    @property
    def picture(self) -> Picture:
        """Return what it shows."""
        assert self.world.picture
        return self.world.picture
