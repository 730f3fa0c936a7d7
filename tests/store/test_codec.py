"""Session records go to JSON and back unharmed, and nothing of a wrong kind gets in."""

from __future__ import annotations

import dataclasses
import json
import math
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from flightdeck.model.lifecycle import Reason, State
from flightdeck.model.session import Record, Request, Session, Status, Story
from flightdeck.store.codec import from_json, to_json

# Hypothesis cannot see that a name in quotes is an enum or a number, so it is told nothing:
# every field of every record is built from its type.
SESSIONS = st.builds(Session, key=st.text(min_size=1), agent=st.text(), pid=st.integers())
QUICK = settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))


@QUICK
@given(st.data())
def test_session_comes_back_as_it_went(data: st.DataObject) -> None:
    session = data.draw(st.from_type(Session))
    if not all(map(math.isfinite, _floats(to_json(session)))):
        return
    assert from_json(Session, json.loads(json.dumps(to_json(session)))) == session


def _floats(data: Any) -> list[float]:
    if isinstance(data, dict):
        return [x for value in data.values() for x in _floats(value)]
    if isinstance(data, list):
        return [x for value in data for x in _floats(value)]
    return [data] if isinstance(data, float) else []


def test_fields_a_record_does_not_hold_keep_their_defaults() -> None:
    data = {"key": "1-2", "agent": "claude-code", "pid": 1}
    assert from_json(Session, data) == Session("1-2", "claude-code", 1)


def test_fields_nobody_knows_are_passed_over() -> None:
    data = {"key": "1-2", "agent": "claude-code", "pid": 1, "of a later version": [1]}
    assert from_json(Session, data) == Session("1-2", "claude-code", 1)


def test_whole_number_is_a_time_too() -> None:
    assert from_json(Story, {"at": 5}).at == 5.0


@pytest.mark.parametrize(
    ("kind", "data"),
    [
        (Session, []),
        (Session, None),
        (Session, {"key": "k", "agent": "a"}),
        (Session, {"key": 1, "agent": "a", "pid": 1}),
        (Session, {"key": "k", "agent": "a", "pid": "1"}),
        (Session, {"key": "k", "agent": "a", "pid": True}),
        (Session, {"key": "k", "agent": "a", "pid": 1, "closed": 1}),
        (Session, {"key": "k", "agent": "a", "pid": 1, "slot": "0"}),
        (Session, {"key": "k", "agent": "a", "pid": 1, "requests": {}}),
        (Session, {"key": "k", "agent": "a", "pid": 1, "requests": [7]}),
        (Session, {"key": "k", "agent": "a", "pid": 1, "story": {"state": "purple"}}),
        (Session, {"key": "k", "agent": "a", "pid": 1, "story": {"back_to": ["idle"]}}),
        (Story, {"at": "now"}),
        (Story, {"at": 10**400}),
        (Story, {"at": math.inf}),
        (Story, {"at": math.nan}),
        (Status, ["idle"]),
    ],
)
def test_wrong_kind_is_refused(kind: type, data: object) -> None:
    with pytest.raises(ValueError, match=r".+"):
        from_json(kind, data)


def test_every_field_of_a_full_session_is_plain_json() -> None:
    request = Request("r", Reason.PLAN, 1.0)
    story = Story(State.FAILED, None, 2.0, "rate_limit", (State.WORKING, Reason.TURN))
    record = Record(1, "s", Status.WAITING, 3.0, Reason.INPUT)
    session = Session("1-2", "a", 1, slot=3, story=story, requests=(request,), record=record)
    data = to_json(session)
    assert set(data) == {field.name for field in dataclasses.fields(Session)}
    assert from_json(Session, json.loads(json.dumps(data))) == session
