"""How commands fold: with the last panel's plan, and what they know of that panel."""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING

from flightdeck.fold import opening
from flightdeck.model.plan import PanelPlan
from flightdeck.store import fault
from flightdeck.store import plan as plans
from flightdeck.store.instance import Instance, RunningPanel

if TYPE_CHECKING:
    from tests.fold.world import Machine

NOBODY = {"running": False, "pid": None, "deck": None, "problem": None}


def test_fold_without_a_panel_uses_what_the_last_one_compiled(machine: Machine) -> None:
    plans.write(machine.folder, PanelPlan(slots=(2, 4)))
    outcome, _ = opening.fold_once(opening.open_fold(machine.folder))
    assert [view.slot for view in outcome.fleet.slots] == [2, 4]


def test_fold_makes_the_state_folder(machine: Machine) -> None:
    shutil.rmtree(machine.folder.root)
    opening.fold_once(opening.open_fold(machine.folder))
    assert machine.folder.slots.exists()


def test_no_panel_is_said(machine: Machine) -> None:
    assert opening.panel_json(machine.folder) == NOBODY


def test_running_panel_is_said(machine: Machine) -> None:
    instance = Instance(machine.folder)
    about: dict[str, object] = {"running": True, "pid": None, "deck": None, "problem": None}
    assert opening.panel_json(machine.folder) == about
    instance.announce(RunningPanel(4711, "browser", "/c"))
    about |= {"pid": 4711, "deck": "browser"}
    assert opening.panel_json(machine.folder) == about
    fault.write(machine.folder, "layouts/xl.yaml:3:1: unknown key 'rwos'")
    about["problem"] = "layouts/xl.yaml:3:1: unknown key 'rwos'"
    assert opening.panel_json(machine.folder) == about
    instance.release()
    assert opening.panel_json(machine.folder) == NOBODY


def test_panel_says_itself() -> None:
    assert opening.own_panel_json("recorder") == {
        "running": True,
        "pid": os.getpid(),
        "deck": "recorder",
        "problem": None,
    }


def test_last_snapshot_says_that_no_panel_runs(machine: Machine) -> None:
    fold = machine.fold()
    fold.step(machine.now, opening.own_panel_json("recorder"))
    opening.fold_goodbye(fold)
    assert machine.snapshot()["panel"] == NOBODY


def test_goodbye_to_a_folder_that_is_gone_is_silent(machine: Machine) -> None:
    fold = machine.fold()
    shutil.rmtree(machine.folder.root)
    opening.fold_goodbye(fold)
    assert not machine.folder.root.exists()
