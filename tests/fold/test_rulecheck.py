"""What is wrong with risk files, each read where it lies: risk/README.md, "Where rules lie"."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from flightdeck import shipped
from flightdeck.fold.rulecheck import is_risk_file, problems_of
from tests.risk.tables import rule

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def ours(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the shipped rules, with a class in it."""
    place = tmp_path / "shipped" / "risk"
    place.mkdir(parents=True)
    (place / "a.yaml").write_text("targets:\n  mine: /a\n", encoding="utf-8")
    monkeypatch.setattr(shipped, "folder", lambda name: tmp_path / "shipped" / name)
    return place


def using(path: Path, name: str) -> Path:
    """Write a file whose rule leans on a class."""
    path.parent.mkdir(exist_ok=True)
    fields = rule(f"program: x\noperands: <{name}>").replace("- x", "- x /a")
    path.write_text(f"rules:\n{fields}", encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("risk/a.yaml", "", True),
        ("a.yaml", "# mine\nrules:\n", True),
        ("a.yaml", "targets:\n", True),
        ("a.yaml", "device: x\n", False),
        ("a.yaml", "x:\n  rules:\n", False),
        ("risk/README.md", "rules:\n", False),
    ],
)
def test_risk_file_is_known_by_its_folder_or_its_sections(
    tmp_path: Path, name: str, text: str, expected: bool
) -> None:
    path = tmp_path / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, encoding="utf-8")
    assert is_risk_file(path) is expected


def test_file_that_is_not_there_is_no_risk_file(tmp_path: Path) -> None:
    assert not is_risk_file(tmp_path / "a.yaml")


def test_shipped_file_is_read_over_those_before_it(ours: Path) -> None:
    assert problems_of([using(ours / "b.yaml", "mine")]) == {ours / "b.yaml": ()}


def test_own_file_is_read_over_the_shipped_and_those_before_it(ours: Path, tmp_path: Path) -> None:
    place = tmp_path / "risk"
    place.mkdir()
    (place / "a.yaml").write_text("targets:\n  yours: <mine>\n", encoding="utf-8")
    (place / "z.yaml").write_text("{", encoding="utf-8")
    assert problems_of([using(place / "b.yaml", "yours")]) == {place / "b.yaml": ()}


def test_file_elsewhere_is_read_over_the_shipped_alone(ours: Path, tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text("targets:\n  yours: /a\n", encoding="utf-8")
    good, bad = using(tmp_path / "b.yaml", "mine"), using(tmp_path / "c.yaml", "yours")
    found = problems_of([good, bad])
    assert found[good] == ()
    assert [p.message for p in found[bad]] == ["no class of paths is called 'yours'"]


def test_problems_name_a_file_as_it_was_named(
    ours: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    using(tmp_path / "risk" / "b.yaml", "none")
    monkeypatch.chdir(tmp_path)
    path = shipped.folder("x").parent.parent.joinpath("risk/b.yaml").relative_to(tmp_path)
    ((named, problems),) = problems_of([path]).items()
    assert str(named) == "risk/b.yaml"
    assert {p.location.file for p in problems} == {"risk/b.yaml"}


def test_example_that_fails_is_a_problem(ours: Path) -> None:
    path = ours / "b.yaml"
    path.write_text(f"rules:\n{rule('program: rm')}", encoding="utf-8")
    ((problem,),) = problems_of([path]).values()
    assert problem.message == "'it' does not match this: medium, no rule knows this program"


def test_no_file_has_no_problem(ours: Path) -> None:
    assert problems_of([]) == {}
