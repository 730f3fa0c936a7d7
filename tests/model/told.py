"""A session told by hooks and its registry, second by second, under a hand-turned clock."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from flightdeck.model.lifecycle import Reason, State
from flightdeck.model.session import Status
from flightdeck.model.signal import Kind
from flightdeck.model.transition import apply
from flightdeck.model.witness import weigh
from tests.factories import a_record, a_session, a_signal

if TYPE_CHECKING:
    from flightdeck.model.session import Session, Shown


@dataclass
class Told:
    """What was told so far; `again` is when the rules last asked to be asked again."""

    session: Session = field(default_factory=a_session)
    again: float | None = None

    def hook(self, at: float, kind: Kind, **more: Any) -> None:
        """Let a hook speak."""
        self.session = apply(self.session, a_signal(kind, at, **more))

    def record(self, at: float, status: Status, waiting_for: Reason | None = None) -> None:
        """Let the registry say `status` from `at` on."""
        record = a_record(status, at, waiting_for=waiting_for)
        self.session = replace(self.session, record=record)

    def look(self, now: float) -> Shown:
        """Return what is shown at `now`."""
        self.session, self.again = weigh(self.session, now)
        return self.session.shown

    def colour(self, now: float) -> State:
        """Return the state that is shown at `now`."""
        return self.look(now).state

    def settled(self, now: float) -> State:
        """Return the state shown once the rules ask for nothing more, as the panel looks again."""
        state = self.colour(now)
        while self.again is not None:
            state = self.colour(self.again)
        return state


def in_a_turn() -> Told:
    """Return a session that got its prompt at 10.0."""
    told = Told()
    told.hook(1.0, Kind.STARTED)
    told.record(1.0, Status.IDLE)
    told.hook(10.0, Kind.PROMPTED)
    told.record(10.016, Status.BUSY)
    assert told.colour(10.02) is State.WORKING
    return told


def asking(**call: Any) -> Told:
    """Return a session whose main thread has asked for a permission at 15.0."""
    told = in_a_turn()
    told.hook(15.0, Kind.ASKED, **call)
    assert told.colour(15.001) is State.BLOCKED  # before the record knows
    told.record(15.007, Status.WAITING, Reason.PERMISSION)
    assert told.colour(15.008) is State.BLOCKED
    return told
