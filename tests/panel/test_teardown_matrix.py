"""Exactly the worktrees that are proven to hold nothing unique are removed; all others stay."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from flightdeck.panel.teardown import tear_down
from tests.panel.agents import Agents
from tests.system.repositories import a_place, everything
from tests.system.worktree_cases import REFUSED, REMOVED, Case

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.system.repositories import Place

# Whole teardowns, a hundred times: their lines are counted where each has a test of its own.
pytestmark = pytest.mark.no_cover


@pytest.fixture
def agents() -> Iterator[Agents]:
    agents = Agents()
    yield agents
    agents.end()


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Place:
    place = a_place(tmp_path / "x")
    place.settle(monkeypatch)
    return place


def prepare(case: Case, place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    place.sh(case.script)
    for name, value in case.environment.items():
        monkeypatch.setenv(name, value.replace("$X", str(place.root)))


@pytest.mark.parametrize("case", REMOVED, ids=str)
def test_worktree_that_holds_nothing_unique_is_removed(
    case: Case, place: Place, agents: Agents, monkeypatch: pytest.MonkeyPatch
) -> None:
    prepare(case, place, monkeypatch)
    top = place.root / case.cwd.split("/")[0].replace("way", "wt")
    branch = place.git("rev-parse", "HEAD", where=str(top))
    outcome = tear_down(agents.subject(place.root / case.cwd))
    assert outcome.reason.startswith(f"{top} is removed, branch ")
    assert outcome.removed
    assert outcome.agent_ended
    assert not os.path.lexists(top)
    assert branch in everywhere(place)


@pytest.mark.parametrize("case", REFUSED, ids=str)
def test_worktree_that_may_hold_something_unique_stays_as_it_is(
    case: Case, place: Place, agents: Agents, monkeypatch: pytest.MonkeyPatch
) -> None:
    prepare(case, place, monkeypatch)
    before = everything(place.root)
    subject = agents.subject(place.root / case.cwd)
    outcome = tear_down(subject)
    assert (outcome.check, outcome.removed, outcome.agent_ended) == (case.check, False, False)
    assert case.named in outcome.reason
    assert agents.alive(subject)
    assert everything(place.root) == before


def everywhere(place: Place) -> str:
    """Return the commits of every branch of every repository of the place."""
    repositories = [path.parent for path in place.root.glob("*/HEAD")]
    repositories += [path.parent.parent for path in place.root.glob("*/.git/HEAD")]
    refs = (place.git("for-each-ref", "refs/heads", where=str(path)) for path in repositories)
    return "\n".join(refs)
