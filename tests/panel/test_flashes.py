"""A press that cannot act says why, on that very key; one from a terminal is told."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from flightdeck.errors import Refused, Unavailable
from flightdeck.model.deck import Position
from flightdeck.model.effect import Focus
from flightdeck.model.layout import UrlTarget
from flightdeck.model.place import Place
from flightdeck.panel import messages
from flightdeck.panel.presses import press
from flightdeck.system import clock
from tests.fold.world import until
from tests.panel.desk import PANE, Desk, a_view, the_layout

if TYPE_CHECKING:
    from collections.abc import Callable

    from flightdeck.model.fleet import SlotView


def flashed(desk: Desk, index: int) -> str:
    position = desk.layout.grid.position(index)
    return desk.panel._flashes.words(clock.monotonic()).get(position, "")


@pytest.mark.parametrize(
    ("views", "problem", "word"),
    [
        ((), None, "no session"),
        ((a_view(0, place=Place()),), None, "no window"),
        ((a_view(0),), Refused("not now"), "not now"),
        ((a_view(0),), Unavailable("a reason far too long to be read on a key"), "see log"),
        ((a_view(0),), ZeroDivisionError("a bug"), "see log"),
    ],
)
def test_press_that_cannot_act_flashes_why_on_that_very_key(
    desk: Desk, views: tuple[SlotView, ...], problem: Exception | None, word: str
) -> None:
    desk.world.problem = problem
    desk.begin(*views)
    before = [desk.picture(index) for index in range(32)]
    desk.thumb(0)
    until(lambda: flashed(desk, 0), "a word")
    assert flashed(desk, 0) == word
    until(lambda: desk.picture(0) != before[0], "the word on the key")
    assert [desk.picture(index) for index in range(1, 32)] == before[1:]


def test_word_goes_when_its_time_is_over_and_not_before(
    desk: Desk, held_clock: Callable[[float], None]
) -> None:
    desk.begin()
    before = desk.picture(0)
    desk.thumb(0)
    until(lambda: flashed(desk, 0), "a word")
    flash_s = desk.layout.timings.flash_ms / 1000
    held_clock(flash_s - 0.01)
    desk.settle()
    assert desk.picture(0) != before
    held_clock(0.02)
    desk.settle()
    assert desk.picture(0) == before


# Asked from a terminal.


def test_press_from_a_terminal_is_a_press_and_says_what_came_of_it(desk: Desk) -> None:
    desk.begin(a_view(0))
    done = press(desk.panel, Position(1, 1), 0.0, 10.0)
    assert (done.problem, done.effect) == ("", Focus("k0", PANE))
    assert desk.world.done == [("k0", PANE)]


def test_press_of_a_blank_key_from_a_terminal_says_so(desk: Desk) -> None:
    desk.begin()
    assert press(desk.panel, Position(4, 7), 0.0, 10.0).problem == "this key does nothing"


def test_press_right_after_another_says_so(desk: Desk) -> None:
    desk.begin(a_view(0))
    now = clock.monotonic() + 1000
    desk.panel._queue.put(messages.KeyMoved(30, down=True, at=now))
    assert "too soon" in press(desk.panel, Position(4, 7), 0.0, 10.0).problem


def test_press_nobody_answers_in_time_is_unavailable() -> None:
    desk = Desk()  # never started
    with pytest.raises(Unavailable, match=r"gave no answer in 0\.01 s"):
        press(desk.panel, Position(1, 1), 0.0, 0.01)


def test_pin_and_run_keys_do_what_their_author_wrote() -> None:
    layout = the_layout(
        "device: stream-deck-xl\nrows:\n  - fill: slot\n"
        "  - keys:\n      1: open url https://example.org\n      2: run /bin/make test\n"
    )
    desk = Desk(layout)
    desk.begin()
    desk.thumb(8)
    desk.thumb(9)
    until(lambda: len(desk.world.done) == 2, "both")
    desk.end()
    assert desk.world.done == [UrlTarget("https://example.org"), ("/bin/make", "test")]
