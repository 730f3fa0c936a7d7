"""One lab for all of these tests: it plays what they are about, once, and each reads its part."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

import pytest

from tests.real import client
from tests.real.run import SCENARIOS, Outcome, play_all
from tests.requirements import require

if TYPE_CHECKING:
    from collections.abc import Iterable


def _wanted(items: Iterable[pytest.Item]) -> list[str]:
    """Return the scenarios the chosen tests are about, or all of them where none is named."""
    named = {
        name
        for item in items
        if isinstance(item, pytest.Function) and "outcome" in item.fixturenames
        for marker in item.iter_markers("scenario")
        for name in marker.args
    }
    return sorted(named or SCENARIOS)


@pytest.fixture(scope="session")
def outcome(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Outcome:
    """Play the scenarios of the chosen tests in one lab and return what was found."""
    require("claude")
    require("tmux")
    require("namespaces")
    program = client.find()
    assert program
    names, folder = _wanted(request.session.items), tmp_path_factory.mktemp("lab")
    try:
        return play_all(names, program, folder)
    except subprocess.SubprocessError as error:
        pytest.fail(
            f"the lab broke, see its own words below: {type(error).__name__}", pytrace=False
        )
