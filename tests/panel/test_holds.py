"""Keys that are held, through the true loop: what arms, what confirms, what does neither."""

from __future__ import annotations

import queue
from concurrent.futures import Future
from typing import TYPE_CHECKING, Any

import pytest

from flightdeck.errors import Unavailable
from flightdeck.model import ending
from flightdeck.model.session import Teardown
from flightdeck.model.teardown import Check, Outcome, Stage
from flightdeck.panel.messages import KeyMoved
from flightdeck.panel.perform import Performed
from flightdeck.system import clock
from tests.fold.world import DEADLINE_S, until
from tests.panel.desk import PANE, the_layout
from tests.panel.holding_desk import HoldDesk

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

KEY, OTHER, DENY, BLANK = 2, 3, 19, 8
DIRTY = Outcome(Stage.FIRST_LOOK, "ignored files: .env", Check.IGNORED)
LATE = Outcome(Stage.SECOND_LOOK, "changed: a.txt", Check.STATUS, agent_ended=True)


@pytest.fixture
def desk(held_clock: Callable[[float], None]) -> Iterator[HoldDesk]:
    desk = HoldDesk(held_clock)
    desk.crew.join(KEY, "s-aaaa")
    desk.begin()
    desk.settle()
    yield desk
    desk.may_end.set()
    desk.end()
    assert desk.error is None


# The hold.


def test_key_arms_while_it_is_held_and_its_release_is_nothing(desk: HoldDesk) -> None:
    """DK-11."""
    desk.down(KEY)
    desk.wait(0.79)
    assert not desk.is_armed(KEY)
    desk.wait(0.01)
    assert desk.is_armed(KEY)
    desk.up(KEY, 0.2)
    assert desk.is_armed(KEY)
    desk.wait(1.0)
    assert (desk.torn, desk.world.done, desk.world.selected) == ([], [], [])


def test_armed_key_says_what_a_second_press_does(desk: HoldDesk) -> None:
    desk.hold(KEY)
    assert desk.name(KEY) == "armed, press again to end webshop s-aaaa and remove its worktree"
    (arm,) = desk.panel._pressing.arms
    assert arm.lines == ("TEAR DOWN", "webshop", "s-aaaa", "CONFIRM?")


def test_hold_shows_how_far_it_is_from_200_ms_on(desk: HoldDesk) -> None:
    at_rest = desk.picture(KEY)
    desk.down(KEY)
    desk.wait(0.19)
    assert desk.picture(KEY) == at_rest
    pictures = []
    for _ in range(4):
        desk.wait(0.15)
        pictures.append(desk.picture(KEY))
    assert len({at_rest, *pictures}) == 5
    desk.up(KEY)
    desk.wait(0.1)
    assert desk.picture(KEY) == at_rest


def test_short_press_acts_when_the_key_is_let_go(desk: HoldDesk) -> None:
    desk.down(KEY)
    assert desk.world.done == []
    desk.up(KEY, 0.1)
    until(lambda: desk.world.done, "a window in front")
    assert (desk.world.done, desk.world.selected) == ([("s-aaaa", PANE)], ["s-aaaa"])


def test_empty_slot_and_other_keys_act_when_they_go_down(desk: HoldDesk) -> None:
    desk.down(OTHER)
    until(lambda: desk.flash(OTHER) == "no session", "its word")
    desk.down(DENY)
    until(lambda: desk.flash(DENY) == "nothing pending", "its word")


def test_layout_without_a_hold_acts_when_the_key_goes_down(
    held_clock: Callable[[float], None],
) -> None:
    desk = HoldDesk(held_clock, the_layout("device: stream-deck-xl\n\nrows:\n  - fill: slot\n"))
    desk.crew.join(KEY, "s-aaaa")
    desk.begin()
    desk.settle()
    desk.down(KEY)
    until(lambda: desk.world.done, "a window in front")
    desk.wait(2.0)
    assert not desk.is_armed(KEY)
    desk.end()


# Switches that bounce, releases that are lost.


def test_press_60_ms_after_a_hold_confirms_nothing(desk: HoldDesk) -> None:
    """DK-12, its second half; the first is a verdict's."""
    desk.hold(KEY)
    desk.down(KEY, 0.06)
    desk.up(KEY, 0.1)
    assert (desk.torn, desk.is_armed(KEY)) == ([], True)
    desk.tap(KEY, 0.5)
    until(lambda: desk.torn, "the teardown")


