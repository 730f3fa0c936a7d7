"""Which requests a signal settles: evidence of their own thread, and nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from flightdeck.model.signal import Kind
from flightdeck.model.transition import apply
from tests.factories import a_request, a_session, a_signal

if TYPE_CHECKING:
    from flightdeck.model.session import Request

MAIN = a_request("main")
READ = a_request("read", tool="Read", fingerprint="a", alone=False)
READ_2 = a_request("read-2", tool="Read", fingerprint="b", alone=False)
SUB = a_request("sub", thread="one")
SUB_2 = a_request("sub-2", thread="two")
FORM = a_request("form", tool="mcp:server", fingerprint="", alone=False)


def left(requests: tuple[Request, ...], kind: Kind, **more: Any) -> list[str]:
    session = apply(a_session(requests=requests), a_signal(kind, **more))
    return [request.request_id for request in session.requests]


@pytest.mark.parametrize("kind", [Kind.PROMPTED, Kind.TURN_FAILED, Kind.INTERRUPTED])
def test_turn_that_begins_or_ends_settles_its_own_thread_only(kind: Kind) -> None:
    assert left((MAIN, READ, SUB, SUB_2), kind) == ["sub", "sub-2"]


def test_stop_does_not_clear_what_a_subagent_it_left_running_asks() -> None:
    assert left((MAIN, SUB), Kind.TURN_ENDED, running=True) == ["sub"]


def test_stop_that_leaves_nothing_running_clears_even_a_killed_subagents_request() -> None:
    assert left((MAIN, SUB), Kind.TURN_ENDED) == []


@pytest.mark.parametrize("kind", [Kind.STARTED, Kind.LEFT, Kind.CLOSED])
def test_new_conversation_has_no_requests_of_the_old_one(kind: Kind) -> None:
    assert left((MAIN, SUB), kind) == []


def test_agent_that_wakes_by_itself_answers_nothing() -> None:
    assert left((MAIN, SUB), Kind.WOKEN) == ["main", "sub"]


def test_subagent_that_ends_takes_its_own_requests_along() -> None:
    assert left((MAIN, SUB, SUB_2), Kind.SUBAGENT_ENDED, thread="one") == ["main", "sub-2"]


def test_nobodys_end_settles_nothing() -> None:
    assert left((MAIN, SUB), Kind.SUBAGENT_ENDED) == ["main", "sub"]


def test_tool_that_ends_settles_exactly_its_own_request() -> None:
    after = left((READ, READ_2), Kind.TOOL_ENDED, tool="Read", fingerprint="b", alone=False)
    assert after == ["read"]


def test_tool_that_ends_settles_only_one_of_two_that_look_the_same() -> None:
    twin = a_request("main-2")
    assert left((MAIN, twin), Kind.TOOL_ENDED) == ["main-2"]


def test_another_tool_settles_the_only_request_that_could_not_run_beside_it() -> None:
    assert left((MAIN, SUB), Kind.TOOL_ENDED, tool="Edit") == ["sub"]


@pytest.mark.parametrize("kind", [Kind.TOOL_STARTED, Kind.TOOL_ENDED])
def test_progress_proves_nothing_about_a_read_that_waits(kind: Kind) -> None:
    assert left((READ,), kind, tool="Grep") == ["read"]


@pytest.mark.parametrize("kind", [Kind.TOOL_STARTED, Kind.TOOL_ENDED])
def test_progress_does_not_say_which_of_two_was_answered(kind: Kind) -> None:
    assert left((MAIN, READ), kind, tool="Edit") == ["main", "read"]


@pytest.mark.parametrize("kind", [Kind.TOOL_STARTED, Kind.TOOL_ENDED])
@pytest.mark.parametrize("thread", ["", "one"])
def test_progress_of_one_thread_says_nothing_of_another(kind: Kind, thread: str) -> None:
    other = MAIN if thread else SUB
    assert left((other,), kind, thread=thread) == [other.request_id]


@pytest.mark.parametrize("kind", [Kind.TOOL_STARTED, Kind.TOOL_ENDED])
def test_tool_told_late_does_not_settle_the_same_call_asked_after_it(kind: Kind) -> None:
    assert left((a_request("later", since=2.0),), kind) == ["later"]


def test_answer_to_a_servers_question_settles_that_question() -> None:
    assert left((MAIN, FORM), Kind.ANSWERED, tool="mcp:server") == ["main"]


@pytest.mark.parametrize("other", [{"tool": "mcp:other"}, {"tool": "mcp:server", "thread": "one"}])
def test_answer_to_another_question_settles_nothing(other: dict[str, str]) -> None:
    assert left((FORM,), Kind.ANSWERED, **other) == ["form"]


def test_read_beside_a_servers_question_does_not_answer_it() -> None:
    assert left((FORM,), Kind.TOOL_ENDED, tool="Read", alone=False) == ["form"]
