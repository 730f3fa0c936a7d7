"""The painter: one thread, the newest face, no byte twice."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import pytest

from flightdeck.decks.recorder import Recorder
from flightdeck.model.deck import Position
from flightdeck.model.decks import MODELS
from flightdeck.model.keyview import KeyView
from flightdeck.model.row import Aim
from flightdeck.panel.painter import Painter, Stood
from flightdeck.system import clock
from tests.fold.world import DEADLINE_S

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from flightdeck.errors import Unavailable

KEY = Position(1, 1)


class Easel:
    """A painter whose brush can be held."""

    def __init__(self) -> None:
        self.deck = Recorder(MODELS["stream-deck-xl"], None)
        self.deck.open(lambda *_, **__: None)
        self.drawn: list[str] = []
        self.lost: list[Unavailable] = []
        self.free = threading.Event()
        self.free.set()
        self.painter = Painter(self.deck, self.draw, self.lost.append)

    def draw(self, view: KeyView) -> bytes:
        self.free.wait(DEADLINE_S)
        self.drawn.append(view.bottom)
        return view.bottom.encode()

    def show(self, word: str, name: str = "") -> None:
        self.painter.show({KEY: KeyView("#000000", "#ffffff", bottom=word, name=name)})


@pytest.fixture
def easel() -> Iterator[Easel]:
    easel = Easel()
    easel.painter.start()
    yield easel
    easel.free.set()
    easel.painter.stop()


def test_wanted_face_is_painted(easel: Easel) -> None:
    easel.show("a")
    assert easel.painter.settle(DEADLINE_S)
    assert easel.deck.current(0) == b"a"


def test_same_face_is_neither_drawn_nor_written_again(easel: Easel) -> None:
    for _ in range(3):
        easel.show("a")
        assert easel.painter.settle(DEADLINE_S)
    assert (easel.drawn, easel.painter.writes) == (["a"], 1)


def test_face_of_the_same_bytes_is_not_written_again(easel: Easel) -> None:
    for view in (KeyView("#000000", "#ffffff"), KeyView("#111111", "#ffffff")):
        easel.painter.show({KEY: view})
        assert easel.painter.settle(DEADLINE_S)
    assert easel.painter.writes == 1


def test_new_name_for_screen_readers_is_written(easel: Easel) -> None:
    easel.show("a", "idle")
    easel.painter.settle(DEADLINE_S)
    easel.show("a", "done")
    assert easel.painter.settle(DEADLINE_S)
    assert easel.deck.current_name(0) == "done"


def test_faces_missed_while_one_is_drawn_are_skipped(easel: Easel) -> None:
    easel.free.clear()
    for word in ("a", "b", "c", "d"):
        easel.show(word)
    easel.free.set()
    assert easel.painter.settle(DEADLINE_S)
    assert easel.deck.current(0) == b"d"
    assert len(easel.drawn) <= 2


def test_settling_gives_up_in_time(easel: Easel) -> None:
    easel.free.clear()
    easel.show("a")
    assert not easel.painter.settle(0.01)


def test_stopped_painter_writes_nothing_more() -> None:
    easel = Easel()
    easel.painter.start()
    easel.painter.stop()
    easel.show("a")
    assert easel.painter.settle(0.0)
    assert easel.painter.writes == 0


def test_painter_that_never_began_can_be_stopped() -> None:
    Easel().painter.stop()


def test_lost_deck_is_told_once(easel: Easel) -> None:
    easel.deck.close()
    easel.show("a")
    easel.painter._thread.join(DEADLINE_S)
    assert [error.message for error in easel.lost] == ["the recorder is not open"]


# What a verdict key has stood for, and since when.

FIRST, SECOND = Aim("r1"), Aim("r2")


def aimed(easel: Easel, aim: Aim, word: str = "approve") -> None:
    easel.painter.show({KEY: KeyView("#000000", "#ffffff", bottom=word)}, {KEY: aim})
    assert easel.painter.settle(DEADLINE_S)


def test_key_stands_for_what_it_is_aimed_at_from_when_that_reached_the_deck(
    easel: Easel, held_clock: Callable[[float], None]
) -> None:
    assert easel.painter.stood(0) == ()
    aimed(easel, FIRST)
    began = clock.monotonic()
    held_clock(1.0)
    aimed(easel, FIRST, "another word")
    assert easel.painter.stood(0) == (Stood(FIRST, began),)


def test_key_of_the_same_picture_stands_for_something_else(
    easel: Easel, held_clock: Callable[[float], None]
) -> None:
    aimed(easel, FIRST)
    held_clock(1.0)
    aimed(easel, SECOND)
    assert easel.painter.writes == 1
    assert [(stood.aim, stood.since) for stood in easel.painter.stood(0)] == [
        (FIRST, clock.monotonic() - 1.0),
        (SECOND, clock.monotonic()),
    ]


def test_key_that_could_not_be_painted_stands_for_what_it_stood_for(
    easel: Easel, monkeypatch: pytest.MonkeyPatch
) -> None:
    aimed(easel, FIRST)
    monkeypatch.setattr(easel.painter, "_native", None)
    aimed(easel, SECOND, "other")
    assert [stood.aim for stood in easel.painter.stood(0)] == [FIRST]


def test_key_that_shows_a_torn_face_stands_for_nothing(easel: Easel) -> None:
    aimed(easel, FIRST)
    easel.painter.torn = b"torn"
    aimed(easel, SECOND, "torn")
    assert easel.painter.stood(0) == ()


def test_only_the_last_few_are_remembered(easel: Easel) -> None:
    for number in range(30):
        aimed(easel, Aim(str(number)))
    stood = [one.aim.of for one in easel.painter.stood(0)]
    assert stood == [str(number) for number in range(22, 30)]
