"""The shape of a deck: how its keys lie and what a picture for one of them is.

Pure data; which device has which shape is told by `decks/models.py`.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, order=True)
class Position:
    """A physical key, row and column counted from 1 at the top left."""

    row: int
    column: int

    def __str__(self) -> str:
        return f"{self.row}.{self.column}"


@dataclass(frozen=True, slots=True)
class Grid:
    """How many keys a deck has, left to right and top to bottom."""

    columns: int
    rows: int

    @property
    def keys(self) -> int:
        """Number of keys."""
        return self.columns * self.rows

    def index(self, position: Position) -> int:
        """Return the key number decks count with: 0 at the top left, row by row."""
        return (position.row - 1) * self.columns + position.column - 1

    def position(self, index: int) -> Position:
        """Return the row and column of key number `index`."""
        return Position(index // self.columns + 1, index % self.columns + 1)

    def holds(self, position: Position) -> bool:
        """Say whether the deck has a key at this position."""
        return 1 <= position.row <= self.rows and 1 <= position.column <= self.columns


class Codec(enum.Enum):
    """How a deck wants the picture of a key."""

    JPEG = "jpeg"
    BMP = "bmp"
    PNG = "png"


@dataclass(frozen=True, slots=True)
class KeyFormat:
    """The picture one key takes: pixels, codec, and how the device turns it.

    Flips and rotation are what must be done to an upright picture before it is
    sent; rotation is in degrees counter-clockwise.
    """

    width: int
    height: int
    codec: Codec
    flip_horizontal: bool = False
    flip_vertical: bool = False
    rotation: int = 0


@dataclass(frozen=True, slots=True)
class DeckModel:
    """A kind of deck: its name in layouts (`stream-deck-xl`), grid and key picture."""

    name: str
    title: str
    grid: Grid
    key: KeyFormat
