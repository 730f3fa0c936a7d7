"""One look at the fleet after another, and what stays true while none succeeds.

What the panel knows itself is handed over with the next look, and again until one of
them could be saved. Knows no key.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any, Protocol

from flightdeck.errors import FlightdeckError
from flightdeck.fold.folding import Unsaved
from flightdeck.model.fleet import Fleet
from flightdeck.panel.amends import chain
from flightdeck.system import clock

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from flightdeck.fold.folding import Outcome
    from flightdeck.model.session import Session
    from flightdeck.panel.amends import Amend

_LOG = logging.getLogger(__name__)


class FleetSource(Protocol):
    """Where the fleet comes from: the fold, or a script for the demo."""

    def step(
        self,
        now: float,
        panel: dict[str, Any],
        amend: Callable[[Session], Session] | None = None,
    ) -> Outcome:
        """Return what there is at `now`, epoch seconds."""

    def sessions(self) -> Iterable[Session]:
        """Return the sessions of the last step."""


class Scan:
    """The fleet as it was last seen; `current` says whether that look succeeded."""

    def __init__(self, source: FleetSource) -> None:
        self.fleet = Fleet()
        self.current = True
        self.failing = ""
        self.about: dict[str, Any] = {}
        self.on_snapshot: Callable[[str], None] = lambda _: None
        self._source = source
        self._again: float | None = None
        self._amends: list[Amend] = []

    def note(self, fact: Amend) -> None:
        """Let the next look that is saved write this fact down."""
        self._amends.append(fact)

    def look(self, standing: Amend) -> None:
        """Look again; `standing` is a fact that holds at every look."""
        amends, self._amends = self._amends, []
        try:
            outcome = self._source.step(clock.now(), self.about, chain([standing, *amends]))
        except Unsaved as error:
            self._failed(error, amends)
            self._take(error.outcome)
        except (OSError, FlightdeckError) as error:
            self._failed(error, amends)
            self.current, self._again = False, None
        else:
            self.failing = ""
            self._take(outcome)

    def sessions(self) -> Iterable[Session]:
        """Return the sessions of the last look."""
        return self._source.sessions()

    def due_in(self) -> list[float]:
        """Return in how many seconds the fleet asks to be looked at, if it does."""
        return [] if self._again is None else [self._again - clock.now()]

    def _take(self, outcome: Outcome) -> None:
        self.current, self.fleet, self._again = True, outcome.fleet, outcome.again
        if outcome.snapshot is not None:
            self.on_snapshot(outcome.snapshot)

    def _failed(self, error: OSError | FlightdeckError, amends: list[Amend]) -> None:
        self._amends = amends + self._amends
        # Never the text of an OSError: it names a temporary file, another one each time.
        problem = (error.strerror if isinstance(error, OSError) else "") or str(error)
        if problem != self.failing:
            self.failing = problem
            _LOG.error("cannot fold: %s", problem)
