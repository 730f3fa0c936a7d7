"""Keys are counted from the top left, row by row; people count rows and columns from 1."""

from __future__ import annotations

import pytest

from flightdeck.model.deck import Grid, Position

XL = Grid(8, 4)


@pytest.mark.parametrize(
    ("index", "position"), [(0, (1, 1)), (7, (1, 8)), (8, (2, 1)), (31, (4, 8))]
)
def test_key_number_and_position_are_the_same_key(index: int, position: tuple[int, int]) -> None:
    assert XL.position(index) == Position(*position)
    assert XL.index(Position(*position)) == index


def test_grid_counts_its_keys() -> None:
    assert XL.keys == 32


@pytest.mark.parametrize(
    ("row", "column", "holds"),
    [(1, 1, True), (4, 8, True), (0, 1, False), (1, 0, False), (5, 1, False), (1, 9, False)],
)
def test_grid_holds_only_its_own_keys(row: int, column: int, holds: bool) -> None:
    assert XL.holds(Position(row, column)) is holds


def test_position_is_written_as_people_say_it() -> None:
    assert str(Position(2, 7)) == "2.7"
