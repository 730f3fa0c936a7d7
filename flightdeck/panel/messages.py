"""What the panel's queue carries: whatever happens on another thread, as a value."""

from __future__ import annotations

from dataclasses import dataclass
from queue import Empty
from typing import TYPE_CHECKING

from flightdeck.panel.perform import Performed

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Future
    from queue import SimpleQueue

    from flightdeck.errors import Unavailable
    from flightdeck.model.fleet import Fleet
    from flightdeck.model.verb import Verb
    from flightdeck.model.verdict import Verdict
    from flightdeck.panel.braking import Tally
    from flightdeck.panel.setup import Setup
    from flightdeck.ports import OnKey


# So many at once: whatever they are, what has to be shown is not kept waiting.
_BURST = 64


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
    """A terminal sent a verb to the selected session; `at` in seconds of `clock.monotonic`.

    `key` is whose selection it saw, None where it has seen none.
    """

    verb: Verb
    at: float
    told: Future[Performed]
    key: str | None = None


@dataclass(frozen=True, slots=True)
class Chosen:
    """A terminal selected the session with `key`, which it saw in a slot."""

    slot: int
    key: str
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


@dataclass(frozen=True, slots=True)
class Edited:
    """The files of the panel are others by now: `setup` is what they say.

    None where they cannot be used; `problem` is what is wrong with one of them, or empty.
    """

    setup: Setup | None
    problem: str


class Wake:
    """Something may have changed."""


class Stop:
    """End the loop."""


WAKE, STOP = Wake(), Stop()
Message = KeyMoved | Ruled | Sent | Chosen | Halted | Lost | Edited | Wake | Stop | Performed


def burst(waiting: SimpleQueue[Message], patience_s: float) -> list[Message]:
    """Wait for a message, `patience_s` seconds at most, then take what else is there."""
    messages: list[Message] = []
    try:
        messages.append(waiting.get(timeout=patience_s))
        while len(messages) < _BURST:
            messages.append(waiting.get_nowait())
    except Empty:
        pass
    return messages


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
