"""A throw-away home with a client in it that knows its version and nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.install.home import Home

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def home(tmp_path: Path) -> Home:
    """An empty home of one person, no agent installed yet."""
    return Home(tmp_path / "home")
