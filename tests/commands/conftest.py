"""Panels that run for one test only."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.commands.running import Running

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.fold.world import Machine


@pytest.fixture
def start(machine: Machine) -> Iterator[Callable[..., Running]]:
    """Start `flightdeck run` with these words; it ends with the test."""
    running: list[Running] = []

    def one(*words: str) -> Running:
        running.append(Running(machine, *words))
        return running[-1]

    yield one
    for panel in running:
        panel.stop()
