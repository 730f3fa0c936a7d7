"""What a command costs before it has done anything: the interpreter, the imports, the layout.

Source: README.md, "Figures".
"""

from __future__ import annotations

import statistics
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from tests.bench.agents import agents_in
from tests.bench.figures import Budget
from tests.bench.measure import Program, compare

if TYPE_CHECKING:
    from pathlib import Path

    from tests.bench.figures import Figures

pytestmark = [pytest.mark.bench, pytest.mark.timeout(600)]

_NOTHING = Program([sys.executable, "-c", "pass"])
_STATUS = Budget("≤ 12 x", most=12)
_ROUNDS = 9

# The first load pays for importing strictyaml, as `run` does; the second is the reading alone.
_LOAD = """
import time
from flightdeck.config.layouts import find_layout, load_layout
from flightdeck.config.local import load_local
from flightdeck.store.paths import StateFolder

folder = StateFolder.from_environment()
for _ in range(2):
    began = time.process_time()
    load_layout(find_layout(None, folder), load_local(folder))
    print((time.process_time() - began) * 1000)
"""


def test_layout_is_loaded(home: Path, figures: Figures) -> None:
    took, base = [], []
    for _ in range(_ROUNDS):
        argv = [sys.executable, "-c", _LOAD]
        out = subprocess.run(argv, check=True, stdout=subprocess.PIPE, text=True).stdout
        took.append([float(line) for line in out.split()])
        base.append(_NOTHING.cpu_s(1) * 1000)
    first, again = (statistics.median(column) for column in zip(*took, strict=True))
    times = first / statistics.median(base)
    measured = f"{first:.0f} ms of CPU ({times:.1f} x `python -c pass`); again {again:.0f} ms"
    figures.put("shipped layout read by strictyaml, the first time", measured)


def test_status_beside_an_empty_python(home: Path, figures: Figures) -> None:
    with agents_in(home) as agents:
        for agent in agents.begin(8):
            agents.record(agent, "busy")
            agents.fire(agent, "SessionStart", source="startup")
        status = Program([sys.executable, "-m", "flightdeck", "status", "--json"])
        status.cpu_s(1)
        found = compare(status, _NOTHING, rounds=_ROUNDS, runs=2, after=lambda: None)
    what = "`flightdeck status --json`, eight sessions, CPU beside `python -c pass`"
    figures.put(what, str(found), _STATUS, found.times)
