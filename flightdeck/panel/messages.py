"""What the panel's queue carries: whatever happens on another thread, as a value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from flightdeck.panel.perform import Performed

if TYPE_CHECKING:
    from concurrent.futures import Future

    from flightdeck.errors import Unavailable
    from flightdeck.model.deck import Position


@dataclass(frozen=True, slots=True)
class KeyMoved:
    """A key went down or came up; `at` in seconds of `clock.monotonic`."""

    index: int
    down: bool
    at: float


@dataclass(frozen=True, slots=True)
class Asked:
    """Somebody waits for what comes of a press of this key."""

    position: Position
    answer: Future[Performed]


@dataclass(frozen=True, slots=True)
class Lost:
    """The deck has gone."""

    error: Unavailable


class Wake:
    """Something may have changed."""


class Stop:
    """End the loop."""


WAKE, STOP = Wake(), Stop()
Message = KeyMoved | Asked | Lost | Wake | Stop | Performed