@pytest.mark.parametrize("gap_s", [0.004, 0.03, 0.2])
def test_nervous_thumb_on_an_armed_key_confirms_nothing(desk: HoldDesk, gap_s: float) -> None:
    desk.hold(KEY)
    for _ in range(4):
        desk.down(KEY, gap_s)
        desk.up(KEY, 0.01)
    assert (desk.torn, desk.is_armed(KEY), desk.world.done) == ([], True, [])


def test_contact_that_breaks_during_a_hold_does_not_end_it(desk: HoldDesk) -> None:
    desk.down(KEY)
    desk.up(KEY, 0.5)
    desk.down(KEY, 0.004)
    desk.wait(0.3)
    assert (desk.is_armed(KEY), desk.world.done) == (True, [])


def test_release_that_is_lost_with_its_deck_arms_nothing(desk: HoldDesk) -> None:
    """DK-13: the deck says that it has gone, as all of them do."""
    desk.down(KEY)
    desk.lose(KEY, 0.3)
    desk.wait(1.7)
    assert not desk.is_armed(KEY)
    desk.tap(KEY, 0.0)
    until(lambda: desk.world.done, "a window in front")
    assert (desk.torn, desk.is_armed(KEY), len(desk.world.done)) == ([], False, 1)


def test_release_nobody_tells_of_leaves_nothing_to_confirm(desk: HoldDesk) -> None:
    """DK-13, where not even the loss of the deck was heard."""
    desk.down(KEY)
    desk.wait(0.8)
    desk.tap(KEY, 1.2)
    until(lambda: desk.world.done, "a window in front")
    assert (desk.torn, desk.is_armed(KEY), len(desk.world.done)) == ([], False, 1)


def test_tab_that_is_closed_over_an_armed_key_disarms_it(desk: HoldDesk) -> None:
    desk.down(KEY)
    desk.wait(0.8)
    desk.lose(KEY)
    assert not desk.is_armed(KEY)
    desk.tap(KEY)
    assert desk.torn == []


def test_release_heard_too_late_for_a_hold_anybody_saw_is_nothing(desk: HoldDesk) -> None:
    at = clock.monotonic()
    desk.turn(3.0)
    desk.panel.tell(KeyMoved(KEY, down=True, at=at))
    desk.panel.tell(KeyMoved(KEY, down=False, at=at + 1.0))
    desk.settle()
    assert (desk.is_armed(KEY), desk.world.done) == (False, [])


def test_press_in_one_breath_with_the_next_counts_too(desk: HoldDesk) -> None:
    at = clock.monotonic()
    desk.turn(3.0)
    for after_s, down in ((0.0, True), (0.0, False), (0.1, True), (0.2, False)):
        desk.panel.tell(KeyMoved(KEY, down=down, at=at + after_s))
    until(lambda: len(desk.world.done) == 2, "both")


# The second press, and everything that disarms.


def test_second_press_tears_down_once_and_the_key_says_so(desk: HoldDesk) -> None:
    desk.may_end.clear()
    desk.hold(KEY)
    desk.tap(KEY)
    until(lambda: desk.torn, "the teardown")
    desk.settle()
    assert desk.name(KEY).endswith("being torn down")
    desk.hold(KEY)
    desk.tap(KEY)
    assert not desk.is_armed(KEY)
    desk.may_end.set()
    until(lambda: not desk.crew.told, "its end")
    desk.settle()
    assert (desk.torn, desk.name(KEY)) == (["s-aaaa"], "empty")


@pytest.mark.parametrize("other", [OTHER, DENY, BLANK, 31])
def test_any_other_key_disarms_to_what_was_there(desk: HoldDesk, other: int) -> None:
    before = desk.name(KEY), desk.picture(KEY)
    desk.hold(KEY)
    desk.down(other, 0.5)
    desk.up(other, 0.1)
    assert (desk.name(KEY), desk.picture(KEY)) == before
    desk.tap(KEY, 0.5)
    assert desk.torn == []


def test_arm_is_over_when_its_time_is(desk: HoldDesk) -> None:
    before = desk.picture(KEY)
    desk.hold(KEY)
    desk.wait(2.7)
    assert desk.is_armed(KEY)
    desk.wait(0.2)
    assert desk.picture(KEY) == before
    desk.tap(KEY, 0.0)
    until(lambda: desk.world.done, "a window in front")
    assert desk.torn == []


def test_press_a_moment_after_its_time_confirms_nothing(desk: HoldDesk) -> None:
    desk.hold(KEY)
    desk.down(KEY, 2.8)
    desk.up(KEY, 0.1)
    until(lambda: desk.world.done, "a window in front")
    assert desk.torn == []


