"""Installed with one state folder, and then with another, or removed with none named."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from flightdeck.install import service_record
from flightdeck.install.service_record import ServiceRecord
from flightdeck.store.paths import StateFolder
from tests.install.person import Person, changed, snapshot
from tests.install.shapes import SHAPES, put

if TYPE_CHECKING:
    from pathlib import Path

NULL = '{"hooks": null}'


@pytest.fixture
def person(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Person:
    return Person(tmp_path / "person", monkeypatch)


@pytest.mark.parametrize("manager", ["systemd", "launchd"])
@pytest.mark.parametrize("shape", ["no folder", "hooks null", "two names of one file"])
def test_remove_finds_the_state_folder_the_hooks_name(
    person: Person, shape: str, manager: str
) -> None:
    SHAPES[shape](person)
    person.gets_a_manager(manager)
    before = snapshot(person.path)
    person.export(FLEET_HOME=str(person.path / "deep" / "fleet"))
    assert person.types("apply", "--yes").code == 0
    person.export(FLEET_HOME="")
    assert person.types("apply", "--remove", "--yes").code == 0
    assert changed(before, snapshot(person.path)) == set()


@pytest.mark.parametrize("services", [(), ("--no-services",)])
@pytest.mark.parametrize("shape", ["no folder", "hooks null", "two names of one file"])
def test_what_was_there_first_is_known_after_the_state_folder_moved(
    person: Person, shape: str, services: tuple[str, ...]
) -> None:
    SHAPES[shape](person)
    person.gets_a_manager("systemd")
    before = snapshot(person.path)
    person.export(FLEET_HOME=str(person.path / "first" / "fleet"))
    assert person.types("apply", "--yes").code == 0
    person.export(FLEET_HOME=str(person.path / "second" / "fleet"))
    assert person.types("apply", "--yes", *services).code == 0
    assert not (person.path / "first").exists()
    assert person.types("apply", "--plan").code == (1 if services else 0)
    assert person.types("apply", "--remove", "--yes").code == 0
    assert changed(before, snapshot(person.path)) == set()


def test_state_folder_two_agents_share_is_left_when_the_last_has_moved(person: Person) -> None:
    person.types("apply", "--yes")
    other = person.path / "other"
    person.export(CLAUDE_CONFIG_DIR=str(other))
    person.types("apply", "--yes")
    person.export(FLEET_HOME=str(person.path / "fleet"))
    person.types("apply", "--yes")
    assert person.state.root.exists()
    person.export(CLAUDE_CONFIG_DIR="")
    person.types("apply", "--yes")
    assert not person.state.root.exists()
    assert person.types("apply", "--remove", "--yes").code == 0
    assert person.tree() == {"bin", "bin/claude", "bin/flightdeck"}


def test_what_is_left_of_the_state_folder_is_told(person: Person) -> None:
    put(person)
    person.types("apply", "--yes")
    person.state.journal.write_text("{}\n")
    done = person.types("apply", "--remove", "--yes")
    assert f"note: left in {person.state.root}: events.jsonl;" in done.err
    assert done.code == 0


def test_remove_after_one_that_was_killed_clears_what_is_left(person: Person) -> None:
    before = snapshot(person.path)
    person.types("apply", "--yes")
    person.file.unlink()
    assert person.types("apply", "--remove", "--yes").code == 0
    assert changed(before, snapshot(person.path)) == set()


def test_services_known_in_two_state_folders_are_known_in_the_last(person: Person) -> None:
    person.gets_a_manager("systemd")
    before = snapshot(person.path)
    for name in ("first", "second"):
        person.export(FLEET_HOME=str(person.path / name))
        assert person.types("apply", "--yes").code == 0
    first = StateFolder(person.path / "first")
    service_record.save(first, ServiceRecord("/none"))
    service_record.take_over(StateFolder(person.path / "second"), first)
    assert service_record.load(first) is None
    first.root.rmdir()
    assert person.types("apply", "--remove", "--yes").code == 0
    assert changed(before, snapshot(person.path)) == set()
