"""The decks a layout may name."""

from __future__ import annotations

from flightdeck.model.decks import MODELS


def test_each_deck_is_found_by_the_name_it_calls_itself() -> None:
    assert all(name == model.name for name, model in MODELS.items())
    assert MODELS["stream-deck-xl"].grid.keys == 32
