"""What a key of the verdict row does to the real client, and when it lets a request go.

Source: README.md, "Row 3: verdicts".
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

from tests.real.desk_run import DEEDS
from tests.real.judge import median_ms, table

if TYPE_CHECKING:
    from tests.real.run import Outcome

pytestmark = [pytest.mark.real, pytest.mark.timeout(300)]
CLEARED_MS = 200
NAMES = [pytest.param(name, marks=pytest.mark.deed(name)) for name in sorted(DEEDS)]


@pytest.mark.parametrize("name", NAMES)
def test_every_verdict_takes_effect_in_the_client_and_nothing_else_does(
    verdicts: Outcome, name: str
) -> None:
    assert name not in verdicts.trouble, verdicts.trouble[name]
    wrong = [str(row) for row in verdicts.of(name) if not row.right]
    assert not wrong, "\n".join(wrong)


@pytest.mark.deed("yes-in-terminal", "no-in-terminal", "esc-in-terminal")
def test_row_is_at_rest_within_200_ms_of_an_answer_in_the_terminal(
    verdicts: Outcome, capsys: pytest.CaptureFixture[str]
) -> None:
    with capsys.disabled():
        sys.stdout.write(f"\n{table(verdicts.rows)}\n")
    cleared = [row for row in verdicts.rows if "in the terminal" in row.phase]
    assert median_ms([row for row in cleared if row.want == "row at rest"]) <= CLEARED_MS


def test_nothing_of_the_panel_breaks_under_verdicts(verdicts: Outcome) -> None:
    assert not verdicts.faults, verdicts.faults
