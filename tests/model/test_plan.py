"""What a machine's own file adds to its layout, as the fold needs it."""

from __future__ import annotations

from flightdeck.model.local import Journal, Local
from flightdeck.model.plan import PanelPlan
from tests.model.panels import a_panel


def test_plan_takes_slots_and_labels_from_the_layout() -> None:
    panel = a_panel()
    plan = PanelPlan.of(panel, Local())
    assert (plan.slots, plan.labels) == (panel.slots, panel.labels)


def test_plan_takes_journal_and_renderers_from_the_machine() -> None:
    plan = PanelPlan.of(a_panel(), Local(renderers=("/r",), journal=Journal(5, 2)))
    assert (plan.journal_bytes, plan.journal_files, plan.renderers) == (5, 2, ("/r",))


def test_journal_that_is_switched_off_takes_no_bytes() -> None:
    plan = PanelPlan.of(a_panel(), Local(journal=None))
    assert (plan.journal_bytes, plan.journal_files) == (0, 0)
