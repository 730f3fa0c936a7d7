"""A key whose face is being written or was not drawn: nobody can say what the thumb was on."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import pytest

from flightdeck.panel.messages import KeyMoved
from flightdeck.system import clock
from tests.fold.world import DEADLINE_S, until
from tests.panel.waiting import VerdictDesk

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


class Slow:
    """A deck that shows one key's next face at once and then takes its time to say so."""

    def __init__(self, desk: VerdictDesk, what: str) -> None:
        self.begun, self.end = threading.Event(), threading.Event()
        self._index, self._write = desk.keys[what], desk.deck.write_key

    def write_key(self, index: int, image: bytes, name: str) -> None:
        self._write(index, image, name)
        if index == self._index:
            self.begun.set()
            assert self.end.wait(DEADLINE_S)


@pytest.fixture
def desk(held_clock: Callable[[float], None]) -> Iterator[VerdictDesk]:
    desk = VerdictDesk(held_clock)
    desk.begin()
    desk.ask("r1")
    desk.ask("r2", "k1")
    yield desk
    desk.end()
    assert desk.error is None


def select(desk: VerdictDesk, key: str) -> None:
    """Aim the row at the request of another session, and wait until the panel has seen that."""
    desk.asking.facts["selected"] = key
    for _ in range(2):
        before = desk.asking.steps
        desk.panel.wake()
        until(lambda before=before: desk.asking.steps > before, "a look")  # type: ignore[misc]


def test_press_while_a_face_is_written_is_dropped_whatever_the_row_is_aimed_at_by_then(
    desk: VerdictDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow = Slow(desk, "approve")
    monkeypatch.setattr(desk.deck, "write_key", slow.write_key)
    desk.turn(1.0)
    select(desk, "k1")
    assert slow.begun.wait(DEADLINE_S)
    assert "k1" in desk.face("approve")
    select(desk, "")
    desk.panel.tell(KeyMoved(desk.keys["approve"], down=True, at=clock.monotonic()))
    until(lambda: desk.flash("approve") or desk.decisions, "what comes of it")
    slow.end.set()
    desk.settle()
    assert (desk.flash("approve"), desk.decisions) == ("changed", [])


def test_face_that_comes_back_after_one_that_could_not_be_drawn_is_new(desk: VerdictDesk) -> None:
    painter, native = desk.panel._painter, desk.panel._painter._native
    painter._native = lambda view: painter.torn if "k1" in view.name else native(view)
    desk.turn(1.0)
    desk.asking.facts["selected"] = "k1"
    desk.settle()
    desk.asking.facts["selected"] = ""
    desk.settle()
    desk.press("approve", later_s=0.1)
    assert (desk.flash("approve"), desk.decisions) == ("too soon", [])
    desk.press("approve")
    assert desk.allowed == ["r1"]
