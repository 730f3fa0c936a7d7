"""How many events a second are folded, and what more sessions add to a pass.

Source: README.md, "Figures".
"""

from __future__ import annotations

import statistics
import time
from typing import TYPE_CHECKING

import pytest

from flightdeck.fold.opening import open_fold
from flightdeck.model.plan import PanelPlan
from tests.bench.agents import agents_in
from tests.bench.figures import Budget

if TYPE_CHECKING:
    from pathlib import Path

    from flightdeck.fold.folding import Fold
    from tests.bench.agents import Agents
    from tests.bench.figures import Figures

pytestmark = [pytest.mark.bench, pytest.mark.timeout(600)]

_NOBODY = {"running": False, "pid": None, "deck": None, "problem": None}
_EVENTS = 3000
_FEW, _MANY = 8, 200
_ROUNDS = 3
_STEPS = 40
_RATE = Budget("≥ 3,000 events/s", least=3000)
_LINEAR = Budget("linear: ≤ 1.5 x", most=1.5)
_FLAT = Budget("flat: ≤ 1.5 x", most=1.5)


def _step(fold: Fold) -> float:
    """Fold what there is and return the seconds it took."""
    began = time.perf_counter()
    fold.step(time.time(), _NOBODY)
    return time.perf_counter() - began


def _each(agents: Agents, fold: Fold, events: int) -> float:
    """Fold so many events at once; return the seconds an event took, of the quietest round."""
    took = []
    for _ in range(_ROUNDS):
        agents.spool(events)
        took.append(_step(fold))
    return min(took) / events


def _small(agents: Agents, fold: Fold, events: int) -> float:
    """Return the median milliseconds of a pass that finds `events`."""
    took = []
    for _ in range(_STEPS):
        agents.spool(events)
        took.append(_step(fold))
    return statistics.median(took) * 1000


def _fold(agents: Agents, sessions: int) -> Fold:
    """Return a fold that knows so many sessions, each with the client's own record."""
    for agent in agents.begin(sessions):
        agents.record(agent, "busy")
    fold = open_fold(agents.folder, PanelPlan(tuple(range(8))))
    agents.spool(sessions)
    _step(fold)
    assert len(fold.sessions()) == sessions
    return fold


def test_events_are_folded_in_time(home: Path, figures: Figures) -> None:
    with agents_in(home / "few") as few, agents_in(home / "many") as many:
        little, large = _fold(few, _FEW), _fold(many, _MANY)
        third, whole = _each(few, little, _EVENTS // 3), _each(few, little, _EVENTS)
        crowd = _each(many, large, _EVENTS)
    for sessions, each in ((_FEW, whole), (_MANY, crowd)):
        what = f"fold of {_EVENTS:,} events, {sessions} sessions"
        figures.put(what, f"{1 / each:,.0f} events/s", _RATE, 1 / each)
    grows = whole / third
    figures.put("an event among 3,000 beside one among 1,000", f"{grows:.2f} x", _LINEAR, grows)
    spread = crowd / whole
    figures.put("an event with 200 sessions beside one with 8", f"{spread:.2f} x", _FLAT, spread)


@pytest.mark.parametrize("events", [0, 1])
def test_small_pass_with_many_sessions(events: int, home: Path, figures: Figures) -> None:
    with agents_in(home / "few") as few, agents_in(home / "many") as many:
        little, large = _fold(few, _FEW), _fold(many, _MANY)
        alone, crowd = _small(few, little, events), _small(many, large, events)
    what = f"pass that finds {events or 'nothing'}{' event' if events else ''}"
    measured = f"{alone:.2f} ms; {crowd:.2f} ms ({crowd / alone:.1f} x)"
    figures.put(f"{what}, with 8 and with 200 sessions", measured)
