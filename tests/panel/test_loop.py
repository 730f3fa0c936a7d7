"""The panel as a person meets it: what is on the keys, and what a press does."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from flightdeck.errors import Gone
from flightdeck.fold.folding import Outcome, Unsaved
from flightdeck.model.deck import Position
from flightdeck.model.effect import Focus
from flightdeck.model.fleet import Fleet
from flightdeck.model.lifecycle import State
from flightdeck.model.place import Place
from flightdeck.panel import loop, messages
from flightdeck.panel.perform import Hand, Performed
from flightdeck.system import clock
from tests.fold.world import until
from tests.panel.desk import PANE, Desk, a_fleet, a_view, the_layout

if TYPE_CHECKING:
    from collections.abc import Iterator

BLANK, LAST = 30, 7


# What is on the keys.


def test_every_state_is_on_its_key(desk: Desk) -> None:
    states = [state for state in State if state is not State.EMPTY]
    desk.begin(*(a_view(slot, state) for slot, state in enumerate(states)))
    assert [desk.name(slot).split(",")[0] for slot in range(6)] == [
        *(state.value for state in states),
        "empty",
    ]


def test_nothing_changes_and_no_key_is_written(desk: Desk) -> None:
    desk.begin(a_view(0), a_view(1, State.WORKING))
    before = desk.panel.writes
    for _ in range(10):
        desk.settle()
    assert desk.panel.writes == before


def test_one_change_writes_one_key(desk: Desk) -> None:
    desk.begin(a_view(0), a_view(1))
    before = desk.panel.writes
    desk.show(a_view(0, State.DONE), a_view(1))
    assert desk.panel.writes == before + 1


def test_last_slot_is_marked_with_how_many_more_there_are(desk: Desk) -> None:
    desk.begin()
    without = desk.picture(LAST)
    desk.source.fleet = Fleet(desk.source.fleet.slots, overflow=3)
    desk.settle()
    assert "3 more not shown" in desk.name(LAST)
    assert desk.picture(LAST) != without


def test_seen_state_dims_and_the_next_one_is_bright_again(desk: Desk) -> None:
    desk.begin(a_view(0))
    bright = desk.picture(0)
    desk.show(a_view(0, seen=True))
    assert desk.picture(0) != bright
    desk.show(a_view(0))
    assert desk.picture(0) == bright


def test_fold_that_fails_is_said_on_every_slot_and_logged_once(
    desk: Desk, caplog: pytest.LogCaptureFixture
) -> None:
    desk.begin(a_view(0))
    shown = [desk.picture(index) for index in range(32)]
    for name in ("/f/.slots.json.a.tmp", "/f/.slots.json.b.tmp"):
        desk.source.problem = OSError(21, "Is a directory", name)
        desk.settle()
    now_shown = [desk.picture(index) for index in range(32)]
    assert [one != other for one, other in zip(shown, now_shown, strict=True)] == (
        [True] * 8 + [False] * 24
    )
    assert [r.message for r in caplog.records] == ["cannot fold: Is a directory"]
    desk.source.problem = None
    desk.settle()
    assert [desk.picture(index) for index in range(32)] == shown


def test_state_the_disk_has_no_room_for_is_shown_all_the_same(desk: Desk) -> None:
    desk.begin(a_view(0, State.WORKING))
    found = Outcome(a_fleet(a_view(0, State.BLOCKED)))
    desk.source.problem = Unsaved(found, OSError(28, "No space left on device"))
    desk.settle()
    assert desk.name(0).startswith("blocked")


def test_fleet_asks_to_be_looked_at_again_in_time(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(loop, "SCAN_S", 60.0)
    desk.begin()
    desk.panel.scan._again = clock.now() + 0.01
    steps = desk.source.steps
    desk.panel.wake()
    until(lambda: desk.source.steps > steps, "a look without a wake")


@pytest.mark.parametrize(("watched", "scan_s"), [(True, loop.WATCHED_SCAN_S), (False, loop.SCAN_S)])
def test_panel_nothing_wakes_looks_more_often(desk: Desk, watched: bool, scan_s: float) -> None:
    desk.panel.tend = lambda: watched
    desk.begin()
    assert desk.panel._patience(None) == scan_s


# What a press does.


def test_press_brings_the_window_of_that_session_forward(desk: Desk) -> None:
    desk.begin(a_view(0), a_view(2, place=Place("app", program="Terminal")))
    desk.thumb(2)
    desk.thumb(0)
    until(lambda: len(desk.world.done) == 2, "two focused windows")
    assert desk.world.done == [("k2", Place("app", program="Terminal")), ("k0", PANE)]


@pytest.fixture
def plain() -> Iterator[Desk]:
    """A desk whose keys take no hold."""
    desk = Desk(the_layout("device: stream-deck-mini\n\nrows:\n  - fill: slot\n"))
    yield desk
    desk.end()


def test_press_acts_when_the_key_goes_down_and_once(plain: Desk) -> None:
    desk = plain
    desk.begin(a_view(0))
    desk.deck.press(0)
    until(lambda: desk.world.done, "a focused window")
    desk.deck.release(0)
    desk.settle()
    assert len(desk.world.done) == 1


def test_blank_key_does_nothing(desk: Desk) -> None:
    desk.begin(a_view(0))
    before = desk.picture(BLANK)
    desk.thumb(BLANK)
    desk.settle()
    assert (desk.world.done, desk.picture(BLANK)) == ([], before)


@pytest.mark.parametrize("index", [-1, 32, 4000])
def test_key_no_deck_has_does_nothing(desk: Desk, index: int) -> None:
    desk.begin(a_view(0))
    desk.panel._queue.put(messages.KeyMoved(index, down=True, at=1.0))
    desk.settle()
    assert desk.world.done == []


def test_second_contact_of_a_bouncing_switch_is_dropped(plain: Desk) -> None:
    desk = plain
    desk.begin(a_view(0))
    for at in (100.0, 100.01, 100.02, 101.0):
        desk.panel._queue.put(messages.KeyMoved(0, down=True, at=at))
    desk.settle()
    until(lambda: len(desk.world.done) >= 2, "both real presses")
    desk.settle()
    assert len(desk.world.done) == 2


def test_press_of_a_focused_session_marks_it_seen(desk: Desk) -> None:
    desk.begin(a_view(0), a_view(1))
    desk.thumb(0)
    until(lambda: desk.source.amended, "an amended session")
    assert [(s.key, s.seen, s.stale) for s in desk.source.amended] == [
        ("k0", True, False),
        ("k1", False, False),
    ]


def test_window_that_is_gone_marks_its_session_stale(desk: Desk) -> None:
    desk.world.problem = Gone("the pane is gone")
    desk.begin(a_view(0), a_view(1))
    desk.thumb(0)
    until(lambda: desk.source.amended, "an amended session")
    assert [(s.key, s.seen, s.stale) for s in desk.source.amended] == [
        ("k0", False, True),
        ("k1", False, False),
    ]


def test_two_presses_at_once_amend_both_sessions(desk: Desk) -> None:
    desk.begin(a_view(0), a_view(1))
    effects = [Focus(key, PANE) for key in ("k0", "k1")]
    for index, effect in enumerate(effects):
        desk.panel._queue.put(Performed(effect, Hand(Position(1, index + 1))))
    until(lambda: len(desk.source.amended) >= 2, "amended sessions")
    assert all(session.seen for session in desk.source.amended)


def test_fact_the_panel_knows_survives_a_fold_that_failed(desk: Desk) -> None:
    desk.begin(a_view(0))
    desk.source.problem = OSError(28, "full")
    desk.panel._queue.put(Performed(Focus("k0", PANE), Hand(Position(1, 1))))
    desk.settle()
    desk.source.problem = None
    desk.settle()
    assert desk.source.amended[0].seen
