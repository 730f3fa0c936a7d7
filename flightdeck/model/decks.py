"""The decks there are, by the name a layout gives them.

Geometry as the streamdeck library (0.10) declares it for each device class; a test
holds the two against each other.
"""

from __future__ import annotations

from flightdeck.model.deck import Codec, DeckModel, Grid, KeyFormat

MODELS = {
    model.name: model
    for model in (
        DeckModel(
            "stream-deck-xl",
            "Stream Deck XL",
            Grid(8, 4),
            KeyFormat(96, 96, Codec.JPEG, flip_horizontal=True, flip_vertical=True),
        ),
        DeckModel(
            "stream-deck-mk2",
            "Stream Deck MK.2",
            Grid(5, 3),
            KeyFormat(72, 72, Codec.JPEG, flip_horizontal=True, flip_vertical=True),
        ),
        DeckModel(
            "stream-deck-original",
            "Stream Deck Original",
            Grid(5, 3),
            KeyFormat(72, 72, Codec.BMP, flip_horizontal=True, flip_vertical=True),
        ),
        DeckModel(
            "stream-deck-mini",
            "Stream Deck Mini",
            Grid(3, 2),
            KeyFormat(80, 80, Codec.BMP, flip_vertical=True, rotation=90),
        ),
        DeckModel(
            "stream-deck-neo",
            "Stream Deck Neo",
            Grid(4, 2),
            KeyFormat(96, 96, Codec.JPEG, flip_horizontal=True, flip_vertical=True),
        ),
        DeckModel(
            "stream-deck-plus", "Stream Deck Plus", Grid(4, 2), KeyFormat(120, 120, Codec.JPEG)
        ),
    )
}
