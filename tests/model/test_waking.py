"""When an agent at rest may be typed at for the verb that waits for it, and when never."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from flightdeck.model.lifecycle import Reason, State
from flightdeck.model.place import Place
from flightdeck.model.session import Session, Shown, Status, Teardown
from flightdeck.model.staged import Staged
from flightdeck.model.waking import (
    ANOTHER,
    CALM,
    CALM_S,
    DIALOG,
    ENDING,
    EXPIRED,
    HALTED,
    MOVED,
    NO_WINDOW,
    TURN,
    UNTRACKED,
    Waking,
    told,
    waking,
)
from tests.factories import A_PID, a_record, a_request, a_session

PANE = Place("tmux", tmux_socket="/t", tmux_pane="%3")
STAGED = Staged("test", "0123456789abcdef", "s-aaaa", A_PID, 50.0)
NOW = 100.0


def at_rest(status: Status = Status.IDLE, at: float = 90.0, **more: Any) -> Session:
    """Return a session that came to rest ten seconds before `NOW`."""
    told: dict[str, Any] = {
        "state": State.DONE,
        "at": at,
        "record": a_record(status, at),
        "place": PANE,
        "session_id": "s-aaaa",
        "announced": True,
    }
    return a_session(**told | more)


def asked(session: Session, *, halted: bool = False, staged: Staged = STAGED) -> Waking:
    return waking(session, staged, halted, NOW)


@pytest.mark.parametrize("state", [State.IDLE, State.DONE, State.FAILED])
@pytest.mark.parametrize("status", [Status.IDLE, Status.SHELL])
def test_agent_at_rest_may_be_woken(state: State, status: Status) -> None:
    may = asked(at_rest(status, state=state))
    assert (may.due, may.soon, may.why, may.again) == (True, True, "", None)


@pytest.mark.parametrize("kind", ["tmux", "iterm2"])
def test_line_may_be_typed_where_an_id_names_one_window_for_good(kind: str) -> None:
    assert asked(at_rest(place=Place(kind, window="w"))).due


@pytest.mark.parametrize("kind", ["wezterm", "kitty", "zellij", "app", "unknown"])
def test_nothing_is_typed_into_any_other_window(kind: str) -> None:
    assert asked(at_rest(place=Place(kind, window="w"))) == Waking(NO_WINDOW)


def test_nothing_is_typed_without_a_witness_of_dialogs() -> None:
    assert asked(at_rest(record=None)) == Waking(NO_WINDOW)


def test_nothing_is_typed_at_a_run_without_a_terminal() -> None:
    assert asked(at_rest(entrypoint="sdk-cli")) == Waking(NO_WINDOW)


@pytest.mark.parametrize("status", [Status.IDLE, Status.BUSY, Status.WAITING])
def test_nothing_is_typed_where_no_hook_would_tell_that_it_arrived(status: Status) -> None:
    assert asked(at_rest(status, announced=False)) == Waking(UNTRACKED)


def test_background_work_leaves_the_prompt_free_where_the_record_says_so() -> None:
    session = at_rest(Status.SHELL, state=State.WORKING, reason=Reason.BACKGROUND)
    assert asked(session).due
    assert asked(replace(session, record=a_record(Status.IDLE, 90.0))) == Waking(TURN)


@pytest.mark.parametrize("status", [Status.IDLE, Status.SHELL, Status.BUSY])
def test_agent_at_work_gets_it_when_its_turn_ends(status: Status) -> None:
    session = at_rest(status, state=State.WORKING, reason=Reason.TURN)
    assert asked(session) == Waking(TURN)


def test_record_that_is_busy_outweighs_what_is_shown() -> None:
    assert asked(at_rest(Status.BUSY)) == Waking(TURN)


def test_reported_failure_does_not_hide_a_turn() -> None:
    assert asked(at_rest(Status.BUSY, state=State.FAILED)) == Waking(TURN)


@pytest.mark.parametrize(
    "session",
    [
        at_rest(Status.WAITING),
        at_rest(requests=(a_request(since=89.0),)),
        at_rest(shown=Shown(State.BLOCKED)),
    ],
    ids=["record", "request", "shown"],
)
def test_nothing_is_typed_while_any_witness_tells_of_a_dialog(session: Session) -> None:
    assert asked(session) == Waking(DIALOG)


def test_nothing_is_typed_while_the_fleet_is_halted() -> None:
    assert asked(at_rest(), halted=True) == Waking(HALTED)


def test_expired_verb_wakes_nobody() -> None:
    assert asked(at_rest(), staged=replace(STAGED, until=NOW)) == Waking(EXPIRED)
    assert asked(at_rest(), staged=replace(STAGED, until=NOW + 1)).due


@pytest.mark.parametrize(
    "more",
    [
        {"closed": True},
        {"teardown": Teardown(80.0, by=7)},
        {"teardown": Teardown(80.0, check="dirty", ended=True)},
    ],
    ids=["closed", "being torn down", "ended"],
)
def test_session_that_ends_is_not_woken(more: dict[str, Any]) -> None:
    assert asked(at_rest(**more)) == Waking(ENDING)


def test_refused_teardown_is_in_nobodys_way() -> None:
    assert asked(at_rest(teardown=Teardown(80.0, check="dirty"))).due


@pytest.mark.parametrize("more", [{"session_id": "s-bbbb"}, {"pid": 7}], ids=["id", "pid"])
def test_verb_is_for_one_process_under_one_id(more: dict[str, Any]) -> None:
    assert asked(at_rest(**more)) == Waking(ANOTHER)


def test_window_of_a_conversation_that_went_on_elsewhere_shows_that_one() -> None:
    record = replace(a_record(Status.IDLE, 90.0), parked=True)
    assert asked(at_rest(record=record)) == Waking(MOVED)
    assert asked(at_rest(record=record), halted=True) == Waking(MOVED)


def test_record_of_another_conversation_is_believed_over_the_hooks() -> None:
    cleared = replace(a_record(Status.IDLE, 90.0), session_id="s-bbbb")
    assert asked(at_rest(record=cleared)) == Waking(ANOTHER)


@pytest.mark.parametrize(
    "session",
    [
        at_rest(record=a_record(Status.IDLE, NOW - 0.5)),
        at_rest(record=a_record(Status.IDLE, 90.0, born=NOW - 0.5)),
        at_rest(at=NOW - 0.5, record=a_record(Status.IDLE, 90.0)),
        at_rest(tool_at=NOW - 0.5),
        at_rest(decided_at=NOW - 0.5),
    ],
    ids=["record", "start of the process", "story", "tool", "decision"],
)
def test_agent_is_let_come_to_rest(session: Session) -> None:
    may = asked(session)
    assert (may.due, may.soon, may.why) == (False, True, CALM)
    assert may.again == pytest.approx(NOW - 0.5 + CALM_S)
    assert may.again is not None
    assert waking(session, STAGED, False, may.again).due


def test_clock_that_was_turned_back_keeps_nobody_waiting() -> None:
    assert asked(at_rest(record=a_record(Status.IDLE, NOW + 3600))).due


@pytest.mark.parametrize(
    ("why", "says"),
    [
        (TURN, "when its turn ends"),
        (DIALOG, "dialog"),
        (HALTED, "halted"),
        (NO_WINDOW, "cannot be typed"),
        (UNTRACKED, "no hook has spoken for it yet"),
        ("pane is gone", "pane is gone; it is tried again"),
    ],
)
def test_terminal_is_told_what_a_verb_waits_for(why: str, says: str) -> None:
    assert told(why).startswith("queued: ")
    assert says in told(why)
