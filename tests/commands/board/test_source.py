"""Where the board has the fleet from: one folds at a time."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from flightdeck.commands.board import source
from flightdeck.commands.board.source import Fleets
from flightdeck.errors import Unavailable
from flightdeck.fold.opening import fold_once, open_fold
from flightdeck.store import snapshot
from flightdeck.store.instance import Instance, RunningPanel

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.fold.world import Machine


@pytest.fixture
def panel(machine: Machine) -> Iterator[Instance]:
    """A panel that holds its place and has not folded anything yet."""
    instance = Instance(machine.folder)
    instance.announce(RunningPanel(4711, "browser", "/c"))
    yield instance
    instance.release()


def test_without_a_panel_it_folds_itself(machine: Machine) -> None:
    fleets = Fleets(machine.folder)
    assert {view.state.value for view in fleets.look()[0].slots} == {"empty"}
    machine.starts(machine.agent(), "s")
    fleet, panel = fleets.look()
    assert (fleet.slots[0].state.value, panel["running"]) == ("idle", False)


def test_beside_a_panel_it_folds_nothing_and_reads_what_that_wrote(
    machine: Machine, panel: Instance, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert panel.stands()
    machine.starts(machine.agent(), "s")
    fleets = Fleets(machine.folder)
    assert fleets.look()[0].slots == ()
    assert list(machine.folder.inbox.iterdir()) != []
    fold_once(open_fold(machine.folder))  # as the panel would
    monkeypatch.setattr(source, "fold_once", None)
    fleet, told = fleets.look()
    assert (fleet.slots[0].state.value, told["pid"]) == ("idle", 4711)


def test_snapshot_is_read_again_only_when_it_is_another(
    machine: Machine, panel: Instance, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert panel.stands()
    fold_once(open_fold(machine.folder))
    fleets = Fleets(machine.folder)
    first = fleets.look()[0]
    monkeypatch.setattr(snapshot, "read", None)
    assert fleets.look()[0] is first


def test_snapshot_that_cannot_be_read_leaves_the_last_one(
    machine: Machine, panel: Instance
) -> None:
    assert panel.stands()
    fold_once(open_fold(machine.folder))
    fleets = Fleets(machine.folder)
    first = fleets.look()[0]
    machine.folder.slots.write_text("{}", encoding="utf-8")
    assert fleets.look()[0] is first
    machine.folder.slots.unlink()
    assert fleets.look()[0] is first


def test_panel_that_has_ended_is_folded_for(machine: Machine) -> None:
    instance = Instance(machine.folder)
    fleets = Fleets(machine.folder)
    assert fleets.look()[1]["running"]
    instance.release()
    machine.starts(machine.agent(), "s")
    fleet, panel = fleets.look()
    assert (fleet.slots[0].state.value, panel["running"]) == ("idle", False)


def test_folder_that_was_removed_is_made_anew_at_the_look_after_next(machine: Machine) -> None:
    fleets = Fleets(machine.folder)
    fleets.look()
    shutil.rmtree(machine.folder.root)
    with pytest.raises(Unavailable):
        fleets.look()
    fleets.look()
    machine.starts(machine.agent(), "s")
    assert fleets.look()[0].slots[0].state.value == "idle"
