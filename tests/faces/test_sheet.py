"""The whole deck as one picture."""

from __future__ import annotations

import pytest

from flightdeck.faces.sheet import draw_deck
from flightdeck.model.contrast import channels
from flightdeck.model.deck import DeckModel, Position
from flightdeck.model.decks import MODELS
from flightdeck.model.lifecycle import State
from tests.faces.looks import LOOKS, a_view

XL = MODELS["stream-deck-xl"]


def test_the_picture_of_an_xl_is_wide_enough_to_read() -> None:
    assert draw_deck({}, XL).width >= 860


@pytest.mark.parametrize("model", MODELS.values(), ids=lambda model: model.name)
def test_a_scale_enlarges_the_picture(model: DeckModel) -> None:
    one, two = draw_deck({}, model), draw_deck({}, model, scale=2)
    assert abs(two.width - 2 * one.width) <= 2 * model.grid.columns


def test_each_key_is_where_it_is_on_the_deck() -> None:
    views = {Position(1, 1): a_view(State.FAILED), Position(4, 8): a_view(State.DONE)}
    sheet = draw_deck(views, XL)
    margin = 36 + 20
    corners = [sheet.getpixel(p) for p in ((margin, 44), (sheet.width - margin, sheet.height - 44))]
    assert corners == [channels(LOOKS[s].colour) for s in (State.FAILED, State.DONE)]


def test_a_key_nobody_mentions_is_black() -> None:
    assert draw_deck({}, XL).getpixel((36 + 48, 36 + 48)) == (0, 0, 0)


def test_a_view_beyond_the_deck_is_not_shown() -> None:
    beyond = {Position(9, 9): a_view(State.FAILED)}
    assert draw_deck(beyond, XL).tobytes() == draw_deck({}, XL).tobytes()


def test_a_broken_view_costs_one_key() -> None:
    views = {Position(1, 1): a_view(ink="x"), Position(1, 2): a_view(State.DONE)}
    sheet = draw_deck(views, XL)
    assert sheet.getpixel((36 + 96 + 16 + 20, 44)) == channels(LOOKS[State.DONE].colour)
