"""Verdicts that take two presses: what arms, what confirms, and everything that disarms."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from flightdeck.panel.messages import KeyMoved
from flightdeck.system import clock
from tests.panel.waiting import VerdictDesk

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

HIGH = {"tier": "high"}


@pytest.fixture
def desk(held_clock: Callable[[float], None]) -> Iterator[VerdictDesk]:
    desk = VerdictDesk(held_clock)
    desk.begin()
    desk.ask("r1", **HIGH)
    yield desk
    desk.end()
    assert desk.error is None


def is_armed(desk: VerdictDesk, what: str = "approve") -> bool:
    return desk.face(what).startswith("armed")


def test_first_press_of_a_high_call_arms_and_says_what_a_second_does(desk: VerdictDesk) -> None:
    desk.press("approve")
    assert desk.decisions == []
    assert desk.face("approve") == "armed, press again to approve Bash (high) of webshop k0"


def test_second_press_answers_and_disarms(desk: VerdictDesk) -> None:
    desk.press("approve")
    desk.press("approve")
    assert desk.allowed == ["r1"]
    assert desk.panel._pressing.arms == ()


def test_nervous_thumb_arms_and_does_not_confirm(desk: VerdictDesk) -> None:
    for later_s in (1.0, 0.06, 0.06):
        desk.press("approve", later_s)
    assert (desk.decisions, is_armed(desk)) == ([], True)


def test_what_an_armed_key_says_is_not_covered_by_a_word(desk: VerdictDesk) -> None:
    desk.press("approve")
    armed = desk.face("approve")
    desk.press("approve", later_s=0.1)
    assert desk.flash("approve") == "too soon"
    assert desk.face("approve") == armed


def test_press_before_the_armed_face_can_be_read_confirms_nothing(desk: VerdictDesk) -> None:
    desk.press("approve")
    desk.press("approve", later_s=0.2)
    assert desk.decisions == []
    desk.press("approve")
    assert desk.allowed == ["r1"]


def test_letting_go_confirms_nothing(desk: VerdictDesk) -> None:
    desk.press("approve")
    desk.turn(1.0)
    desk.panel.tell(KeyMoved(desk.keys["approve"], down=False, at=clock.monotonic()))
    desk.settle()
    assert (desk.decisions, is_armed(desk)) == ([], True)


@pytest.mark.parametrize("other", [0, 7, 8, 31])
def test_press_of_any_other_key_disarms(desk: VerdictDesk, other: int) -> None:
    desk.press("approve")
    desk.turn(1.0)
    desk.thumb(other)
    desk.settle()
    assert not is_armed(desk)
    desk.press("approve", later_s=1.0)
    assert (desk.decisions, is_armed(desk)) == ([], True)


@pytest.mark.parametrize("other", ["detail", "remember"])
def test_press_of_another_verdict_key_disarms(desk: VerdictDesk, other: str) -> None:
    desk.press("approve")
    desk.press(other, later_s=1.0)
    assert not is_armed(desk)
    assert is_armed(desk, "remember") == (other == "remember")


def test_denial_instead_of_a_second_press_denies(desk: VerdictDesk) -> None:
    desk.press("approve")
    desk.press("deny", later_s=1.0)
    assert [decision.allow for _, decision in desk.decisions] == [False]


def test_request_that_goes_away_disarms(desk: VerdictDesk) -> None:
    desk.press("approve")
    desk.turn(1.0)
    at = clock.monotonic()
    desk.settled("r1")
    desk.press_at("approve", at)
    assert (desk.decisions, desk.panel._pressing.arms) == ([], ())


def test_request_that_goes_away_leaves_its_confirmation_to_nobody(desk: VerdictDesk) -> None:
    desk.ask("r2", "k1", **HIGH)
    desk.press("approve")
    desk.settled("r1")
    desk.press("approve", later_s=1.0)
    assert desk.decisions == []
    assert "k1" in desk.face("approve")


def test_selecting_another_session_disarms(desk: VerdictDesk) -> None:
    desk.ask("r2", "k1", **HIGH)
    desk.press("approve")
    desk.asking.facts["selected"] = "k1"
    desk.settle()
    assert not is_armed(desk)


def test_hook_that_goes_disarms(desk: VerdictDesk) -> None:
    desk.press("approve")
    desk.hooks.gone.add("r1")
    desk.settle()
    assert desk.panel._pressing.arms == ()


def test_halt_disarms_and_what_was_armed_stays_so(desk: VerdictDesk) -> None:
    desk.press("approve")
    desk.asking.facts["halted"] = True
    desk.settle()
    assert "halted" in desk.face("approve")
    desk.asking.facts["halted"] = False
    desk.settle()
    assert not is_armed(desk)


def test_arm_is_over_when_its_time_is(desk: VerdictDesk) -> None:
    desk.press("approve")
    desk.turn(desk.layout.timings.confirm_ms / 1000 - 0.1)
    desk.settle()
    assert is_armed(desk)
    desk.turn(0.2)
    desk.settle()
    assert not is_armed(desk)
    desk.press("approve", later_s=1.0)
    assert desk.decisions == []


def test_new_panel_knows_no_arm_of_the_one_before(desk: VerdictDesk) -> None:
    desk.press("approve")
    again = VerdictDesk(desk.turn)
    again.begin()
    again.ask("r1", **HIGH)
    again.press("approve")
    assert (again.decisions, is_armed(again)) == ([], True)
    again.end()
