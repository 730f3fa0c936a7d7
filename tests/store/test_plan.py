"""`compiled/panel.json`: what a panel compiled is what a fold without one uses."""

from __future__ import annotations

import json
import math

import pytest

from flightdeck.model.label import LabelRules
from flightdeck.model.plan import PanelPlan
from flightdeck.store import plan as plans
from flightdeck.store.paths import StateFolder


@pytest.fixture
def folder() -> StateFolder:
    folder = StateFolder.from_environment()
    folder.create()
    return folder


PLAN = PanelPlan((0, 2, 5), LabelRules(9, ("feature/",), {"checkout": "chk"}), 0, 1)


def test_plan_comes_back_as_it_went(folder: StateFolder) -> None:
    plans.write(folder, PLAN)
    assert plans.read(folder) == PLAN


def test_without_one_there_are_eight_slots(folder: StateFolder) -> None:
    assert plans.read(folder) == PanelPlan()


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "null",
        '{"slots": [0]}',
        '{"slots": "x", "labels": {"line_chars": 1, "strip": [], "short": {}}, "journal": {}}',
        "[" * 100_000,
        "\xff",
    ],
)
def test_unreadable_one_is_the_default(folder: StateFolder, text: str) -> None:
    (folder.compiled / "panel.json").write_text(text, encoding="latin-1")
    assert plans.read(folder) == PanelPlan()


@pytest.mark.parametrize("slot", ["one", math.inf])
def test_wrong_number_in_it_is_the_default(folder: StateFolder, slot: object) -> None:
    plans.write(folder, PLAN)
    path = folder.compiled / "panel.json"
    data = json.loads(path.read_bytes()) | {"slots": [slot]}
    path.write_text(json.dumps(data), encoding="utf-8")
    assert plans.read(folder) == PanelPlan()
