"""`kill -9`, or a disk that says no, at any moment of `apply`: nothing is lost, all is healed.

Each case tries every tenth moment, from another one on; `python -m tests.install.killing`
tries them all, for every shape of a home.
"""

from __future__ import annotations

import errno
import os
from typing import TYPE_CHECKING

import pytest

from tests.install.killing import DEEDS, INSTALL, REMOVE, in_a_child, tried
from tests.install.person import Person, but_for_times, changed, snapshot
from tests.install.shapes import SHAPES

if TYPE_CHECKING:
    from pathlib import Path

# What is counted here a child runs that is killed: counting takes as long as all the rest.
pytestmark = pytest.mark.no_cover
HOMES = [
    ("no folder", "systemd"),
    ("link into dotfiles relative", None),
    ("others at each of our events", "launchd"),
    ("two names of one file", None),
]
FAULTS = (errno.ENOSPC, errno.EACCES, errno.EROFS, errno.EXDEV)


@pytest.fixture
def person(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Person:
    return Person(tmp_path / "person", monkeypatch)


@pytest.mark.parametrize("deed", DEEDS)
@pytest.mark.parametrize("which", range(len(HOMES)))
def test_whoever_is_killed_is_healed_by_a_second_run(person: Person, which: int, deed: str) -> None:
    shape, manager = HOMES[which]
    SHAPES[shape](person)
    if manager:
        person.gets_a_manager(manager)
    assert tried(person, deed, every=10, first=2 * which) > 1


@pytest.mark.parametrize(("shape", "first"), [("no folder", 0), ("link into dotfiles relative", 1)])
def test_write_that_fails_is_told_and_leaves_all_as_it_was(
    person: Person, shape: str, first: int
) -> None:
    SHAPES[shape](person)
    codes = []
    for number in range(first, 50, 2):
        before = snapshot(person.path)
        status, said = in_a_child(person, INSTALL, number, FAULTS[number // 2 % 4])
        codes.append(os.waitstatus_to_exitcode(status))
        if codes[-1] == 1:
            assert said.startswith("flightdeck: cannot "), number
            assert changed(before, snapshot(person.path)) == set(), number
        else:
            assert codes[-1] == 0, said
            assert person.types(*REMOVE).code == 0
            # Where the file itself could not be kept, one like it has to do.
            there = but_for_times(snapshot(person.path))
            assert changed(but_for_times(before), there) == set(), number
    assert codes.count(1) > 5
