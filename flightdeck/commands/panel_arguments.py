"""What `run` and `demo` share: their arguments, and running a panel until it is told to stop."""

from __future__ import annotations

import signal
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from flightdeck.decks.catalogue import CHOICES

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterator
    from types import FrameType

    from flightdeck.panel.loop import Panel
    from flightdeck.ports import Deck


def add_deck_arguments(parser: argparse.ArgumentParser, default: str) -> None:
    """Take what chooses and serves the deck."""
    parser.add_argument("--deck", choices=CHOICES, default=default, help=f"default: {default}")
    parser.add_argument("--port", type=int, default=0, help="the browser deck's port; 0: any free")
    parser.add_argument("--record", type=Path, metavar="DIR", help="keep every painted key there")
    parser.add_argument(
        "--seconds", type=float, metavar="N", help="end after so many seconds; default: never"
    )


def where_it_is(deck: Deck, choice: str) -> str:
    """Return one line that says which deck `choice` led to and where to look at it."""
    where = f"panel on the {deck.name} deck: {deck.where}" if deck.where else f"on {deck.name}"
    if choice == "auto" and deck.name == "browser":
        return f"no Stream Deck that fits is attached; {where}"
    return where


@contextmanager
def ended_by_signals(panel: Panel) -> Iterator[None]:
    """Let SIGTERM, SIGHUP and ^C end the panel in good order, also one that came before."""
    earlier = signal.getsignal(signal.SIGTERM)
    with _caught(lambda *_: panel.stop()):
        if isinstance(earlier, _Interrupt) and earlier.came:
            panel.stop()
        yield


@contextmanager
def interrupted_by_signals() -> Iterator[None]:
    """Let SIGTERM and SIGHUP do what ^C does, so that what was begun is taken back."""
    with _caught(_Interrupt()):
        yield


class _Interrupt:
    """What ^C does, and a memory of it: a library that is being loaded may swallow the error."""

    def __init__(self) -> None:
        self.came = False

    def __call__(self, number: int, frame: FrameType | None) -> None:
        self.came = True
        signal.default_int_handler(number, frame)


@contextmanager
def _caught(handler: Callable[[int, FrameType | None], object]) -> Iterator[None]:
    numbers = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
    before = {number: signal.signal(number, handler) for number in numbers}
    try:
        yield
    finally:
        for number, earlier in before.items():
            signal.signal(number, earlier)
