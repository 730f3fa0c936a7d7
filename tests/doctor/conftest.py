"""The desk every test of a visit begins with: furnished once, and set up anew for each."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from tests.doctor.desk import Desk
from tests.fold.world import Machine

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture(scope="session")
def furnished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with everything in it, `home`; beside it what to copy it from."""
    home = tmp_path_factory.mktemp("desk") / "home"
    with pytest.MonkeyPatch.context() as patch:
        Desk(Machine(home), patch).furnish()
    home.rename(home.with_name("kept"))
    return home


@pytest.fixture
def desk(furnished: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Desk]:
    """A desk where all is well, but that no panel runs."""
    shutil.rmtree(furnished, ignore_errors=True)
    shutil.copytree(furnished.with_name("kept"), furnished, symlinks=True)
    machine = Machine(furnished)
    machine.folder.reaped.touch()  # the timer has just run, however long the tests take
    yield Desk(machine, monkeypatch)
    machine.end()
