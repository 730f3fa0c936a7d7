"""`flightdeck focus`: what a press of that key does, from a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flightdeck.cli import main
from flightdeck.hosts.catalogue import Hosts

if TYPE_CHECKING:
    import pytest

    from flightdeck.model.place import Place
    from tests.fold.world import Machine


def in_tmux(machine: Machine) -> None:
    body = b'{"session_id": "s", "source": "startup"}'
    server = f"{machine.home}/no-such-server,1,0"
    machine.spool(machine.agent(), "SessionStart", body, TMUX=server, TMUX_PANE="%7")


def test_window_comes_forward_and_is_named(
    machine: Machine, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    places: list[Place] = []
    monkeypatch.setattr(Hosts, "focus", lambda _, place: places.append(place))
    in_tmux(machine)
    assert main(["focus", "0"]) == 0
    assert capsys.readouterr().out == "slot 0 is in front (tmux)\n"
    assert [place.tmux_pane for place in places] == ["%7"]


def test_window_that_is_gone_is_told(machine: Machine, capsys: pytest.CaptureFixture[str]) -> None:
    in_tmux(machine)
    assert main(["focus", "0"]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("flightdeck: ")


def test_unknown_window_is_told(machine: Machine, capsys: pytest.CaptureFixture[str]) -> None:
    machine.starts(machine.agent(), "s")
    assert main(["focus", "0"]) == 1
    assert "where this session runs is unknown" in capsys.readouterr().err


def test_empty_slot_is_told(machine: Machine, capsys: pytest.CaptureFixture[str]) -> None:
    assert machine.folder.root.is_dir()
    assert main(["focus", "3"]) == 1
    assert "slot 3 is empty" in capsys.readouterr().err
