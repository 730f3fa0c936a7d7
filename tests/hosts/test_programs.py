"""Programs are found where a bare PATH does not lead, or where they are named."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flightdeck.hosts import programs
from flightdeck.hosts.programs import find, installed

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


def tool(folder: Path) -> str:
    """Put a program called `tool` into the folder and return its path."""
    folder.mkdir(exist_ok=True)
    path = folder / "tool"
    path.write_text("#!/bin/sh\n", encoding="utf-8")
    path.chmod(0o755)
    return str(path)


def test_named_program_wins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tool(tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("FLIGHTDECK_TOOL", "/somewhere/else")
    assert find("tool") == "/somewhere/else"


def test_dash_in_a_name_is_an_underscore_in_its_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FLIGHTDECK_GTK_LAUNCH", "/x")
    assert find("gtk-launch") == "/x"


def test_path_wins_over_the_places_beside_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = tool(tmp_path / "a"), tool(tmp_path / "b")
    monkeypatch.setenv("PATH", str(tmp_path / "a"))
    monkeypatch.setattr(programs, "_BESIDE_PATH", (str(tmp_path / "b"),))
    assert find("tool") == first != second


def test_program_beside_the_path_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    beside = tool(tmp_path / "b")
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.setattr(programs, "_BESIDE_PATH", (str(tmp_path / "b"),))
    assert installed("tool") == beside


def test_missing_program_keeps_its_bare_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    assert (find("no-such-tool"), installed("no-such-tool")) == ("no-such-tool", "")
