"""What it costs to draw a whole deck: the first time, again, and once everything is known.

Source: README.md, "Figures".
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from tests.bench.figures import Budget
from tests.bench.measure import Program

if TYPE_CHECKING:
    from pathlib import Path

    from tests.bench.figures import Figures

pytestmark = [pytest.mark.bench, pytest.mark.timeout(600)]

_COLD = Budget("≤ 150 ms of CPU", most=150)
_WARM = Budget("≤ 5 ms of CPU", most=5)
_ROUNDS = 7

# In a process of its own, for a process draws its first face once. No two of the 32 faces are
# the same, each has a glyph and two labels: more than any real panel shows.
_DRAW = """
import json, time
from pathlib import Path
from flightdeck.config.layouts import find_layout, load_layout
from flightdeck.config.local import load_local
from flightdeck.faces.cache import Faces
from flightdeck.faces.raster import backend
from flightdeck.model.decks import MODELS
from flightdeck.model.keyview import KeyView
from flightdeck.model.lifecycle import State
from flightdeck.store.paths import StateFolder

folder = StateFolder.from_environment()
layout = load_layout(find_layout(None, folder), load_local(folder))
looks = [look for state, look in layout.states.items() if state is not State.EMPTY]
views = [
    KeyView(look.colour, look.ink, look.glyph, look.glyph_ink, f"repo-{n}", f"issue {n} retry")
    for n, look in ((n, looks[n % len(looks)]) for n in range(32))
]
key = MODELS[layout.device].key

def took(faces):
    began = time.process_time()
    for view in views:
        faces.native(view)
    return (time.process_time() - began) * 1000

backend()
faces = Faces(key)
first = took(faces)
# The face of an error is drawn in no time.
assert len({faces.native(view) for view in views}) == len(views)
again = min(took(Faces(key)) for _ in range(3))
print(json.dumps([first, again, took(faces)]))
"""


def test_whole_deck_is_drawn(home: Path, figures: Figures) -> None:
    nothing = Program([sys.executable, "-c", "pass"])
    rows, pass_ms = [], []
    for _ in range(_ROUNDS):
        out = subprocess.run([sys.executable, "-c", _DRAW], check=True, stdout=subprocess.PIPE)
        rows.append(json.loads(out.stdout))
        pass_ms.append(nothing.cpu_s(1) * 1000)
    first, again, warm = (statistics.median(column) for column in zip(*rows, strict=True))
    base = statistics.median(pass_ms)
    for what, spent, budget in (
        ("all 32 faces, cold, the first of a process", first, _COLD),
        ("all 32 faces, cold, templates and font known", again, _COLD),
        ("all 32 faces, warm", warm, _WARM),
    ):
        measured = f"{spent:.1f} ms of CPU ({spent / base:.2f} x `python -c pass`)"
        figures.put(what, measured, budget, spent)
