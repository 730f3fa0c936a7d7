"""Every hook test runs in each shell of this machine."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.hooks.place import SHELLS, Place


@pytest.fixture(params=SHELLS, ids=lambda path: Path(path).name)
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    """A state folder whose path needs quoting."""
    home = tmp_path / 'it\'s a "höme" $HOME `x`'
    home.mkdir()
    return Place(home / ".fleet", home / "flightdeck", str(request.param))
