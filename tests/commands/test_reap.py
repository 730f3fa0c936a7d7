"""`flightdeck reap`: the truth does not depend on a running panel."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flightdeck.cli import main

if TYPE_CHECKING:
    import pytest

    from tests.fold.world import Machine


def test_waiting_events_are_folded(machine: Machine, capsys: pytest.CaptureFixture[str]) -> None:
    machine.starts(machine.agent(), "s")
    assert main(["reap"]) == 0
    assert capsys.readouterr().out == "1 live, 0 without a slot\n"
    assert machine.snapshot()["slots"][0]["state"] == "idle"


def test_slots_of_the_dead_are_freed(machine: Machine, capsys: pytest.CaptureFixture[str]) -> None:
    a, b = machine.agent(), machine.agent()
    machine.starts(a, "a")
    machine.starts(b, "b")
    assert main(["reap"]) == 0
    machine.kill(a)
    assert main(["reap"]) == 0
    assert capsys.readouterr().out.endswith("1 live, 0 without a slot\n")
    assert [row["pid"] for row in machine.snapshot()["slots"][:2]] == [None, b]


def test_torn_record_is_named_on_the_way(
    machine: Machine, capsys: pytest.CaptureFixture[str]
) -> None:
    (machine.folder.sessions / "s-aaaa.json").write_text('{"session_id": "s-aa')
    assert main(["reap"]) == 0
    assert capsys.readouterr().out == "0 live, 0 without a slot\n"
    assert (machine.folder.sessions / "s-aaaa.json").read_text() == '{"session_id": "s-aa'
