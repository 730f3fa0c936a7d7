"""How wide columns are that want more room than there is."""

from __future__ import annotations

import pytest

from flightdeck.commands.board.columns import shares


@pytest.mark.parametrize(
    ("wanted", "room", "given"),
    [
        ([3, 4, 5], 12, [3, 4, 5]),
        ([3, 4, 5], 100, [3, 4, 5]),
        ([50, 4, 50], 24, [10, 4, 10]),
        ([50, 50], 11, [6, 5]),
        ([5, 0, 50], 9, [5, 0, 4]),
        ([50, 50, 50], 2, [2, 0, 0]),
        ([3, 3], 0, [0, 0]),
        ([3, 3], -7, [0, 0]),
        ([], 10, []),
    ],
)
def test_each_gets_what_it_wants_or_as_much_as_the_others(
    wanted: list[int], room: int, given: list[int]
) -> None:
    assert shares(wanted, room) == given
