"""Verdicts from terminals wait for a hook that is still opening, and for nothing else."""

from __future__ import annotations

from concurrent.futures import Future
from typing import TYPE_CHECKING

import pytest

from flightdeck.model.layout import Action, VerdictBinding
from flightdeck.panel.messages import Ruled
from flightdeck.panel.requests import Requests
from flightdeck.panel.ruling import PATIENCE_S, Ruling, about
from tests.model.requests import an_ask, asking
from tests.panel.waiting import Hooks

if TYPE_CHECKING:
    from flightdeck.model.fleet import Fleet

OPEN, OPENING, CLOSED = (
    an_ask("open", since=2.0),
    an_ask("opening", since=1.0, answerable=False),
    an_ask("closed", since=0.0, answerable=False),
)


def ruled(request_id: str = "", at: float = 10.0) -> Ruled:
    return Ruled(VerdictBinding(Action.APPROVE), request_id, at, Future())


@pytest.fixture
def ruling() -> Ruling:
    hooks, requests = Hooks(), Requests(120.0)
    hooks.wanted, hooks.opening_ids = {"opening": 130.0}, {"opening"}
    requests.leases = hooks
    return Ruling(requests)


@pytest.mark.parametrize(
    ("request_id", "fleet"),
    [
        ("", asking()),
        ("nobody", asking(OPENING)),
        ("", asking(OPEN)),
        ("", asking(CLOSED)),
        ("open", asking(OPENING, OPEN)),
        ("closed", asking(CLOSED, OPENING)),
        ("", asking(an_ask("open", since=0.5), OPENING)),
    ],
)
def test_verdict_that_has_nothing_to_wait_for_is_ready(
    ruling: Ruling, request_id: str, fleet: Fleet
) -> None:
    asked = ruled(request_id)
    ruling.add(asked)
    assert ruling.ready(fleet, 10.0) == [asked]
    assert ruling.ends() == []


@pytest.mark.parametrize(
    ("request_id", "fleet"),
    [
        ("", asking(OPENING)),
        ("opening", asking(OPENING, OPEN)),
        ("", asking(CLOSED, OPENING)),
        ("", asking(OPENING, OPEN)),
    ],
)
def test_verdict_waits_for_the_hook_it_is_about_but_not_for_ever(
    ruling: Ruling, request_id: str, fleet: Fleet
) -> None:
    asked = ruled(request_id)
    ruling.add(asked)
    assert ruling.ready(fleet, 10.0 + PATIENCE_S - 0.01) == []
    assert ruling.ends() == [10.0 + PATIENCE_S]
    assert ruling.ready(fleet, 10.0 + PATIENCE_S) == [asked]


def test_verdicts_are_ready_in_the_order_they_came(ruling: Ruling) -> None:
    first, second = ruled(), ruled(at=11.0)
    ruling.add(first)
    ruling.add(second)
    assert ruling.ready(asking(OPEN), 11.0) == [first, second]


def test_verdict_is_about_the_request_it_names_or_the_one_aimed_at() -> None:
    fleet = asking(OPEN, an_ask("other", since=3.0))
    assert about(ruled("other"), fleet) == an_ask("other", since=3.0)
    assert about(ruled("nobody"), fleet) is None
    assert about(ruled(), fleet) == OPEN
