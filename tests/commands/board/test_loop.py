"""A key belongs to the row as it was shown: on a hand-turned clock, with nothing real behind it."""

from __future__ import annotations

import pytest

from flightdeck.errors import Unavailable
from flightdeck.model.fleet import Fleet
from tests.commands.board.hand import ARMED, Hand, slot


def test_verdict_names_the_request_the_row_shows(hand: Hand) -> None:
    hand.types("down")
    assert hand.types("a") == "sent"
    want = {"do": "verdict", "action": "approve", "verb": "", "request": "r1"}
    assert hand.world.asked == [want]


@pytest.mark.parametrize(
    ("key", "action"), [("a", "approve"), ("d", "deny"), ("r", "remember"), ("x", "interrupt")]
)
def test_every_verdict_has_a_key(hand: Hand, key: str, action: str) -> None:
    hand.types(key)
    assert [asked["action"] for asked in hand.world.asked] == [action]


@pytest.mark.parametrize(
    ("key", "does"), [("s", "select 0"), ("f", "focus 0"), ("enter", "focus 0")]
)
def test_session_is_selected_and_brought_forward(hand: Hand, key: str, does: str) -> None:
    hand.types(key)
    assert hand.world.done == [does]


@pytest.mark.parametrize("key", ["a", "d", "r", "x", "s", "f", "enter"])
def test_key_at_a_request_that_has_just_come_does_nothing(hand: Hand, key: str) -> None:
    hand.world.fleet = Fleet((slot(0, "new"),))
    hand.passes(1.0)
    assert hand.types(key, after_s=0.29).startswith("too soon")
    assert (hand.world.asked, hand.world.done) == ([], [])
    hand.types(key, after_s=0.02)
    assert hand.world.asked or hand.world.done


def test_key_typed_before_the_request_changed_is_for_the_old_one(hand: Hand) -> None:
    hand.world.fleet = Fleet((slot(0, "new"),))
    hand.types("a")
    assert [asked["request"] for asked in hand.world.asked] == ["r0"]


def test_row_that_gets_another_session_was_not_aimed_at(hand: Hand) -> None:
    hand.world.fleet = Fleet((slot(0, "r0", key="another"),))
    hand.passes(1.0)
    assert hand.types("s", after_s=0.1).startswith("too soon")


def test_change_of_another_row_is_no_reason_to_wait(hand: Hand) -> None:
    hand.world.fleet = Fleet((slot(0, "r0"), slot(1, "new")))
    hand.passes(1.0)
    assert hand.types("a", after_s=0.0) == "sent"


def test_verdict_that_comes_in_one_piece_with_other_keys_is_dropped(hand: Hand) -> None:
    assert "press it alone" in hand.types("down", "a")
    assert "press it alone" in hand.types("a", "a")
    assert "press it alone" in hand.types("", "d")
    assert hand.world.asked == []


def test_what_was_typed_while_a_verdict_was_given_is_dropped(hand: Hand) -> None:
    hand.types("a")
    assert hand.world.flushed == 1


def test_armed_verdict_is_done_by_y(hand: Hand) -> None:
    hand.world.arms = True
    assert hand.types("a") == ARMED
    assert hand.types("y") == "sent"
    assert len(hand.world.asked) == 2


def test_key_that_is_held_down_never_confirms_what_it_armed(hand: Hand) -> None:
    hand.world.arms = True
    hand.types("a")
    hand.types("a", after_s=0.5)
    for _ in range(1000):
        assert hand.types("a", after_s=0.03) == ARMED
    assert len(hand.world.asked) == 1
    assert hand.types("y") == "sent"


def test_y_that_comes_too_soon_after_the_arm_was_shown_does_nothing(hand: Hand) -> None:
    hand.world.arms = True
    hand.types("a")
    assert hand.types("y", after_s=0.1) == ARMED
    assert len(hand.world.asked) == 1
    assert hand.types("y", after_s=0.4) == "sent"


@pytest.mark.parametrize("key", ["down", "z", "s", ""])
def test_any_other_key_lets_an_arm_go(hand: Hand, key: str) -> None:
    hand.world.arms = True
    hand.types("a")
    hand.types(key)
    hand.types("y")
    assert len(hand.world.asked) == 1


def test_arm_that_was_let_go_is_shown_again_before_it_can_be_confirmed(hand: Hand) -> None:
    hand.world.arms = True
    hand.types("a")
    hand.types("z")
    assert hand.types("a") == ARMED
    assert len(hand.world.asked) == 1


