"""What draws the faces, cairo or resvg where cairo cannot be loaded, and faces of one's own.

Source: faces/raster.py; templates/README.md, "Faces".
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from flightdeck.config.templates import FACES, load_templates, template_files
from flightdeck.doctor.visit import of_problem
from flightdeck.errors import Unavailable
from flightdeck.faces import raster
from flightdeck.model.finding import Finding, Known, failure, ok

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from flightdeck.doctor.machine import Machine

_SIZES = ((96, 96),)


def look(machine: Machine) -> Iterator[Finding]:
    """Say what draws, or why nothing can, and what is wrong with templates of one's own."""
    named = os.environ.get(raster.VARIABLE, "")
    try:
        backend = Known(raster.backend())
    except Unavailable as error:
        hint = f"unset {raster.VARIABLE}" if named else error.hint
        yield failure("{message}", "{hint}", message=error.message, hint=hint)
        return
    own = machine.folder.templates / FACES
    if not template_files(own, FACES):
        yield ok("faces are drawn by {name}", name=backend)
        return
    problems = list(_tried(own))
    what = "faces are drawn by {name}, from templates of your own"
    yield from problems or [ok(what, name=backend)]


def _tried(own: Path) -> Iterator[Finding]:
    """Yield what is wrong with the templates in `own`; what cannot be read is raised."""
    from flightdeck.faces.trial import only_check, problems_of  # noqa: PLC0415 - rarely needed

    for problem in problems_of(load_templates(FACES, own), _SIZES, draw=only_check):
        yield of_problem(problem)
