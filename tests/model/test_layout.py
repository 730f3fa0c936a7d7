"""What a layout tells of itself."""

from __future__ import annotations

from tests.model.panels import a_panel


def test_slots_are_those_shown_and_not_pinned_lowest_first() -> None:
    assert a_panel().slots == (0, 1)