def test_arm_is_shown_no_longer_than_it_stands(hand: Hand) -> None:
    hand.world.arms = True
    hand.types("a")
    assert hand.passes(11.0) == ARMED
    assert hand.passes(2.0) == ""
    hand.types("y")
    assert len(hand.world.asked) == 1


def test_y_alone_is_nothing(hand: Hand) -> None:
    hand.types("y")
    assert hand.world.asked == []


@pytest.mark.parametrize(
    ("keys", "at"),
    [
        (["down"], 1),
        (["down"] * 9, 2),
        (["up"], 0),
        (["down", "down", "up"], 1),
        (["2"], 2),
        (["9"], 0),
        (["j", "j", "k"], 1),
    ],
)
def test_cursor_moves_from_row_to_row_and_stays_on_them(
    hand: Hand, keys: list[str], at: int
) -> None:
    hand.types(*keys)
    assert hand.picture.cursor == at


def test_cursor_is_on_a_row_whatever_slots_there_are(hand: Hand) -> None:
    hand.types("2")
    hand.world.fleet = Fleet((slot(5), slot(6)))
    hand.passes()
    assert hand.picture.cursor == 5


def test_board_without_a_slot_takes_keys_and_does_nothing(hand: Hand) -> None:
    hand.world.fleet = Fleet()
    hand.passes()
    for key in ("a", "s", "down", "1"):
        assert hand.types(key) == ""


def test_fleet_that_cannot_be_read_is_told_and_the_last_one_stays(hand: Hand) -> None:
    hand.world.fault = Unavailable("the state folder is kept by another")
    assert hand.passes() == "the state folder is kept by another"
    assert len(hand.picture.rows) == 3
    hand.world.fault = None
    assert hand.passes() == ""


def test_halt_who_has_no_slot_and_what_panel_runs_are_told(hand: Hand) -> None:
    hand.world.fleet = Fleet((slot(0),), overflow=2, halted=True)
    hand.passes()
    assert hand.picture.brakes[0].startswith("HALTED")
    assert hand.picture.below == (
        "2 more without a slot, 0 blocked",
        "no panel is running: nothing can be answered here",
    )


def test_what_is_wrong_with_the_panels_files_comes_before_it(hand: Hand) -> None:
    hand.world.panel = {"running": True, "pid": 7, "deck": "browser", "problem": "xl.yaml:3:1: x"}
    hand.passes()
    assert hand.picture.below == ("xl.yaml:3:1: x", "panel on the browser deck, pid 7")


def test_panel_that_runs_is_named(hand: Hand) -> None:
    hand.world.panel = {"running": True, "pid": 7, "deck": "browser"}
    hand.passes()
    assert hand.picture.below == ("panel on the browser deck, pid 7",)


def test_q_ends_it_also_in_one_piece_with_others(hand: Hand) -> None:
    hand.types("down", "q")
    assert not hand.goes_on
    hand.types("j")
    assert hand.goes_on


def test_question_mark_tells_every_key(hand: Hand) -> None:
    assert "H halt" in hand.types("?")


@pytest.mark.parametrize("keys", [["H"], ["H", "H", "H"]])
def test_fleet_is_halted_by_one_key_hammered_or_not_and_however_young_the_rows_are(
    hand: Hand, keys: list[str]
) -> None:
    hand.world.fleet = Fleet((slot(0, "new"),))
    hand.passes()
    assert hand.types(*keys, after_s=0.0) == "HALTED"
    assert hand.world.done == ["halt"]


def test_halt_in_the_middle_of_something_else_was_not_meant(hand: Hand) -> None:
    assert "press it alone" in hand.types("H", "e", "l", "l", "o")
    assert hand.world.done == []


def test_board_looks_and_draws_until_somebody_quits(hand: Hand) -> None:
    hand.world.typed = [[], ["j"], ["j", "q"], ["j"]]
    hand.board.run(hand.screen)
    assert hand.picture.cursor == 1
    assert hand.world.typed == [["j"]]


def test_panels_snapshot_is_looked_at_more_often_than_a_fold_is_made(hand: Hand) -> None:
    hand.world.typed = [[], ["q"]]
    hand.world.panel = {"running": True, "pid": 7, "deck": "browser"}
    hand.board.run(hand.screen)
    fold_s, look_s = hand.world.patience
    assert look_s < fold_s
