"""A verb in the queue expires at its time, or never."""

from __future__ import annotations

import pytest

from flightdeck.model.staged import Staged


@pytest.mark.parametrize(
    ("until", "now", "expired"),
    [(0.0, 1e12, False), (400.0, 399.9, False), (400.0, 400.0, True), (400.0, 500.0, True)],
)
def test_verb_expires_at_its_time(until: float, now: float, expired: bool) -> None:
    assert Staged("push", "0" * 16, "s-aaaa", 4242, 100.0, until).expired(now) is expired


@pytest.mark.parametrize(
    ("until", "now", "expired"),
    [(400.0, 98.0, False), (400.0, 97.9, True), (400.0, 0.0, True), (0.0, 0.0, False)],
)
def test_verb_expires_with_a_clock_that_is_turned_back(
    until: float, now: float, expired: bool
) -> None:
    assert Staged("push", "0" * 16, "s-aaaa", 4242, 100.0, until).expired(now) is expired
