"""The fleet says that it is halted and who is gated, at the next look and without any event."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from flightdeck.store import gates, latch
from tests.fold.world import view_of

if TYPE_CHECKING:
    from tests.fold.world import Machine


def test_latch_shows_at_the_next_look(machine: Machine) -> None:
    fold = machine.fold()
    machine.starts(machine.agent(), "s-1")
    assert not machine.step(fold).fleet.halted
    latch.put(machine.folder)
    assert machine.step(fold, 0.01).fleet.halted
    assert machine.snapshot()["halted"] is True
    latch.lift(machine.folder)
    assert not machine.step(fold, 0.01).fleet.halted
    assert machine.snapshot()["halted"] is False


@pytest.mark.parametrize("odd", ["folder", "link"])
def test_odd_latch_halts_too(machine: Machine, odd: str) -> None:
    if odd == "folder":
        machine.folder.halt.mkdir()
    else:
        machine.folder.halt.symlink_to("/nowhere/at/all")
    assert machine.step(machine.fold()).fleet.halted


def test_gated_session_is_told_apart(machine: Machine) -> None:
    fold = machine.fold()
    for name in ("s-1", "s-2"):
        machine.starts(machine.agent(), name)
    machine.step(fold)
    gates.close(machine.folder, "s-2")
    outcome = machine.step(fold, 0.01)
    assert [view_of(outcome, slot).gated for slot in (0, 1)] == [False, True]
    assert [row["gated"] for row in machine.snapshot()["slots"][:3]] == [False, True, False]


def test_cleared_conversation_stays_gated(machine: Machine) -> None:
    fold, pid = machine.fold(), machine.agent()
    machine.starts(pid, "s-1")
    machine.step(fold)
    gates.close(machine.folder, "s-1")
    machine.says(pid, "SessionEnd", session_id="s-1", reason="clear")
    machine.starts(pid, "s-2", source="clear")
    assert view_of(machine.step(fold), 0).gated
    assert gates.standing(machine.folder) == {"s-1", "s-2"}


def test_session_without_a_gate_gets_none_by_a_new_conversation(machine: Machine) -> None:
    fold, pid = machine.fold(), machine.agent()
    machine.starts(pid, "s-1")
    machine.step(fold)
    machine.starts(pid, "s-2", source="clear")
    assert not view_of(machine.step(fold), 0).gated
