"""What every test of faces may ask for."""

from __future__ import annotations

import pytest

from flightdeck.faces import raster
from tests.requirements import require


def here(name: str) -> None:
    """Ask for what a rasteriser needs of the machine; resvg brings all of it along."""
    if name == "cairo":
        require("cairo")


@pytest.fixture(params=["cairo", "resvg"])
def rasteriser(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Each of the two, forced; a test that asks for it runs once with either."""
    name = str(request.param)
    here(name)
    monkeypatch.setenv(raster.VARIABLE, name)
    assert raster.backend() == name
    return name
