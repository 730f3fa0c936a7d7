"""`compiled/fault`: what is wrong with the files of the panel that runs."""

from __future__ import annotations

import pytest

from flightdeck.store import fault
from flightdeck.store.paths import StateFolder

PROBLEM = "layouts/xl.yaml:3:1: unknown key 'größe'"


@pytest.fixture
def folder() -> StateFolder:
    folder = StateFolder.from_environment()
    folder.create()
    return folder


def test_problem_comes_back_as_it_went(folder: StateFolder) -> None:
    fault.write(folder, PROBLEM)
    assert fault.read(folder) == PROBLEM


def test_none_is_what_there_is_before_and_after(folder: StateFolder) -> None:
    assert fault.read(folder) == ""
    fault.write(folder, PROBLEM)
    for _ in range(2):
        fault.write(folder, "")
        assert fault.read(folder) == ""
    assert list(folder.compiled.iterdir()) == []


def test_name_of_a_file_that_is_no_text_can_be_told(folder: StateFolder) -> None:
    fault.write(folder, "\udcff.yaml: no")
    assert fault.read(folder) == "\\udcff.yaml: no"


def test_whatever_else_lies_there_is_no_problem(folder: StateFolder) -> None:
    (folder.compiled / "fault").mkdir()
    assert fault.read(folder) == ""
