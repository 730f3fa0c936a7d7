"""A slot in words."""

from __future__ import annotations

import pytest

from flightdeck.commands import slot_words
from flightdeck.model.fleet import Fleet


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(-5, "0s"), (0, "0s"), (59.9, "59s"), (60, "1m"), (3599, "59m"), (3600, "1h"), (1e6, "277h")],
)
def test_age_is_short(seconds: float, text: str) -> None:
    assert slot_words.age(seconds) == text


def test_fleet_that_runs_free_has_no_brakes_to_tell_of() -> None:
    assert slot_words.brakes(Fleet(untracked=2)) == []


def test_halted_fleet_says_who_is_out_of_reach() -> None:
    assert slot_words.brakes(Fleet(halted=True, untracked=2)) == [
        "HALTED: no new tool call runs; `flightdeck halt --off` lifts it",
        "  2 untracked, out of its reach: `flightdeck doctor` names them",
    ]
