"""Whatever a home looks like: apply, and remove, and it looks like that again."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from flightdeck.install.snippets import is_ours
from tests.install.person import Person, changed, snapshot
from tests.install.refused import OLD_ONES, REFUSED
from tests.install.shapes import CASES, SHAPES, put

if TYPE_CHECKING:
    from pathlib import Path

# Whole commands, dozens of times: their lines are counted where each has a test of its own.
pytestmark = pytest.mark.no_cover


@pytest.fixture
def person(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Person:
    return Person(tmp_path / "person", monkeypatch)


def foreign(person: Person) -> object:
    """Return all that the settings say but for our commands, in order; no file says nothing."""
    file = next(person.path.glob("**/settings.json"), person.file)
    text = file.read_text(encoding="utf-8-sig") if file.exists() else ""
    found = json.loads(text.strip() or "{}")
    hooks = found.pop("hooks", None) or {}
    kept = {e: [group for group in groups if not _only_ours(group)] for e, groups in hooks.items()}
    return [*found.items(), *((event, groups) for event, groups in kept.items() if groups)]


def _only_ours(group: object) -> bool:
    hooks = group.get("hooks", ()) if isinstance(group, dict) else ()
    return bool(hooks) and all(isinstance(h, dict) and is_ours(h.get("command")) for h in hooks)


@pytest.mark.parametrize(("shape", "manager"), CASES)
def test_home_is_as_it_was_after_apply_and_remove(
    person: Person, shape: str, manager: str | None
) -> None:
    SHAPES[shape](person)
    if manager:
        person.gets_a_manager(manager)
    before, said = snapshot(person.path), foreign(person)
    assert person.types("apply", "--yes", "--panel").code == 0
    assert foreign(person) == said
    applied = snapshot(person.path)
    assert person.types("apply", "--plan").code == 0
    assert person.types("apply", "--yes").code == 0
    assert {n for n in changed(applied, snapshot(person.path)) if "/compiled/" not in n} == set()
    assert person.types("apply", "--remove", "--yes").code == 0
    assert changed(before, snapshot(person.path)) == set()


@pytest.mark.parametrize("shape", REFUSED)
def test_file_nobody_could_write_into_safely_is_left_alone(person: Person, shape: str) -> None:
    REFUSED[shape](person)
    before = snapshot(person.path)
    done = person.types("apply", "--yes")
    assert (done.code, done.out) == (1, "")
    assert str(person.config) in done.err
    assert changed(before, snapshot(person.path)) == set()


@pytest.mark.parametrize("old", OLD_ONES)
def test_what_an_older_flightdeck_left_goes_with_the_rest(person: Person, old: str) -> None:
    before, without = OLD_ONES[old]
    put(person, before)
    assert person.types("apply", "--yes").code == 0
    assert person.types("apply", "--plan").code == 0
    assert person.types("apply", "--remove", "--yes").code == 0
    assert person.text() == without
