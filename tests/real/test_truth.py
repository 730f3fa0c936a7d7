"""What the panel shows of the real client is the truth, soon, and stays so.

Source: README.md, "How a key gets its colour".
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

from tests.real.judge import median_ms, table
from tests.real.run import SCENARIOS

if TYPE_CHECKING:
    from tests.real.run import Outcome

pytestmark = [pytest.mark.real, pytest.mark.timeout(480)]
MEDIAN_MS = 60
NAMES = [
    pytest.param(name, marks=pytest.mark.scenario(name))
    for name, scenario in sorted(SCENARIOS.items())
    if scenario.phases
]


@pytest.mark.parametrize("name", NAMES)
def test_every_phase_is_shown_right_in_time_and_without_relapse(
    outcome: Outcome, name: str
) -> None:
    rows = outcome.of(name)
    wrong = [str(row) for row in rows if not row.right]
    assert not wrong, "\n".join(wrong)
    assert name not in outcome.trouble, outcome.trouble[name]
    assert len(rows) == SCENARIOS[name].phases


def test_half_of_all_changes_are_shown_within_60_ms(
    outcome: Outcome, capsys: pytest.CaptureFixture[str]
) -> None:
    with capsys.disabled():
        sys.stdout.write(f"\n{table(outcome.rows)}\n")
    assert median_ms(outcome.rows) <= MEDIAN_MS


def test_nothing_of_the_panel_breaks_meanwhile(outcome: Outcome) -> None:
    assert not outcome.faults, outcome.faults
