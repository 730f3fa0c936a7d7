"""Pictures somebody has looked at, and how far from them a drawing may be."""

from __future__ import annotations

import os
from pathlib import Path

from PIL import Image, ImageChops, ImageStat

from flightdeck.faces import raster

GOLDEN = Path(__file__).resolve().parent.parent / "golden"
MEAN, FAR, FAR_SHARE = 2.0, 96, 0.003
WRITE = os.environ.get("FLIGHTDECK_GOLDEN") == "write"


def difference(drawn: Image.Image, stored: Image.Image) -> tuple[float, float]:
    """Return the mean difference in levels, and the share of pixels that are far off."""
    apart = ImageChops.difference(drawn, stored)
    far = sum(apart.convert("L").histogram()[FAR:]) / (apart.width * apart.height)
    return max(ImageStat.Stat(apart).mean), far


def stored(name: str, drawn: Image.Image) -> Image.Image:
    """Return the picture kept under `name`, kept anew first where that was asked for."""
    path = GOLDEN / f"{name}.png"
    if WRITE and raster.backend() == "cairo":
        drawn.save(path, optimize=True)
    with Image.open(path) as image:
        return image.convert("RGB")
