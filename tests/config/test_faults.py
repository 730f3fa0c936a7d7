"""A layout with a dozen faults is told a dozen problems, each where it stands."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.config.layers import told
from tests.config.panels import told as told_alone

if TYPE_CHECKING:
    from pathlib import Path

TWELVE = """\
device: stream-deck-xxl
timings:
  long_pres: 800 ms
  armed: 3
  decide: 900 s
rest:
  colour: #1B1D21
marks:
  plan: lst
glyphs:
  wave:
    line: 10,10 20,20
rows:
  - name: fleet
    fill: slots
  - name: verdicts
    keys:
      1: verdict aprove
      1: blank
      9: blank
      2:
        label: Why?
"""

SAID = [
    "1:9 unknown device 'stream-deck-xxl'",
    "3:3 unknown key 'long_pres'",
    "4:10 'armed' has no unit",
    "5:11 'decide' of 900 s is out of range",
    "7:11 colour of 'rest' is empty",
    "9:9 unknown glyph 'lst'",
    "12:5 a line without 'stroke' cannot be seen",
    "15:11 a row cannot be filled with 'slots'",
    "18:10 'verdict' takes an action, not 'aprove'",
    "19:7 key 2.1 has two bindings",
    "20:7 column 9 is outside the deck",
    "21:7 '2' has no 'bind'",
]


def test_twelve_faults_are_twelve_problems_each_at_its_line_and_column() -> None:
    assert len(SAID) == 12
    assert told_alone(TWELVE) == SAID


def test_twelve_faults_in_three_files_are_told_in_the_file_that_has_them(tmp_path: Path) -> None:
    below = TWELVE.replace("  plan: lst\n", "  plan: list\n").replace("  armed: 3\n", "")
    middle = "extends: below\ntimings:\n  armed: 3\n"
    assert told(tmp_path, "extends: middle\nmarks:\n  plan: lst\n", middle=middle, below=below) == [
        "below.yaml:1:9 unknown device 'stream-deck-xxl'",
        "below.yaml:3:3 unknown key 'long_pres'",
        "below.yaml:4:11 'decide' of 900 s is out of range",
        "below.yaml:6:11 colour of 'rest' is empty",
        "below.yaml:11:5 a line without 'stroke' cannot be seen",
        "below.yaml:14:11 a row cannot be filled with 'slots'",
        "below.yaml:17:10 'verdict' takes an action, not 'aprove'",
        "below.yaml:18:7 key 2.1 has two bindings",
        "below.yaml:19:7 column 9 is outside the deck",
        "below.yaml:20:7 '2' has no 'bind'",
        "middle.yaml:3:10 'armed' has no unit",
        "top.yaml:3:9 unknown glyph 'lst'",
    ]