def test_arm_belongs_to_the_session_not_to_the_slot(desk: HoldDesk) -> None:
    """TD-27."""
    desk.hold(KEY)
    desk.crew.leave("s-aaaa")
    desk.crew.join(KEY, "s-bbbb")
    desk.settle()
    assert not desk.is_armed(KEY)
    desk.tap(KEY)
    until(lambda: desk.flash(KEY) == "changed", "its word")
    assert (desk.torn, desk.world.done, desk.panel._pressing.arms) == ([], [], ())
    assert "s-bbbb" in desk.crew.told
    desk.tap(KEY)
    until(lambda: desk.world.done, "the window of who is there now")
    assert desk.torn == []


def test_hold_that_began_on_another_session_arms_nothing(desk: HoldDesk) -> None:
    desk.down(KEY)
    desk.wait(0.5)
    desk.crew.leave("s-aaaa")
    desk.crew.join(KEY, "s-bbbb")
    desk.settle()
    desk.wait(0.4)
    until(lambda: desk.flash(KEY) == "changed", "its word")
    assert (desk.is_armed(KEY), desk.panel._pressing.arms) == (False, ())


def test_press_of_a_key_that_changed_hands_goes_to_nobody(desk: HoldDesk) -> None:
    desk.down(KEY)
    desk.crew.leave("s-aaaa")
    desk.crew.join(KEY, "s-bbbb")
    desk.settle()
    desk.up(KEY, 0.1)
    until(lambda: desk.flash(KEY) == "changed", "its word")
    assert (desk.world.done, desk.world.selected) == ([], [])


def test_press_goes_to_the_session_that_was_there_if_it_lives(desk: HoldDesk) -> None:
    desk.down(KEY)
    desk.crew.slots["s-aaaa"] = 5
    desk.crew.join(KEY, "s-bbbb")
    desk.settle()
    desk.up(KEY, 0.1)
    until(lambda: desk.world.done, "a window in front")
    assert desk.world.selected == ["s-aaaa"]


def test_key_that_does_not_show_its_arm_confirms_nothing(desk: HoldDesk) -> None:
    desk.panel.know_torn(b"torn")
    desk.panel._painter._native = lambda _: b"torn"
    desk.hold(KEY)
    desk.tap(KEY)
    assert desk.torn == []
    assert desk.flash(KEY) == "too soon"


# What comes of it.


def test_refusal_of_a_running_agent_is_red_until_its_key_is_pressed(desk: HoldDesk) -> None:
    desk.outcome = DIRTY
    desk.hold(KEY)
    desk.tap(KEY)
    until(lambda: desk.flash(KEY) == "ignored", "its word")
    desk.wait(5.0)
    assert desk.name(KEY).startswith("failed, teardown: ignored")
    desk.tap(KEY)
    until(lambda: desk.world.done, "a window in front")
    desk.settle()
    assert desk.name(KEY).startswith("idle")
    assert "s-aaaa" in desk.crew.told


def test_refusal_after_the_agent_ended_is_red_until_its_key_is_pressed(desk: HoldDesk) -> None:
    desk.outcome = LATE
    desk.hold(KEY)
    desk.tap(KEY)
    until(lambda: desk.flash(KEY) == "status", "its word")
    for _ in range(5):
        desk.wait(60.0)
        assert desk.name(KEY).startswith("failed, teardown: status")
    desk.tap(KEY)
    until(lambda: not desk.crew.told, "its key to be free")
    desk.settle()
    assert (desk.name(KEY), desk.world.done) == ("empty", [])


def test_refused_one_can_be_torn_down_once_it_is_mended(desk: HoldDesk) -> None:
    desk.outcome = LATE
    desk.hold(KEY)
    desk.tap(KEY)
    until(lambda: desk.flash(KEY) == "status", "its word")
    desk.outcome = Outcome(Stage.DONE, "/w is removed", agent_ended=True)
    desk.wait(5.0)
    desk.hold(KEY)
    desk.tap(KEY)
    until(lambda: not desk.crew.told, "its end")
    assert desk.torn == ["s-aaaa", "s-aaaa"]


@pytest.mark.parametrize("error", [Unavailable("git is not there"), ValueError("a bug")])
def test_fault_is_a_refusal(desk: HoldDesk, error: Exception) -> None:
    desk.outcome = error
    desk.hold(KEY)
    desk.tap(KEY)
    until(lambda: desk.flash(KEY) == "fault", "its word")
    desk.wait(5.0)
    assert desk.name(KEY).startswith("failed, teardown: fault")


