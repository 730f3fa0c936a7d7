"""What may be typed: one line of printable characters, and nothing else."""

from __future__ import annotations

import pytest

from flightdeck.hosts.keys import LONGEST_LINE, must_be_one_line
from tests.hosts.lines import LINES, NO_LINES


@pytest.mark.parametrize("line", [*LINES, " ", "x" * LONGEST_LINE, "🙂" * LONGEST_LINE])
def test_line_of_printable_characters_may_be_typed(line: str) -> None:
    must_be_one_line(line)


@pytest.mark.parametrize("line", NO_LINES)
def test_what_could_press_a_key_or_end_a_paste_may_not_be_typed(line: str) -> None:
    with pytest.raises(ValueError, match="line"):
        must_be_one_line(line)
