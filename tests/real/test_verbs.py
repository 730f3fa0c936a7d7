"""What a key of the verb row brings the real client to do, and what it never does.

Source: README.md, "Row 2: verbs".
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

from tests.real.desk_run import ERRANDS
from tests.real.judge import table

if TYPE_CHECKING:
    from tests.real.run import Outcome

pytestmark = [pytest.mark.real, pytest.mark.timeout(300)]
NAMES = [pytest.param(name, marks=pytest.mark.errand(name)) for name in sorted(ERRANDS)]


@pytest.mark.parametrize("name", NAMES)
def test_every_verb_arrives_as_it_should_or_not_at_all(verbs: Outcome, name: str) -> None:
    assert name not in verbs.trouble, verbs.trouble[name]
    wrong = [str(row) for row in verbs.of(name) if not row.right]
    assert not wrong, "\n".join(wrong)


def test_nothing_of_the_panel_breaks_under_verbs(
    verbs: Outcome, capsys: pytest.CaptureFixture[str]
) -> None:
    with capsys.disabled():
        sys.stdout.write(f"\n{table(verbs.rows)}\n")
    assert not verbs.faults, verbs.faults
