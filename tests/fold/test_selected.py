"""Which session is selected: what `selected.json` says, if that session lives."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from flightdeck.model.plan import PanelPlan
from flightdeck.store import files, selection
from tests.fold.world import view_of

if TYPE_CHECKING:
    from pathlib import Path

    from flightdeck.fold.folding import Fold, Outcome
    from tests.fold.world import Machine


def two_sessions(machine: Machine, plan: PanelPlan | None = None) -> tuple[Fold, list[str]]:
    """Return a fold that knows two sessions, and their keys."""
    fold = machine.fold(plan)
    for name in ("one", "two"):
        machine.starts(machine.agent(), name)
    machine.step(fold)
    return fold, [session.key for session in fold.sessions()]


def selected(outcome: Outcome) -> list[bool]:
    return [view_of(outcome, slot).selected for slot in (0, 1)]


def test_nothing_is_selected_until_something_is(machine: Machine) -> None:
    fold, _ = two_sessions(machine)
    outcome = machine.step(fold)
    assert (outcome.fleet.selected, selected(outcome)) == ("", [False, False])


def test_selection_shows_at_the_next_look_without_any_event(machine: Machine) -> None:
    fold, keys = two_sessions(machine)
    machine.step(fold)
    for key, shown in zip(keys, ([True, False], [False, True]), strict=True):
        selection.write(machine.folder, key)
        outcome = machine.step(fold, 0.01)
        assert (outcome.fleet.selected, selected(outcome)) == (key, shown)
        assert [row["selected"] for row in machine.snapshot()["slots"][:2]] == shown


def test_session_without_a_slot_can_be_selected(machine: Machine) -> None:
    fold, keys = two_sessions(machine, PanelPlan(slots=(0,)))
    selection.write(machine.folder, keys[1])
    outcome = machine.step(fold)
    assert (outcome.fleet.selected, view_of(outcome, 0).selected) == (keys[1], False)


@pytest.mark.parametrize("data", [b"{", b'{"key": "1-no-such"}', b'{"key": ""}', b'{"key": 5}'])
def test_selection_of_nobody_is_none(machine: Machine, data: bytes) -> None:
    fold, _ = two_sessions(machine)
    machine.folder.selected.write_bytes(data)
    outcome = machine.step(fold)
    assert (outcome.fleet.selected, selected(outcome)) == ("", [False, False])


def test_session_that_ends_is_selected_no_longer(machine: Machine) -> None:
    fold, keys = two_sessions(machine)
    selection.write(machine.folder, keys[0])
    assert machine.step(fold).fleet.selected == keys[0]
    machine.kill(fold.session(keys[0]).pid)
    assert machine.step(fold, 6.0).fleet.selected == ""


def test_fleet_at_rest_opens_no_file_for_it(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    fold, keys = two_sessions(machine)
    selection.write(machine.folder, keys[0])
    machine.step(fold)
    machine.step(fold)

    def opened(path: Path, most: int = -1) -> bytes:
        raise AssertionError(path)

    monkeypatch.setattr(files, "read", opened)
    for _ in range(3):
        assert machine.step(fold, 0.1).fleet.selected == keys[0]
