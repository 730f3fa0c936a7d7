"""The board by hand, for one test."""

from __future__ import annotations

import pytest

from flightdeck.model.fleet import Fleet
from flightdeck.system import clock
from tests.commands.board.hand import Hand, World, slot


@pytest.fixture
def world(monkeypatch: pytest.MonkeyPatch) -> World:
    world = World(Fleet((slot(0, "r0"), slot(1, "r1", "r2"), slot(2))))
    monkeypatch.setattr(clock, "monotonic", lambda: world.now)
    return world


@pytest.fixture
def hand(world: World) -> Hand:
    return Hand(world)