def test_nothing_is_torn_down_while_nothing_can_be_folded(desk: HoldDesk) -> None:
    desk.hold(KEY)
    desk.crew.problem = OSError(5, "Input/output error")
    desk.tap(KEY)
    until(lambda: desk.flash(KEY) == "not current", "its word")
    desk.crew.problem = None
    desk.wait(5.0)
    assert (desk.torn, desk.name(KEY).split(",")[0]) == ([], "idle")


def test_terminal_that_was_faster_tears_down_alone(desk: HoldDesk) -> None:
    desk.hold(KEY)
    desk.crew.told["s-aaaa"] = ending.claimed(desk.crew.told["s-aaaa"], 1, "", 1.0)
    desk.tap(KEY)
    until(lambda: desk.flash(KEY) == "ending", "its word")
    assert (desk.torn, desk.crew.told["s-aaaa"].teardown) == ([], Teardown(1.0, by=1))


def test_session_that_ends_as_it_is_confirmed_is_left_alone(desk: HoldDesk) -> None:
    desk.hold(KEY)
    desk.turn(1.0)
    desk.panel.tell(KeyMoved(KEY, down=True, at=clock.monotonic()))
    desk.crew.leave("s-aaaa")
    desk.crew.join(OTHER, "s-bbbb")
    until(lambda: desk.flash(KEY) == "changed", "its word")
    assert desk.torn == []


def test_panel_that_stops_waits_for_the_one_under_way_and_keeps_what_came_of_it(
    desk: HoldDesk,
) -> None:
    desk.crew.join(OTHER, "s-bbbb")
    desk.outcome = LATE
    desk.may_end.clear()
    for key in (KEY, OTHER):
        desk.hold(key)
        desk.tap(key)
    until(lambda: desk.torn, "the first")
    desk.panel.stop()
    until(lambda: desk.panel._endings._stopped, "its stop")
    desk.may_end.set()
    assert desk.ended() is None
    first, second = (desk.crew.told[key].teardown for key in ("s-aaaa", "s-bbbb"))
    assert desk.torn == ["s-aaaa"]
    assert first is not None
    assert (first.check, first.ended, second) == ("status", True, None)


def test_one_that_was_told_to_have_begun_is_done_though_its_thread_came_late(
    desk: HoldDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    endings, work = desk.panel._endings, queue.SimpleQueue[Any]()
    endings._work.put(None)
    until(lambda: not endings._thread.is_alive(), "nobody to do it")
    monkeypatch.setattr(endings, "_work", work)
    desk.hold(KEY)
    desk.tap(KEY)
    until(lambda: not work.empty(), "one that has begun")
    desk.panel.stop()
    until(lambda: endings._stopped, "its stop")
    endings._run()
    assert desk.torn == ["s-aaaa"]


# Whoever waits for what comes of a press is told.


def told(desk: HoldDesk, *moves: tuple[float, bool]) -> Performed:
    """Press as a terminal does and return what it is told."""
    waiting = Future[Performed]()
    for seconds, down in moves:
        desk.turn(seconds)
        hand = waiting if down else None
        desk.panel.tell(KeyMoved(KEY, down=down, at=clock.monotonic(), told=hand))
        desk.settle()
    desk.wait(0.1)
    return waiting.result(DEADLINE_S)


def test_terminal_is_told_of_press_arm_and_teardown(desk: HoldDesk) -> None:
    assert type(told(desk, (0.0, True), (0.0, False)).effect).__name__ == "Focus"
    desk.down(KEY, 1.0)
    desk.wait(0.8)
    desk.up(KEY)
    assert type(told(desk, (0.5, True), (0.0, False)).effect).__name__ == "TearDown"


def test_terminal_whose_press_comes_to_nothing_is_told(desk: HoldDesk) -> None:
    waiting = Future[Performed]()
    desk.panel.tell(KeyMoved(KEY, down=True, at=clock.monotonic(), told=waiting))
    desk.lose(KEY, 0.1)
    assert waiting.result(DEADLINE_S).problem == "let go"
    desk.down(KEY, 1.0)
    again = Future[Performed]()
    desk.panel.tell(KeyMoved(KEY, down=True, at=clock.monotonic() + 0.01, told=again))
    assert again.result(DEADLINE_S).problem == "too soon"
