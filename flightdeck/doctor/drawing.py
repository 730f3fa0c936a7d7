"""What draws the faces: cairo, or resvg where cairo cannot be loaded.

Source: faces/raster.py.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from flightdeck.errors import Unavailable
from flightdeck.faces import raster
from flightdeck.model.finding import Finding, Known, failure, ok

if TYPE_CHECKING:
    from collections.abc import Iterator

    from flightdeck.doctor.machine import Machine


def look(machine: Machine) -> Iterator[Finding]:
    """Say what draws, or why nothing can."""
    del machine  # a library is loaded into this process, whatever is looked at
    named = os.environ.get(raster.VARIABLE, "")
    try:
        yield ok("faces are drawn by {name}", name=Known(raster.backend()))
    except Unavailable as error:
        hint = f"unset {raster.VARIABLE}" if named else error.hint
        yield failure("{message}", "{hint}", message=error.message, hint=hint)
