"""A verb is chosen at a board: what Enter takes had to be read first."""

from __future__ import annotations

from typing import Any

import pytest

from flightdeck.errors import FlightdeckError
from flightdeck.model.fleet import Fleet, SlotView
from tests.commands.board.hand import ARMED, Hand, slot


@pytest.mark.parametrize(
    ("key", "asked"),
    [
        ("v", {"do": "send", "verb": "test", "key": "k0", "request": "r0"}),
        ("t", {"do": "steer", "verb": "test", "key": "k0", "request": "r0"}),
    ],
)
def test_verb_is_chosen_by_name_for_the_session_and_the_request_the_row_showed(
    hand: Hand, key: str, asked: dict[str, Any]
) -> None:
    hand.types(key)
    assert hand.menu == ["commit", "test"]
    hand.types("t", "e")
    assert hand.menu == ["test"]
    assert hand.types("enter") == "sent"
    assert (hand.menu, hand.world.asked) == ([], [asked])


def test_what_is_being_sent_is_shown_while_it_takes_its_time(hand: Hand) -> None:
    hand.types("v")
    hand.types("enter")
    assert hand.world.notes[-2:] == ["send commit ...", "sent"]


def test_escape_leaves_without_a_word(hand: Hand) -> None:
    hand.types("v")
    assert hand.types("t", "escape") == ""
    assert (hand.menu, hand.world.asked, hand.goes_on) == ([], [], True)


@pytest.mark.parametrize("key", ["q", "H", "a", "d", "x", "r", "s", "f", "?", ""])
def test_no_key_of_the_board_is_one_of_the_menu(hand: Hand, key: str) -> None:
    hand.types("v")
    hand.types(key)
    assert hand.goes_on
    assert hand.menu
    assert (hand.world.asked, hand.world.done) == ([], [])


def test_enter_in_one_piece_with_the_name_is_dropped(hand: Hand) -> None:
    hand.types("v")
    assert "press it alone" in hand.types("t", "enter")
    assert (hand.menu, hand.world.asked) == (["commit", "test"], [])


def test_enter_at_a_choice_that_was_not_read_does_nothing(hand: Hand) -> None:
    hand.types("v")
    hand.types("t")
    assert hand.types("enter", after_s=0.2).startswith("too soon")
    assert hand.world.asked == []
    assert hand.types("enter", after_s=0.2) == "sent"


@pytest.mark.parametrize(
    ("key", "after"), [("v", slot(0, "r0", key="another")), ("t", slot(0, "another")), ("v", None)]
)
def test_menu_closes_when_its_row_is_about_something_else(
    hand: Hand, key: str, after: SlotView | None
) -> None:
    hand.types(key)
    hand.world.fleet = Fleet((after,) if after else ())
    assert hand.passes().startswith("slot 0 is another's by now")
    assert hand.menu == []


def test_request_that_comes_meanwhile_is_no_reason_not_to_send(hand: Hand) -> None:
    hand.types("v")
    hand.world.fleet = Fleet((slot(0, "another"),))
    hand.passes()
    assert hand.types("enter") == "sent"


def test_key_that_opened_the_menu_and_is_still_held_is_no_part_of_a_name(hand: Hand) -> None:
    hand.types("t")
    hand.types("t", after_s=0.6)
    for _ in range(50):
        hand.types("t", after_s=0.03)
    assert hand.menu == ["commit", "test"]
    hand.types("t")
    assert hand.menu == ["test", "commit"]


def test_enter_that_is_still_held_does_not_bring_a_window_forward(hand: Hand) -> None:
    hand.world.arms = True
    hand.types("v")
    hand.types("enter")
    hand.types("enter", after_s=0.6)
    for _ in range(50):
        assert hand.types("enter", after_s=0.03) == ARMED
    assert hand.world.done == []
    assert hand.types("y") == "sent"
    assert len(hand.world.asked) == 2


def test_there_is_nobody_to_choose_a_verb_for_on_an_empty_slot(hand: Hand) -> None:
    hand.world.fleet = Fleet((SlotView(0), slot(1)))
    hand.passes()
    assert hand.types("v") == "slot 0 is empty"
    hand.types("down")
    assert hand.types("t") == "steer: nothing waits in slot 1"
    assert hand.menu == []


def test_verbs_that_cannot_be_read_or_are_not_there_are_told(hand: Hand) -> None:
    hand.world.verbs = ()
    assert hand.types("v").startswith("there is no such verb")
    hand.world.verbs_fault = FlightdeckError("they cannot be read")
    assert hand.types("v") == "they cannot be read"
