"""A verdict from a terminal that names no request: it is about what waited when it was given."""

from __future__ import annotations

from concurrent.futures import Future
from typing import TYPE_CHECKING

import pytest

from flightdeck.model.layout import Action, VerdictBinding
from flightdeck.panel.messages import Ruled
from flightdeck.panel.perform import Performed
from flightdeck.panel.ruling import PATIENCE_S, about, bound
from flightdeck.system import clock
from tests.fold.world import DEADLINE_S
from tests.model.requests import an_ask, asking
from tests.panel.waiting import VerdictDesk

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

FIRST, SECOND = an_ask("first", since=1.0), an_ask("second", since=2.0)


@pytest.fixture
def desk(held_clock: Callable[[float], None]) -> Iterator[VerdictDesk]:
    desk = VerdictDesk(held_clock)
    desk.begin()
    yield desk
    desk.end()
    assert desk.error is None


def approve(at: float) -> Ruled:
    return Ruled(VerdictBinding(Action.APPROVE), "", at, Future[Performed]())


def type_approve(desk: VerdictDesk) -> Future[Performed]:
    asked = approve(clock.monotonic())
    desk.panel.tell(asked)
    return asked.told


def test_verdict_that_waits_for_a_hook_is_not_for_whoever_asks_meanwhile(
    desk: VerdictDesk,
) -> None:
    desk.hooks.opening_ids.add("r1")
    desk.ask("r1")
    told = type_approve(desk)
    desk.settle()
    desk.ask("r2", "k1")
    desk.turn(PATIENCE_S)
    desk.settle()
    assert told.result(DEADLINE_S).problem == "in terminal"
    assert desk.allowed == []


def test_two_verdicts_at_once_do_not_answer_the_next_in_line(desk: VerdictDesk) -> None:
    desk.ask("r1")
    desk.ask("r2", "k1")
    both = [type_approve(desk), type_approve(desk)]
    desk.settle()
    assert [told.result(DEADLINE_S).problem for told in both] == ["", "changed"]
    assert desk.allowed == ["r1"]


def test_verdict_given_while_nothing_waited_is_about_nothing() -> None:
    assert about(bound(approve(clock.monotonic()), asking()), asking(FIRST)) is None


def test_verdict_is_not_about_who_asked_before_it_was_heard_but_after_it_was_given(
    held_clock: Callable[[float], None],
) -> None:
    asked = approve(clock.monotonic())
    held_clock(3.0)
    late = an_ask("late", since=clock.now() - 1.0)
    assert about(bound(asked, asking(late)), asking(late)) is None
    assert about(bound(asked, asking(FIRST, late)), asking(FIRST, late)) == FIRST


def test_verdict_is_about_an_older_one_that_opened_since_and_none_that_came_since() -> None:
    opened = an_ask("opened", since=0.5)
    asked = bound(
        approve(clock.monotonic()), asking(an_ask("opened", since=0.5, answerable=False), FIRST)
    )
    newest = an_ask("newest", since=0.1)
    assert about(asked, asking(newest, opened, FIRST)) == opened


def test_verdict_is_about_nothing_once_what_it_was_about_is_over() -> None:
    asked = bound(approve(clock.monotonic()), asking(FIRST, SECOND))
    assert about(asked, asking(FIRST, SECOND)) == FIRST
    assert about(asked, asking(SECOND)) is None


def test_selected_session_that_asks_later_hides_nobody_who_asked_before() -> None:
    asked = bound(approve(clock.monotonic()), asking(FIRST, selected="b"))
    later = an_ask("later", key="b", since=3.0)
    assert about(asked, asking(FIRST, later, selected="b")) == FIRST
