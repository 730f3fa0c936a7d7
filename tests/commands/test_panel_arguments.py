"""A signal ends the panel at whatever moment it comes."""

from __future__ import annotations

import contextlib
import os
import signal
from typing import TYPE_CHECKING, cast

import pytest

from flightdeck.commands.panel_arguments import ended_by_signals, interrupted_by_signals

if TYPE_CHECKING:
    from flightdeck.panel.loop import Panel

SIGNALS = [signal.SIGTERM, signal.SIGINT, signal.SIGHUP]


class Counting:
    """A panel, as far as its end."""

    def __init__(self) -> None:
        self.stopped = 0

    def stop(self) -> None:
        self.stopped += 1


@pytest.mark.parametrize("number", SIGNALS)
def test_signal_that_a_library_swallowed_ends_the_panel_as_soon_as_there_is_one(
    number: int,
) -> None:
    panel = Counting()
    with interrupted_by_signals():
        with contextlib.suppress(KeyboardInterrupt):  # as a bare `except` does
            os.kill(os.getpid(), number)
        with ended_by_signals(cast("Panel", panel)):
            assert panel.stopped == 1


@pytest.mark.parametrize("number", SIGNALS)
def test_signal_to_a_panel_that_runs_ends_it(number: int) -> None:
    panel = Counting()
    with interrupted_by_signals(), ended_by_signals(cast("Panel", panel)):
        os.kill(os.getpid(), number)
        assert panel.stopped == 1


@pytest.mark.parametrize("number", SIGNALS)
def test_signal_before_there_is_a_panel_interrupts(number: int) -> None:
    with pytest.raises(KeyboardInterrupt), interrupted_by_signals():
        os.kill(os.getpid(), number)
