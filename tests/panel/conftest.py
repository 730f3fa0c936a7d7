"""A desk for each test, and a clock only a test turns."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from flightdeck.system import clock
from tests.panel.desk import Desk

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


@pytest.fixture
def desk() -> Iterator[Desk]:
    desk = Desk()
    yield desk
    desk.end()


@pytest.fixture
def held_clock(monkeypatch: pytest.MonkeyPatch) -> Callable[[float], None]:
    """A monotonic clock that only a test turns."""
    hands = [1000.0]
    monkeypatch.setattr(clock, "monotonic", lambda: hands[0])

    def turn(seconds: float) -> None:
        hands[0] += seconds

    return turn
