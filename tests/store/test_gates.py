"""Gates: one file a session, found by its id and by nothing else."""

from __future__ import annotations

import stat
from typing import TYPE_CHECKING

import pytest

from flightdeck.errors import Refused, Unavailable
from flightdeck.store import gates
from flightdeck.store.paths import StateFolder

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def folder(tmp_path: Path) -> StateFolder:
    return StateFolder(tmp_path / ".fleet")


def test_gate_is_closed_and_opened(folder: StateFolder) -> None:
    assert gates.standing(folder) == frozenset()
    gates.close(folder, "s-1")
    gates.close(folder, "s-1")
    assert gates.standing(folder) == {"s-1"}
    gates.open_(folder, "s-1")
    gates.open_(folder, "s-1")
    assert gates.standing(folder) == frozenset()


def test_gate_says_what_it_is_and_is_private(folder: StateFolder) -> None:
    gates.close(folder, "s-1")
    path = folder.gate / "s-1"
    assert path.read_text(encoding="utf-8") == "GUARDED\n"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(folder.gate.stat().st_mode) == 0o700


@pytest.mark.parametrize("session", ["", ".", "..", "../x", "a/b", "-x", "a b", "a\n", "é"])
def test_id_that_is_no_file_name_has_no_gate(folder: StateFolder, session: str) -> None:
    for deed in (gates.close, gates.open_):
        with pytest.raises(Refused, match="not known yet"):
            deed(folder, session)
    assert not folder.root.exists()


def test_gate_that_cannot_be_closed_or_opened_is_said(folder: StateFolder) -> None:
    folder.root.mkdir()
    folder.gate.touch()
    with pytest.raises(Unavailable):
        gates.close(folder, "s-1")
    folder.gate.unlink()
    (folder.gate / "s-1").mkdir(parents=True)
    gates.close(folder, "s-1")  # a folder of that name is a gate to the hook as well
    with pytest.raises(Unavailable):
        gates.open_(folder, "s-1")


def test_gate_goes_along_with_a_process_that_takes_another_id(folder: StateFolder) -> None:
    gates.close(folder, "s-1")
    gates.follow(folder, "s-1", "s-2")
    assert gates.standing(folder) == {"s-1", "s-2"}


def test_session_without_a_gate_takes_none_along(folder: StateFolder) -> None:
    gates.close(folder, "s-1")
    gates.follow(folder, "s-3", "s-4")
    gates.follow(folder, "s-1", "")
    assert gates.standing(folder) == {"s-1"}
