"""A press on a key brings the real client's pane forward.

Source: README.md, "Focus".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.real.run import Outcome

pytestmark = [pytest.mark.real, pytest.mark.timeout(480)]


@pytest.mark.scenario("press")
def test_a_press_shows_the_pane_of_that_session_in_the_attached_terminal(outcome: Outcome) -> None:
    assert "press" not in outcome.trouble, outcome.trouble["press"]
