"""What every test of faces may ask for."""

from __future__ import annotations

import pytest

from flightdeck.faces import raster


@pytest.fixture(params=["cairo", "resvg"])
def rasteriser(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Each of the two, forced; a test that asks for it runs once with either."""
    name = str(request.param)
    monkeypatch.setenv(raster.VARIABLE, name)
    assert raster.backend() == name
    return name
