"""The YAML of risk/README.md is read as it stands there, and does what it says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from flightdeck.fold.rulecheck import problems_of

README = Path(__file__).resolve().parents[2] / "risk" / "README.md"
BLOCKS = re.findall(r"```yaml\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)
FILES = [block for block in BLOCKS if not block.startswith(" ")]


@pytest.mark.parametrize("text", FILES, ids=lambda text: text.split("\n", 1)[0])
def test_file_in_the_readme_has_no_problem(text: str, tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text(text, encoding="utf-8")
    assert problems_of([path]) == {path: ()}


def test_readme_shows_files() -> None:
    assert len(FILES) >= 2
