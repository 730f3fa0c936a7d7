"""What is held for the deck and for how long, and what the panel tells the fold of it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from flightdeck.model.ask import Ask
from flightdeck.model.decision import Decision
from flightdeck.model.effect import Answer
from flightdeck.model.fleet import Fleet
from flightdeck.model.lifecycle import Reason, State
from flightdeck.model.session import Record, Request, Session, Status
from flightdeck.panel.requests import (
    NoHooks,
    Requests,
    after_answer,
    holding,
    is_for_the_deck,
    out_of_reach,
)
from tests.panel.waiting import Hooks

DECIDE_S = 120.0
ANSWER = Answer("r1", "a", Decision(allow=True))


def a_request(request_id: str = "r1", **more: str) -> Request:
    return Request(request_id, Reason.PERMISSION, 100.0, "Bash", **more)  # type: ignore[arg-type]


def a_session(*requests: Request, **more: str) -> Session:
    return Session("a", "claude-code", 1, requests=requests, **more)  # type: ignore[arg-type]


@pytest.fixture
def hooks() -> Hooks:
    return Hooks()


@pytest.fixture
def requests(hooks: Hooks) -> Requests:
    requests = Requests(DECIDE_S)
    requests.leases = hooks
    return requests


# What may wait for the deck.


def test_request_of_the_main_thread_may_wait() -> None:
    assert is_for_the_deck(a_session(), a_request())


@pytest.mark.parametrize(
    ("session", "request_"),
    [
        (a_session(), a_request(thread="a1")),
        (a_session(), a_request(how="notification")),
        (a_session(entrypoint="sdk-cli"), a_request()),
        (
            replace(a_session(), record=Record(1, "s", Status.BUSY, 1.0, entrypoint="sdk-cli")),
            a_request(),
        ),
    ],
    ids=["sub-agent", "only a reminder", "print mode", "print mode by its record"],
)
def test_request_whose_dialog_would_be_withheld_may_not(
    session: Session, request_: Request
) -> None:
    assert not is_for_the_deck(session, request_)


# For how long.


def test_request_is_held_from_when_it_is_first_seen(requests: Requests, hooks: Hooks) -> None:
    for now in (10.0, 50.0, 129.9):
        requests.sync([a_session(a_request())], now)
        assert hooks.wanted == {"r1": 10.0 + DECIDE_S}
        assert requests.ends(now) == [10.0 + DECIDE_S]


def test_request_whose_time_is_over_is_let_go_and_never_held_again(
    requests: Requests, hooks: Hooks
) -> None:
    for now in (10.0, 130.0, 500.0):
        requests.sync([a_session(a_request())], now)
    assert not hooks.wanted
    assert hooks.released == {"r1"}
    assert requests.ends(500.0) == []


def test_request_that_comes_again_under_a_new_id_has_a_time_of_its_own(
    requests: Requests, hooks: Hooks
) -> None:
    requests.sync([a_session(a_request("r1"))], 10.0)
    requests.sync([a_session(a_request("r2"))], 60.0)
    assert hooks.wanted == {"r2": 60.0 + DECIDE_S}


def test_request_is_held_while_its_answer_is_on_its_way_and_let_go_after(
    requests: Requests, hooks: Hooks
) -> None:
    sessions = [a_session(a_request())]
    requests.sync(sessions, 10.0)
    requests.begin(ANSWER)
    requests.sync(sessions, 11.0)
    assert "r1" in hooks.wanted
    requests.end(ANSWER, taken=True)
    requests.sync(sessions, 12.0)
    assert not hooks.wanted


def test_request_whose_answer_was_not_taken_is_held_on(requests: Requests, hooks: Hooks) -> None:
    requests.begin(ANSWER)
    requests.end(ANSWER, taken=False)
    requests.sync([a_session(a_request())], 10.0)
    assert "r1" in hooks.wanted


# What the keys show of it.


def a_fleet() -> Fleet:
    asks = (Ask(i, "a", "Claude Code", "Bash", "low", 1.0) for i in ("r1", "r2"))
    return Fleet(asks=tuple(asks))


def test_answered_request_waits_no_more(requests: Requests) -> None:
    requests.begin(ANSWER)
    assert [ask.request_id for ask in requests.open(a_fleet()).asks] == ["r2"]
    requests.end(ANSWER, taken=True)
    assert [ask.request_id for ask in requests.open(a_fleet()).asks] == ["r2"]


def test_request_whose_answer_was_not_taken_waits_again(requests: Requests) -> None:
    requests.begin(ANSWER)
    requests.end(ANSWER, taken=False)
    fleet = a_fleet()
    assert requests.open(fleet) is fleet


def test_request_that_is_opening_is_on_no_key_yet(requests: Requests, hooks: Hooks) -> None:
    hooks.wanted, hooks.opening_ids = {"r1": 1.0}, {"r1"}
    assert [ask.request_id for ask in requests.ready(a_fleet()).asks] == ["r2"]
    answerable = Fleet(asks=tuple(replace(ask, answerable=True) for ask in a_fleet().asks))
    assert requests.ready(answerable) is answerable


def test_request_out_of_reach_still_waits_and_no_key_answers_it() -> None:
    asks = tuple(replace(ask, answerable=True) for ask in a_fleet().asks)
    assert out_of_reach(Fleet(asks=asks)) == a_fleet()


def test_request_is_opening_until_it_can_be_answered(requests: Requests, hooks: Hooks) -> None:
    ask = a_fleet().asks[0]
    hooks.wanted, hooks.opening_ids = {"r1": 1.0}, {"r1"}
    assert requests.opening(ask)
    assert not requests.opening(replace(ask, answerable=True))
    assert not requests.opening(a_fleet().asks[1])


def test_request_that_is_held_is_opening_until_the_fold_has_heard_of_it(
    requests: Requests, hooks: Hooks
) -> None:
    ask = a_fleet().asks[0]
    hooks.wanted = {"r1": 1.0}
    assert requests.opening(ask)
    assert not requests.opening(replace(ask, answerable=True))


# What the fold is told.


def test_request_is_held_while_its_hook_is() -> None:
    before = a_session(a_request("r1"), a_request("r2", held=True))  # type: ignore[arg-type]
    after = holding(frozenset({"r1"}))(before)
    assert [(r.request_id, r.held) for r in after.requests] == [("r1", True), ("r2", False)]


def looked_at(requests: Requests, hooks: Hooks, at: float) -> Request:
    """Return a request that was held, as it is at `at`, when it is held no more."""
    hooks.wanted = {}
    held = a_session(replace(a_request(), held=True))
    (request,) = requests.holding(at)(held).requests
    return request


def test_hook_that_went_before_its_time_has_ended_by_itself(
    requests: Requests, hooks: Hooks
) -> None:
    requests.sync([a_session(a_request())], 10.0)
    request = looked_at(requests, hooks, 11.0)
    assert (request.held, request.ended) == (False, True)


def test_hook_that_was_let_go_has_not_ended_by_itself(requests: Requests, hooks: Hooks) -> None:
    requests.sync([a_session(a_request())], 10.0)
    assert not looked_at(requests, hooks, 10.0 + DECIDE_S).ended


def test_hook_that_was_answered_has_not_ended_by_itself(requests: Requests, hooks: Hooks) -> None:
    requests.sync([a_session(a_request())], 10.0)
    requests.begin(ANSWER)
    assert not looked_at(requests, hooks, 11.0).ended
    requests.end(ANSWER, taken=True)
    assert not looked_at(requests, hooks, 11.0).ended


def test_hook_that_has_ended_stays_so(requests: Requests) -> None:
    ended = a_session(replace(a_request(), ended=True), a_request("r2", held=True))  # type: ignore[arg-type]
    assert holding(frozenset())(ended).requests[0].ended


@pytest.mark.parametrize("held", [frozenset({"r1"}), frozenset({"r1", "r9"})])
def test_session_of_which_nothing_is_news_stays_the_very_same(held: frozenset[str]) -> None:
    session = a_session(replace(a_request(), held=True))
    assert holding(held)(session) is session


def test_answer_settles_that_request_of_that_session_only() -> None:
    session = a_session(a_request("r1"), a_request("r2"))
    after = after_answer(ANSWER, 200.0)(session)
    assert [r.request_id for r in after.requests] == ["r2"]
    assert (after.story.state, after.story.at) == (State.WORKING, 200.0)
    other = replace(session, key="b")
    assert after_answer(ANSWER, 200.0)(other) is other


def test_without_hooks_nothing_is_held() -> None:
    requests = Requests(DECIDE_S)
    requests.sync([a_session(a_request())], 1.0)
    assert isinstance(requests.leases, NoHooks)
    assert not requests.leases.held()
    assert not requests.opening(a_fleet().asks[0])
