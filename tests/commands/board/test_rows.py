"""The fleet as rows of words."""

from __future__ import annotations

from dataclasses import replace

from flightdeck.commands.board.rows import Row, rows_of
from flightdeck.model.fleet import Fleet, PendingView, SlotView
from flightdeck.model.lifecycle import Reason, State


def row_of(view: SlotView) -> Row:
    (row,) = rows_of(Fleet((view,)), 100.0)
    return row


def test_row_tells_of_its_oldest_request_and_of_those_behind_it() -> None:
    first = PendingView("r1", "Bash", "high", repeats=3, since=88.0, answerable=True)
    row = row_of(SlotView(0, State.BLOCKED, pending=(first, PendingView("r2", "Write"))))
    assert row.waits == "high Bash \u00d73, 12s, 1 more behind it"
    assert row.request_id == "r1"


def test_request_only_the_terminal_can_answer_says_so() -> None:
    row = row_of(SlotView(0, State.BLOCKED, pending=(PendingView("r", "Bash", since=99.0),)))
    assert row.waits == "Bash, 1s, in terminal"


def test_row_says_what_else_is_to_be_known() -> None:
    view = SlotView(0, State.IDLE, gated=True, selected=True, queued="test", refusal="dirty")
    assert row_of(view).marks == "GUARDED, selected, queued: test, teardown refused, dirty"


def test_row_says_why_it_is_so() -> None:
    assert row_of(SlotView(0, State.BLOCKED, Reason.PLAN)).why == "plan"
    assert row_of(SlotView(0, State.FAILED, error="rate_limit")).why == "rate_limit"


def test_aim_is_another_when_the_request_or_the_session_is() -> None:
    asks = (PendingView("r1", "Bash"),)
    one = row_of(SlotView(0, State.BLOCKED, key="a", pending=asks))
    assert one.aim == row_of(SlotView(0, State.WORKING, key="a", pending=asks)).aim
    assert one.aim != row_of(SlotView(0, State.BLOCKED, key="b", pending=asks)).aim
    assert one.aim != row_of(SlotView(0, State.BLOCKED, key="a")).aim


def test_no_word_of_an_agent_can_steer_a_terminal() -> None:
    bad = "\x1b]0;x\x07\x9b31m\n\u202e"
    asked = PendingView(bad, bad, bad)
    view = SlotView(0, State.FAILED, error=bad, repo=bad, title=bad, pending=(asked,))
    view = replace(view, queued=bad, refusal=bad)
    row = row_of(view)
    told = "".join((row.why, row.since, row.who, row.waits, row.marks))
    assert told.isprintable()
