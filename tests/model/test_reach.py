"""How far a path can lead, whatever its commands."""

from __future__ import annotations

import math

import pytest

from flightdeck.model.reach import numbers, path_reach


def test_numbers_may_stand_close_together() -> None:
    assert numbers("M-1.5.5 7,8") == [-1.5, 0.5, 7, 8]


@pytest.mark.parametrize(
    ("path", "reach"),
    [
        ("", 0),
        ("M0 0L30 -40", 40),
        ("M0 0l30 40l30 40", 140),
        ("M0 0l9 9L5 5", 18),
        ("M10 10A5 5 0 0 1 20 20", 20),
        ("M10 10A5 40 0 0 1 20 20", 160),
        ("M10 10A0 40 0 0 1 20 20", math.inf),
    ],
)
def test_reach_is_the_farthest_a_path_can_lead(path: str, reach: float) -> None:
    assert path_reach(path) == reach
