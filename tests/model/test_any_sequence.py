"""What holds of a session whatever its hooks and its registry say, in whatever order."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st

from flightdeck.model import failing
from flightdeck.model.lifecycle import Reason, State
from flightdeck.model.session import Record, Session, Status
from flightdeck.model.signal import Kind, Signal
from flightdeck.model.transition import apply
from flightdeck.model.witness import DECISION_LAG_S, unanswered, weigh
from tests.factories import a_record, a_session

if TYPE_CHECKING:
    from collections.abc import Iterable

times = st.integers(0, 400).map(lambda tenths: tenths / 20)
signals = st.builds(
    Signal,
    kind=st.sampled_from(Kind),
    at=times,
    request_id=st.sampled_from(["r1", "r2", "r3"]),
    thread=st.sampled_from(["", "", "sub"]),
    tool=st.sampled_from(["Bash", "Read"]),
    fingerprint=st.sampled_from(["a", "b"]),
    alone=st.booleans(),
    reason=st.sampled_from([None, *Reason]),
    error=st.sampled_from(["", "rate_limit"]),
    running=st.booleans(),
    untold=st.booleans(),
    interrupt=st.booleans(),
    token=st.sampled_from(["", "0123456789abcdef"]),
)


@dataclass(frozen=True)
class Report:
    """Somebody reports a failure at a time, or clears whatever has failed."""

    at: float
    clear: bool = False


reports = st.builds(Report, at=times, clear=st.booleans())
records = st.one_of(
    st.none(), st.builds(a_record, status=st.sampled_from(Status), at=st.one_of(times, st.just(0)))
)
steps = st.lists(st.one_of(signals, records, signals, records, reports), max_size=14)

Step = Signal | Record | Report | None


def after(session: Session, one: Step) -> Session:
    """Return the session after one thing was told of it."""
    if isinstance(one, Signal):
        return apply(session, one)
    if isinstance(one, Report):
        return failing.cleared(session) if one.clear else failing.reported(session, one.at)
    return replace(session, record=one)


def run(session: Session, told: Iterable[Step], now: float) -> Session:
    """Let everything be told, looking after each."""
    for one in told:
        session, now = after(session, one), max(now, one.at if one else 0.0)
        session, again = weigh(session, now)
        assert again is None or again > now
        check(session)
    return session


def check(session: Session) -> None:
    """Assert what no moment may break."""
    shown, record = session.shown, session.record
    assert (shown.state is State.EMPTY) == session.closed
    if shown.state is State.DONE:
        assert record is None or record.status is Status.IDLE
        assert not session.requests
    if unanswered(session) and not session.closed:
        assert shown.state is State.BLOCKED
    if shown.error:
        assert shown.state is State.FAILED
    if session.reported:
        assert shown.state in {State.FAILED, State.BLOCKED, State.EMPTY}


@given(steps)
def test_no_moment_shows_green_over_a_running_client_or_an_open_request(
    told: list[Step],
) -> None:
    run(a_session(), told, 0.0)


def tells_of_a_failure(one: Step) -> bool:
    """Say whether this may turn a key red."""
    if isinstance(one, Report):
        return not one.clear
    return isinstance(one, Signal) and one.kind is Kind.TURN_FAILED


@given(steps)
def test_red_is_shown_only_after_a_failure_was_told_or_reported(told: list[Step]) -> None:
    kept = [one for one in told if not tells_of_a_failure(one)]
    session = a_session()
    for one in kept:
        session = run(session, [one], 20.0)
        assert session.shown.state is not State.FAILED


@given(steps, st.one_of(st.just(0.0), times))
def test_client_that_says_it_waits_is_amber(told: list[Step], since: float) -> None:
    session = run(a_session(), told, 0.0)
    session = replace(session, record=a_record(Status.WAITING, since))
    shown = weigh(session, 20.0 + DECISION_LAG_S)[0].shown
    assert shown.state is (State.EMPTY if session.closed else State.BLOCKED)


@given(steps, times)
def test_looking_twice_at_the_same_moment_shows_the_same(told: list[Step], later: float) -> None:
    session = run(a_session(), told, 0.0)
    once = weigh(session, 20.0 + later)
    assert weigh(once[0], 20.0 + later) == once


@given(steps, st.lists(signals, max_size=8))
def test_events_folded_twice_tell_the_same_as_once(told: list[Step], batch: list[Signal]) -> None:
    session = run(a_session(), told, 0.0)
    batch = [
        replace(one, at=one.at + 20.0, request_id=f"q{index}")
        for index, one in enumerate(sorted(batch, key=lambda one: one.at))
    ]
    once = session
    for one in batch:
        once = apply(once, one)
    twice = once
    for one in batch:
        twice = apply(twice, one)
    assert (once.story, set(once.requests)) == (twice.story, set(twice.requests))


@given(steps)
def test_asking_again_when_asked_to_comes_to_an_end(
    told: list[Step],
) -> None:
    session = run(a_session(), told, 0.0)
    session, again = weigh(session, 20.0)
    looks = 0
    while again is not None:
        session, again = weigh(session, again)
        looks += 1
        assert looks < 10


@given(steps, st.lists(st.one_of(signals, records), max_size=6))
def test_reported_failure_is_red_or_amber_until_its_operator_goes_on(
    told: list[Step], since: list[Signal | Record | None]
) -> None:
    session = failing.reported(run(a_session(), told, 0.0), 20.0)
    for one in since:
        at = replace(one, at=one.at + 20.5) if one else None
        session = run(session, [at], 20.0)
        if not session.reported:
            assert session.shown.state is State.BLOCKED or goes_on(at)
            return
        assert session.shown.state in {State.FAILED, State.BLOCKED, State.EMPTY}


def goes_on(one: Signal | Record | None) -> bool:
    """Say whether this is what an operator does who has seen it."""
    kinds = {Kind.PROMPTED, Kind.DELIVERED, Kind.ASKED, Kind.STARTED}
    return isinstance(one, Signal) and one.kind in kinds


@given(steps)
def test_cleared_failure_is_red_no_more(told: list[Step]) -> None:
    session = weigh(failing.cleared(run(a_session(), told, 0.0)), 20.0)[0]
    assert session.shown.state is not State.FAILED
