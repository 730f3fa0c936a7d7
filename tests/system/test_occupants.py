"""Who stands in a folder: real processes, by /proc and by lsof."""

from __future__ import annotations

import os
import shutil
import subprocess
from typing import TYPE_CHECKING

import pytest

from flightdeck.errors import Unavailable
from flightdeck.system import occupants as occupants_module
from flightdeck.system.occupants import Occupant, ancestors, by_lsof, inside, occupants
from flightdeck.system.run import Completed, run
from tests.fold.world import until

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

HAS_LSOF = shutil.which("lsof") is not None
ODD = ["plain", "a b", "a\nb", "ünï-木", "back\\slash", "t\tab"]


class Told:
    """A program that answers as it was told to."""

    def __init__(self, out: str, code: int = 0) -> None:
        self.done = Completed(code, out, "")

    def __call__(
        self, argv: Sequence[str], *, timeout_s: float, stdin: str = "", cwd: str | None = None
    ) -> Completed:
        return self.done


class Late(Told):
    """A program that gives no answer in time."""

    def __call__(
        self, argv: Sequence[str], *, timeout_s: float, stdin: str = "", cwd: str | None = None
    ) -> Completed:
        raise Unavailable("late")


@pytest.fixture
def stand(tmp_path: Path) -> Iterator[Callable[[Path], subprocess.Popen[bytes]]]:
    """Start a process that stands in a folder, made if need be."""
    started: list[subprocess.Popen[bytes]] = []

    def one(folder: Path) -> subprocess.Popen[bytes]:
        folder.mkdir(parents=True, exist_ok=True)
        started.append(subprocess.Popen(["/bin/sleep", "600"], cwd=folder))
        return started[-1]

    yield one
    for child in started:
        child.kill()
        child.wait()


@pytest.mark.parametrize("name", ODD)
def test_process_in_a_folder_or_below_stands_there(
    name: str, tmp_path: Path, stand: Callable[[Path], subprocess.Popen[bytes]]
) -> None:
    here, below = stand(tmp_path / name), stand(tmp_path / name / "below")
    stand(tmp_path / f"{name}2")
    found = occupants(str(tmp_path / name))
    assert {o.pid for o in found} == {here.pid, below.pid}
    assert all(o.ancestors[0] == os.getpid() for o in found)


@pytest.mark.skipif(not HAS_LSOF, reason="lsof is not installed")
@pytest.mark.parametrize("name", ODD)
def test_lsof_tells_the_same(
    name: str, tmp_path: Path, stand: Callable[[Path], subprocess.Popen[bytes]]
) -> None:
    here, below = stand(tmp_path / name), stand(tmp_path / name / "below")
    stand(tmp_path / f"{name}2")
    found = by_lsof(str(tmp_path / name), run)
    assert {(o.pid, o.name) for o in found} == {(here.pid, "sleep"), (below.pid, "sleep")}
    assert all(os.getpid() in o.ancestors for o in found)


def test_occupant_is_told_by_name_and_pid(
    tmp_path: Path, stand: Callable[[Path], subprocess.Popen[bytes]]
) -> None:
    child = stand(tmp_path / "a")
    until(lambda: str(occupants(str(tmp_path / "a"))[0]) == f"sleep ({child.pid})", "its name")


def test_process_in_a_folder_that_is_deleted_still_stands_there(
    tmp_path: Path, stand: Callable[[Path], subprocess.Popen[bytes]]
) -> None:
    child = stand(tmp_path / "a" / "gone")
    (tmp_path / "a" / "gone").rmdir()
    assert [o.pid for o in occupants(str(tmp_path / "a"))] == [child.pid]


def test_folder_nobody_stands_in_is_empty(tmp_path: Path) -> None:
    assert occupants(str(tmp_path)) == []


def test_without_proc_lsof_is_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(occupants_module, "_PROC", tmp_path)
    told = Told("p7\ncsh\nR3\nfcwd\nn/w/a\np3\ncclaude\nR1\nfcwd\nn/\npx\nfcwd\nn/w\np9\nn/w\n")
    assert occupants("/w", told) == [Occupant(7, "sh", (3, 1)), Occupant(9, "", ())]


@pytest.mark.parametrize("told", [Told(""), Told("rubbish\n"), Told("p1\nn/\n", code=2)])
def test_lsof_without_an_answer_proves_nothing(told: Told) -> None:
    with pytest.raises(Unavailable):
        by_lsof("/w", told)


def test_lsof_may_complain_of_what_it_cannot_see() -> None:
    assert by_lsof("/w", Told("p7\nn/w\n", code=1)) == [Occupant(7, "")]


@pytest.mark.parametrize(("path", "expected"), [("/w", True), ("/w/a", True), ("/w2", False)])
def test_inside_is_a_matter_of_whole_names(path: str, expected: bool) -> None:
    assert inside(path, "/w") is expected


def test_everything_is_inside_the_root_folder() -> None:
    assert inside("/w", "/")


def test_ancestors_of_a_process_begin_with_its_parent(
    tmp_path: Path, stand: Callable[[Path], subprocess.Popen[bytes]]
) -> None:
    child = stand(tmp_path)
    assert ancestors(child.pid)[:2] == (os.getpid(), os.getppid())


def test_ancestors_without_proc_come_from_ps(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = ancestors(os.getpid())
    monkeypatch.setattr(occupants_module, "_PROC", tmp_path)
    assert ancestors(os.getpid())[: len(expected)] == expected
    assert ancestors(5, Told(" 5 4\n4 3\nodd\n")) == (4, 3)
    assert ancestors(os.getpid(), Late("")) == (os.getppid(),)
    assert ancestors(5, Late("")) == ()


def test_ring_of_parents_ends() -> None:
    table = "p5\nR6\nn/w\np6\nR5\nn/\n"
    assert by_lsof("/w", Told(table)) == [Occupant(5, "", (6, 5))]


@pytest.mark.parametrize(("broken", "expected"), [(1, (6, 4)), (99, ())])
def test_parent_that_ends_during_the_climb_is_climbed_past(
    broken: int, expected: tuple[int, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []

    def told(pid: int) -> tuple[str, int] | None:
        asked.append(pid)
        if pid == 6 and asked.count(6) <= 2 * broken:
            return None
        return {7: ("sh", 6), 6: ("claude", 4), 4: ("init", 0)}[pid]

    monkeypatch.setattr(occupants_module, "_told", told)
    assert occupants_module._occupant(7) == Occupant(7, "sh", expected)


def test_process_that_ends_during_the_look_stands_nowhere(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(occupants_module, "_told", lambda _: None)
    assert occupants_module._occupant(7) is None
