"""What the panel's queue carries: whatever happens on another thread, as a value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from flightdeck.panel.perform import Performed

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Future

    from flightdeck.errors import Unavailable
    from flightdeck.model.fleet import Fleet
    from flightdeck.model.verb import Verb
    from flightdeck.model.verdict import Verdict
    from flightdeck.panel.braking import Tally
    from flightdeck.ports import OnKey


@dataclass(frozen=True, slots=True)
class KeyMoved:
    """A key went down or came up; `at` in seconds of `clock.monotonic`.

    `told` is where somebody waits for what comes of it; `lost` says that who held it has gone.
    """

    index: int
    down: bool
    at: float
    told: Future[Performed] | None = None
    lost: bool = False


@dataclass(frozen=True, slots=True)
class Ruled:
    """A terminal gave a verdict, on the request of that id or with none on the one aimed at.

    `then` is the fleet as it stood when the verdict came in, None where nobody looked.
    """

    binding: Verdict
    request_id: str
    at: float
    told: Future[Performed]
    then: Fleet | None = None


@dataclass(frozen=True, slots=True)
class Sent:
    """A terminal sent a verb to the selected session; `at` in seconds of `clock.monotonic`."""

    verb: Verb
    at: float
    told: Future[Performed]


@dataclass(frozen=True, slots=True)
class Chosen:
    """A terminal selected the session in a slot."""

    slot: int
    told: Future[Performed]


@dataclass(frozen=True, slots=True)
class Halted:
    """A terminal has set the latch, `newly` or once more."""

    newly: bool
    told: Future[Tally]


@dataclass(frozen=True, slots=True)
class Lost:
    """The deck has gone."""

    error: Unavailable


class Wake:
    """Something may have changed."""


class Stop:
    """End the loop."""


WAKE, STOP = Wake(), Stop()
Message = KeyMoved | Ruled | Sent | Chosen | Halted | Lost | Wake | Stop | Performed


def heard(put: Callable[[Message], None]) -> OnKey:
    """Return what a deck tells of its keys, into the queue behind `put`."""

    def on_key(
        index: int,
        down: bool,  # noqa: FBT001 - as decks call it
        at: float,
        *,
        lost: bool = False,
    ) -> None:
        put(KeyMoved(index, down, at, lost=lost))

    return on_key
