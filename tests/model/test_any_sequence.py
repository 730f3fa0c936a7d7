"""What holds of a session whatever its hooks and its registry say, in whatever order."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st

from flightdeck.model.lifecycle import Reason, State
from flightdeck.model.session import Record, Session, Status
from flightdeck.model.signal import Kind, Signal
from flightdeck.model.transition import apply
from flightdeck.model.witness import ANSWER_LAG_S, unanswered, weigh
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
)
records = st.one_of(
    st.none(), st.builds(a_record, status=st.sampled_from(Status), at=st.one_of(times, st.just(0)))
)
steps = st.lists(st.one_of(signals, records), max_size=14)


def run(session: Session, told: Iterable[Signal | Record | None], now: float) -> Session:
    """Let everything be told, looking after each."""
    for one in told:
        if isinstance(one, Signal):
            session, now = apply(session, one), max(now, one.at)
        else:
            session, now = replace(session, record=one), max(now, one.at if one else 0.0)
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


@given(steps)
def test_no_moment_shows_green_over_a_running_client_or_an_open_request(
    told: list[Signal | Record | None],
) -> None:
    run(a_session(), told, 0.0)


@given(steps)
def test_red_is_shown_only_after_a_failure_was_told(told: list[Signal | Record | None]) -> None:
    kept = [one for one in told if not (isinstance(one, Signal) and one.kind is Kind.TURN_FAILED)]
    session = a_session()
    for one in kept:
        session = run(session, [one], 20.0)
        assert session.shown.state is not State.FAILED


@given(steps, st.one_of(st.just(0.0), times))
def test_client_that_says_it_waits_is_amber(
    told: list[Signal | Record | None], since: float
) -> None:
    session = run(a_session(), told, 0.0)
    session = replace(session, record=a_record(Status.WAITING, since))
    shown = weigh(session, 20.0 + ANSWER_LAG_S)[0].shown
    assert shown.state is (State.EMPTY if session.closed else State.BLOCKED)


@given(steps, times)
def test_looking_twice_at_the_same_moment_shows_the_same(
    told: list[Signal | Record | None], later: float
) -> None:
    session = run(a_session(), told, 0.0)
    once = weigh(session, 20.0 + later)
    assert weigh(once[0], 20.0 + later) == once


@given(steps, st.lists(signals, max_size=8))
def test_events_folded_twice_tell_the_same_as_once(
    told: list[Signal | Record | None], batch: list[Signal]
) -> None:
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
    told: list[Signal | Record | None],
) -> None:
    session = run(a_session(), told, 0.0)
    session, again = weigh(session, 20.0)
    looks = 0
    while again is not None:
        session, again = weigh(session, again)
        looks += 1
        assert looks < 10
