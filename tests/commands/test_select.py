"""`flightdeck select`: with or without a panel."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flightdeck.cli import main
from flightdeck.store import selection
from tests.commands.hooked import Agent, printed
from tests.fold.world import until

if TYPE_CHECKING:
    from collections.abc import Callable

    import pytest

    from tests.commands.running import Running
    from tests.fold.world import Machine

    Start = Callable[..., Running]


def test_session_is_selected_without_a_panel_and_the_snapshot_says_so(
    machine: Machine, capsys: pytest.CaptureFixture[str]
) -> None:
    machine.starts(machine.agent(), "a")
    machine.starts(machine.agent(), "b")
    assert main(["select", "1"]) == 0
    assert capsys.readouterr().out == "slot 1 is selected\n"
    rows = machine.snapshot()["slots"]
    assert [row["slot"] for row in rows if row["selected"]] == [1]
    assert selection.read(machine.folder) == rows[1]["key"]


def test_empty_slot_is_told_and_nothing_selected(
    machine: Machine, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["select", "3"]) == 1
    assert "slot 3 is empty" in capsys.readouterr().err
    assert selection.read(machine.folder) == ""


def test_selection_that_cannot_be_written_is_told(
    machine: Machine, capsys: pytest.CaptureFixture[str]
) -> None:
    machine.starts(machine.agent(), "a")
    machine.folder.selected.mkdir()
    assert main(["select", "0"]) == 1
    assert "cannot use the state folder" in capsys.readouterr().err


def test_running_panel_shows_it_and_answers_its_request_first(
    machine: Machine, start: Start, capsys: pytest.CaptureFixture[str]
) -> None:
    panel = start().begun()
    until(panel.listens, "a panel that listens")
    one, other = (Agent(machine, panel, machine.agent()) for _ in range(2))
    first, second = one.asks_and_is_held(), other.asks_and_is_held()
    assert main(["select", "1"]) == 0
    until(lambda: "selected" in panel.names()[1, 2], "a border")
    assert main(["verdict", "approve"]) == 0
    assert printed(second) == {"behavior": "allow"}
    assert first.poll() is None
    assert main(["verdict", "deny"]) == 0
    printed(first)
    assert capsys.readouterr().out.startswith("slot 1 is selected\n")


def test_focus_selects_too_even_a_session_whose_window_is_not_known(
    machine: Machine, capsys: pytest.CaptureFixture[str]
) -> None:
    machine.starts(machine.agent(), "a")
    assert main(["focus", "0"]) == 1
    assert selection.read(machine.folder) != ""
    assert "unknown" in capsys.readouterr().err
