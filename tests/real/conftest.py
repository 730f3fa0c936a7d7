"""One lab for each kind of test: it plays what they are about, once, and each reads its part."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

import pytest

from tests.real import client
from tests.real.desk_run import DEEDS, ERRANDS, play_deeds
from tests.real.run import SCENARIOS, Outcome, play_all
from tests.requirements import require

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from pathlib import Path

    Player = Callable[[Sequence[str], Path, Path], Outcome]


def _wanted(
    items: Iterable[pytest.Item], fixture: str, mark: str, known: Iterable[str]
) -> list[str]:
    """Return the scenarios the chosen tests are about, or all of them where none is named."""
    named = {
        name
        for item in items
        if isinstance(item, pytest.Function) and fixture in item.fixturenames
        for marker in item.iter_markers(mark)
        for name in marker.args
    }
    return sorted(named or known)


def _played(play: Player, names: Sequence[str], folder: Path) -> Outcome:
    require("claude")
    require("tmux")
    require("namespaces")
    program = client.find()
    assert program
    try:
        return play(names, program, folder)
    except subprocess.SubprocessError as error:
        pytest.fail(
            f"the lab broke, see its own words below: {type(error).__name__}", pytrace=False
        )


@pytest.fixture(scope="session")
def outcome(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Outcome:
    """Play the scenarios of the chosen tests in one lab and return what was found."""
    names = _wanted(request.session.items, "outcome", "scenario", SCENARIOS)
    return _played(play_all, names, tmp_path_factory.mktemp("lab"))


@pytest.fixture(scope="session")
def verdicts(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Outcome:
    """Play the verdicts of the chosen tests on a few desks and return what was found."""
    names = _wanted(request.session.items, "verdicts", "deed", DEEDS)
    return _played(play_deeds, names, tmp_path_factory.mktemp("desks"))


@pytest.fixture(scope="session")
def verbs(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Outcome:
    """Play the verbs of the chosen tests on a few desks and return what was found."""
    names = _wanted(request.session.items, "verbs", "errand", ERRANDS)
    return _played(play_deeds, names, tmp_path_factory.mktemp("errands"))
