"""`flightdeck press`: exactly what a thumb does, on the running panel."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from flightdeck.cli import main
from tests.commands.running import Running
from tests.fold.world import until
from tests.requirements import require

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.fold.world import Machine

    Start = Callable[..., Running]


@pytest.fixture
def panel(start: Start) -> Running:
    panel = start().begun()
    until(panel.listens, "a panel that listens")
    return panel


def press(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    code = main(["press", *words])
    out, err = capsys.readouterr()
    return code, out, err


def test_empty_slot_says_why_nothing_happens(
    panel: Running, capsys: pytest.CaptureFixture[str]
) -> None:
    assert press(capsys, "1.1") == (1, "", "flightdeck: no session\n")
    assert panel.process.poll() is None


def test_held_press_of_a_blank_key_says_so(
    panel: Running, capsys: pytest.CaptureFixture[str]
) -> None:
    assert press(capsys, "4.7", "--hold", "0.05") == (1, "", "flightdeck: this key does nothing\n")
    assert panel.process.poll() is None


def test_key_the_deck_does_not_have_is_named(
    panel: Running, capsys: pytest.CaptureFixture[str]
) -> None:
    assert press(capsys, "9.9") == (
        1,
        "",
        "flightdeck: there is no key 9.9\n  hint: the deck has 4 rows of 8 keys\n",
    )
    assert panel.process.poll() is None


def test_window_that_is_gone_is_told_and_its_key_marked(
    panel: Running, machine: Machine, capsys: pytest.CaptureFixture[str]
) -> None:
    require("tmux")
    machine.spool(
        machine.agent(),
        "SessionStart",
        b'{"session_id": "s", "source": "startup"}',
        TMUX=f"{machine.home}/no-such-server,1,0",
        TMUX_PANE="%1",
    )
    panel.shows(1, "idle")
    code, out, err = press(capsys, "1.1")
    assert (code, out) == (1, "")
    assert err.startswith("flightdeck: ")
    until(lambda: "window gone" in panel.names()[1, 1], "a stale key")


def test_run_key_is_started(
    machine: Machine, start: Start, capsys: pytest.CaptureFixture[str]
) -> None:
    path, made = machine.home / "mine.yaml", machine.home / "made"
    path.write_text(
        "device: stream-deck-xl\nrows:\n  - fill: slot\n"
        f"  - keys:\n      1: run /usr/bin/touch {made}\n",
        encoding="utf-8",
    )
    panel = start("--layout", str(path)).begun()
    until(panel.listens, "a panel that listens")
    assert press(capsys, "2.1") == (0, "2.1: started /usr/bin/touch\n", "")
    until(made.exists, "what the key makes")


def test_panel_in_a_very_long_folder_is_reached(
    home: Path,
    machine: Machine,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("FLEET_HOME", str(home / ("d" * 120) / ".fleet"))
    panel = Running(machine)
    try:
        panel.begun()
        until(lambda: press(capsys, "1.1")[2] == "flightdeck: no session\n", "an answer")
        assert panel.end() == 0
    finally:
        panel.stop()


def test_no_panel_is_told(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert press(capsys, "1.1") == (
        1,
        "",
        "flightdeck: no panel is running\n  hint: start one with `flightdeck run`\n",
    )
    assert not (home / ".fleet").exists()


@pytest.mark.parametrize("words", [["1"], ["1.1.1"], ["a.b"], ["-1.1"], ["111.1"], [""], []])
def test_what_is_no_key_is_wrong_usage(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = press(capsys, *words)
    assert (code, out) == (2, "")
    assert "usage: flightdeck press" in err


@pytest.mark.parametrize("hold", ["long", "-1", "61", "nan", "inf"])
def test_what_is_no_time_to_hold_a_key_is_wrong_usage(
    hold: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code, _, err = press(capsys, "1.1", f"--hold={hold}")
    assert code == 2
    assert f"'{hold}' is not 0 to 60 seconds" in err
