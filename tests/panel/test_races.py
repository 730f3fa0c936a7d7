"""Whoever is after a verb at the same time: it arrives once or never.

`python -m tests.panel.races 1000` runs more of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.panel.races import races

if TYPE_CHECKING:
    from tests.fold.world import Machine

RACES = 25


@pytest.mark.parametrize("seed", [1, 2])
def test_verb_arrives_once_or_never(machine: Machine, seed: int) -> None:
    came_of = races(machine, RACES, seed)
    assert sum(came_of.values()) == RACES
    assert any(outcome.startswith("delivered") for outcome in came_of)
