"""The deck as doctor sees it: attached, closed to us, or in somebody else's hands."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from flightdeck.decks.closed import Holder
from flightdeck.decks.hardware import Attached
from flightdeck.doctor import deck
from flightdeck.model.deck import Grid
from flightdeck.model.decks import MODELS
from flightdeck.model.finding import Level
from flightdeck.store.instance import Instance, RunningPanel

if TYPE_CHECKING:
    from tests.doctor.desk import Desk

XL = Attached("Stream Deck XL", "/dev/x", Grid(8, 4), MODELS["stream-deck-xl"])
STUDIO = Attached("Stream Deck Studio", "/dev/y", Grid(16, 2), None)


def found(
    desk: Desk, *there: Attached, hint: str = "", holders: tuple[Holder, ...] = ()
) -> list[tuple[Level, str, str]]:
    """Return what is said of decks about which this much is known."""
    desk.environ.setattr("flightdeck.decks.hardware.attached", lambda: list(there))
    desk.environ.setattr("flightdeck.decks.closed.hindrance", lambda: hint)
    desk.environ.setattr("flightdeck.decks.closed.holders", lambda: list(holders))
    return [(one.level, one.what, one.mend) for one in deck.look(desk.looked_at())]


def test_attached_decks_are_named(desk: Desk) -> None:
    assert found(desk, XL, STUDIO) == [
        (Level.OK, "Stream Deck XL is attached", ""),
        (Level.OK, "Stream Deck Studio is attached, which no layout is made for yet", ""),
    ]


def test_desk_without_a_deck_is_well(desk: Desk) -> None:
    ((level, what, _),) = found(desk)
    assert level is Level.OK
    assert what.startswith("no Stream Deck is attached")


def test_deck_that_cannot_be_opened_comes_with_what_mends_it(desk: Desk) -> None:
    assert found(desk, XL, hint="put a rule there") == [
        (Level.WARNING, "Stream Deck XL is attached, and closed to us", "put a rule there")
    ]


def test_program_that_holds_it_is_named(desk: Desk) -> None:
    what = "Stream Deck XL is attached, and streamdeck-ui (pid 77) has it open"
    assert found(desk, XL, holders=(Holder(77, "streamdeck-ui"),)) == [
        (Level.WARNING, what, "end that program: kill 77")
    ]


@pytest.mark.parametrize("ours", [True, False])
def test_our_own_panel_may_hold_it(desk: Desk, ours: bool) -> None:
    instance = Instance(desk.folder)
    instance.announce(RunningPanel(77 if ours else 78, "Stream Deck XL", ""))
    ((level, _, _),) = found(desk, XL, holders=(Holder(77, "python"),))
    instance.release()
    assert level is (Level.OK if ours else Level.WARNING)
