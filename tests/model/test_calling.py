"""Whom a command was called by: whatever is said of it names one session, or it is nobody."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flightdeck.model import ending
from flightdeck.model.calling import Caller, Surroundings, caller
from flightdeck.model.place import Place
from tests.factories import a_record, a_session

if TYPE_CHECKING:
    from flightdeck.model.session import Session

PANE, OTHER = (Place("tmux", tmux_socket="/t", tmux_pane=f"%{n}") for n in (7, 8))
ITERM = Place("iterm2", window="AAAA", program="iTerm.app")


def session(pid: int, **more: Any) -> Session:
    """Return the session of a process, called after it."""
    told: dict[str, Any] = {"key": f"k{pid}", "session_id": f"s-{pid}", "place": PANE} | more
    return replace(a_session(), pid=pid, **told)


OUTER, INNER = session(10), session(20)


def called(*sessions: Session, **around: Any) -> Caller:
    return caller(Surroundings(**around), sessions)


def test_nearest_process_above_it_is_the_caller() -> None:
    assert called(OUTER, INNER, ancestors=(99, 20, 15, 10, 1)).key == "k20"


@pytest.mark.parametrize(
    ("around", "key"),
    [
        ({"session_id": "s-20"}, "k20"),
        ({"client_pid": "20"}, "k20"),
        ({"session_id": "s-10", "client_pid": "10", "place": PANE}, "k10"),
        ({"ancestors": (20,), "session_id": "s-20", "client_pid": "20", "place": PANE}, "k20"),
    ],
)
def test_what_it_was_told_names_the_caller(around: dict[str, Any], key: str) -> None:
    assert called(OUTER, INNER, **around).key == key


def test_id_only_its_record_knows_names_it() -> None:
    known = session(10, session_id="s-1", record=replace(a_record(), session_id="s-2"))
    assert called(known, session_id="s-2").key == called(known, session_id="s-1").key == "k10"


def test_fork_under_the_id_of_another_is_told_apart_by_its_process() -> None:
    """anthropics/claude-code#39355."""
    fork = session(20, session_id="s-10")
    assert "is that of 2 sessions" in called(OUTER, fork, session_id="s-10").against
    assert called(OUTER, fork, session_id="s-10", client_pid="20").key == "k20"


@pytest.mark.parametrize(
    ("around", "why"),
    [
        ({}, "nothing around this command is a session's"),
        ({"ancestors": (5, 1)}, "nothing around this command is a session's"),
        ({"session_id": "s-9"}, "session id 's-9' is no session's"),
        ({"client_pid": "9"}, "client pid '9' is no session's"),
        ({"client_pid": "010"}, "client pid '010' is no session's"),
        ({"ancestors": (10,), "session_id": "s-9"}, "session id 's-9' is no session's"),
        (
            {"ancestors": (20, 10), "session_id": "s-10"},
            "process 20 above it and session id 's-10' are not of the same session",
        ),
        (
            {"session_id": "s-10", "client_pid": "20"},
            "session id 's-10' and client pid '20' are not of the same session",
        ),
        ({"place": OTHER}, "the tmux pane %8 is no session's"),
        ({"place": PANE}, "the tmux pane %7 is that of 2 sessions"),
        ({"place": Place("app", program="Ghostty")}, "nothing around this command is a session's"),
    ],
)
def test_what_names_nobody_or_two_is_told_and_not_guessed(around: dict[str, Any], why: str) -> None:
    found = called(OUTER, INNER, **around)
    assert (found.key, found.against) == ("", why)


@pytest.mark.parametrize("place", [PANE, ITERM])
def test_pane_names_the_one_session_that_is_there(place: Place) -> None:
    assert called(session(10, place=place), session(20, place=OTHER), place=place).key == "k10"


def test_pane_is_not_asked_where_something_else_is_said() -> None:
    assert called(OUTER, session_id="s-9", place=PANE).against


@pytest.mark.parametrize("place", [OTHER, ITERM, Place("app", program="vscode")])
def test_what_an_agent_was_told_says_nothing_in_another_window(place: Place) -> None:
    found = called(OUTER, session_id="s-10", client_pid="10", place=place)
    assert found.against == "the session its environment names runs in another window"


def test_process_counts_in_any_window() -> None:
    assert called(OUTER, ancestors=(10,), session_id="s-10", place=OTHER).key == "k10"


@pytest.mark.parametrize(("here", "there"), [(Place(), PANE), (PANE, Place())])
def test_window_nobody_knows_says_nothing(here: Place, there: Place) -> None:
    assert called(session(10, place=there), session_id="s-10", place=here).key == "k10"


@pytest.mark.parametrize(
    "gone",
    [
        replace(OUTER, closed=True),
        ending.refused(OUTER, "removal", "error", 1.0, ended=True),
    ],
    ids=["closed", "ended"],
)
def test_session_that_is_over_is_not_the_caller(gone: Session) -> None:
    around = {"ancestors": (10,), "session_id": "s-10", "client_pid": "10", "place": PANE}
    for name, value in around.items():
        assert called(gone, **{name: value}).against


def test_what_was_looked_at_is_told() -> None:
    found = called(OUTER, INNER, ancestors=(10,), session_id="s-9", place=PANE)
    assert found.looked_at == (
        "process 10 above it (one session's)",
        "session id 's-9' (no session's)",
        "the tmux pane %7 (2 of them)",
    )
    assert called(OUTER).looked_at == ("the processes above it (no session's)",)


def test_environment_that_holds_a_book_is_told_in_a_line() -> None:
    assert len(called(OUTER, session_id="x" * 100_000).against) < 100


@given(
    st.lists(st.sampled_from([5, 10, 20]), max_size=3),
    st.sampled_from(["", "s-9", "s-10", "s-20"]),
    st.sampled_from(["", "9", "10", "20"]),
    st.sampled_from([Place(), PANE, OTHER, ITERM]),
)
def test_caller_is_named_by_all_that_is_said(
    ancestors: list[int], session_id: str, client_pid: str, place: Place
) -> None:
    live = (OUTER, replace(INNER, place=OTHER))
    found = caller(Surroundings(tuple(ancestors), session_id, client_pid, place), live)
    assert bool(found.key) != bool(found.against)
    if found.key:
        one = next(s for s in live if s.key == found.key)
        assert session_id in {"", one.session_id}
        assert client_pid in {"", str(one.pid)}
        assert next((pid for pid in ancestors if pid in {10, 20}), one.pid) == one.pid
