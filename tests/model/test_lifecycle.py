"""The words of the state table, which layouts, scripts and `~/.fleet` spell out."""

from __future__ import annotations

from flightdeck.model.lifecycle import Reason, State


def test_states_are_named_as_layouts_and_scripts_name_them() -> None:
    assert [state.value for state in State] == [
        "empty",
        "idle",
        "working",
        "blocked",
        "done",
        "failed",
    ]


def test_reasons_are_named_as_the_snapshot_names_them() -> None:
    assert [reason.value for reason in Reason] == [
        "permission",
        "question",
        "plan",
        "input",
        "turn",
        "background",
        "compacting",
    ]
