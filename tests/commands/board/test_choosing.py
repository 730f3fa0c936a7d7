"""A verb is chosen by name."""

from __future__ import annotations

import pytest

from flightdeck.commands.board.choosing import Choice, Deed, Menu
from flightdeck.commands.board.rows import Row, rows_of
from flightdeck.model.fleet import Fleet, PendingView, SlotView
from flightdeck.model.lifecycle import State

NAMES = ("commit", "confirm", "pr", "push", "test")


def row(key: str = "k", request: str = "r") -> Row:
    asks = (PendingView(request, "Bash"),)
    return rows_of(Fleet((SlotView(2, State.BLOCKED, key=key, pending=asks),)), 0.0)[0]


def menu(*keys: str, deed: Deed = Deed.SEND) -> Menu:
    menu = Menu(deed, row(), tuple(map(Choice, NAMES)))
    for key in keys:
        menu = menu.after(key)
    return menu


@pytest.mark.parametrize(
    ("keys", "fit", "chosen"),
    [
        ([], list(NAMES), "commit"),
        (["p"], ["pr", "push"], "pr"),
        (["p", "u"], ["push"], "push"),
        (["t"], ["test", "commit"], "test"),
        (["p", "z", "u"], ["push"], "push"),
        (["p", "u", "backspace"], ["pr", "push"], "pr"),
        (["backspace"], list(NAMES), "commit"),
        (["down"], list(NAMES), "confirm"),
        (["down"] * 9, list(NAMES), "test"),
        (["down", "down", "up"], list(NAMES), "confirm"),
        (["up"], list(NAMES), "commit"),
        (["down", "p"], ["pr", "push"], "pr"),
        (["", "H", "?", " "], list(NAMES), "commit"),
    ],
)
def test_typing_narrows_down_and_arrows_choose(
    keys: list[str], fit: list[str], chosen: str
) -> None:
    told = menu(*keys)
    assert [choice.name for choice in told.fitting] == fit
    assert told.chosen.name == chosen


def test_verb_is_for_the_session_whatever_it_asks_by_now() -> None:
    assert menu().stands(row(request="another"))
    assert not menu().stands(row(key="another"))
    assert not menu().stands(None)


def test_steer_is_for_that_request_and_no_other() -> None:
    assert menu(deed=Deed.STEER).stands(row())
    assert not menu(deed=Deed.STEER).stands(row(request="another"))
    assert not menu(deed=Deed.STEER).stands(row(key="another"))
