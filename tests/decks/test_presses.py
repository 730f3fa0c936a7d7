"""A key goes down once and comes up once, whoever speaks of it."""

from __future__ import annotations

import pytest

from flightdeck.decks.presses import Presses
from tests.decks.heard import Heard


@pytest.fixture
def heard() -> Heard:
    return Heard()


@pytest.fixture
def presses(heard: Heard) -> Presses:
    return Presses(heard, keys=8)


def test_second_down_of_the_same_holder_is_not_told(presses: Presses, heard: Heard) -> None:
    presses.down(1, "a", 1.0)
    presses.down(1, "a", 2.0)
    assert heard.wait(1) == [(1, True)]


def test_up_without_a_down_is_not_told(presses: Presses, heard: Heard) -> None:
    presses.up(1, "a", 1.0)
    assert heard.wait(0) == []


def test_key_held_twice_comes_up_with_the_last_holder(presses: Presses, heard: Heard) -> None:
    presses.down(1, "a", 1.0)
    presses.down(1, "b", 2.0)
    presses.up(1, "a", 3.0)
    assert heard.wait(1) == [(1, True)]
    presses.up(1, "b", 4.0)
    assert heard.wait(2) == [(1, True), (1, False)]
    assert heard.lost == []


def test_holder_that_goes_lets_go_of_its_own_keys_only(presses: Presses, heard: Heard) -> None:
    presses.down(1, "a", 1.0)
    presses.down(2, "b", 1.0)
    presses.gone("a", 2.0)
    assert heard.wait(3) == [(1, True), (2, True), (1, False)]
    assert heard.lost == [1]


@pytest.mark.parametrize("index", [-1, 8])
def test_key_outside_the_deck_is_not_told(presses: Presses, heard: Heard, index: int) -> None:
    presses.down(index, "a", 1.0)
    assert heard.wait(0) == []


def test_end_lifts_every_key_and_then_tells_nothing(presses: Presses, heard: Heard) -> None:
    presses.down(1, "a", 1.0)
    presses.end(2.0)
    presses.up(1, "a", 3.0)
    presses.down(2, "a", 3.0)
    assert heard.wait(2) == [(1, True), (1, False)]
    assert heard.lost == [1]
