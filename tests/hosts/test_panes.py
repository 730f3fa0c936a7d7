"""WezTerm, kitty and Zellij are told which pane to show."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from flightdeck.errors import Unavailable
from flightdeck.hosts.panes import Kitty, Wezterm, Zellij
from flightdeck.model.place import Place
from flightdeck.system.run import run

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Program = Callable[..., Path]

WEZTERM = Place("wezterm", window="7", program="WezTerm")
KITTY = Place("kitty", window="4", server="unix:/tmp/kitty-1", program="kitty")
ZELLIJ = Place("zellij", window="3", server="brave fox")


def test_wezterm_activates_the_pane(program: Program) -> None:
    log, opened = program("wezterm"), program("open")
    Wezterm(run, "linux").focus(WEZTERM)
    assert log.read_text(encoding="utf-8") == "[cli][activate-pane][--pane-id][7]\n"
    assert not opened.exists()


def test_wezterm_comes_forward_on_macos(program: Program) -> None:
    program("wezterm")
    opened = program("open")
    Wezterm(run, "darwin").focus(WEZTERM)
    assert opened.read_text(encoding="utf-8") == "[-a][WezTerm]\n"


def test_wezterm_pane_that_was_closed_is_gone(program: Program) -> None:
    program("wezterm", complains="ERROR wezterm > pane 7 not found; terminating", code=1)
    with pytest.raises(Unavailable, match=r"^pane is gone$"):
        Wezterm(run, "linux").focus(WEZTERM)


def test_kitty_focuses_the_window_by_its_id(program: Program) -> None:
    log = program("kitten")
    Kitty(run).focus(KITTY)
    expected = "[@][--to][unix:/tmp/kitty-1][focus-window][--match][id:4]\n"
    assert log.read_text(encoding="utf-8") == expected


def test_kitty_that_does_not_listen_is_told_how_to(program: Program) -> None:
    log = program("kitten")
    with pytest.raises(Unavailable, match="kitty takes no commands from outside") as no:
        Kitty(run).focus(Place("kitty", window="4"))
    assert "listen_on" in no.value.hint
    assert not log.exists()


def test_kitty_window_that_was_closed_is_gone(program: Program) -> None:
    program("kitten", complains="Error: No matching windows for expression: id:4", code=1)
    with pytest.raises(Unavailable, match=r"^pane is gone$"):
        Kitty(run).focus(KITTY)


@pytest.mark.parametrize(
    ("complaint", "told"),
    [
        ("first\nconnection refused\n", r"^kitty refused: connection refused$"),
        ("", "kitty refused"),
    ],
)
def test_last_line_a_program_says_is_passed_on(program: Program, complaint: str, told: str) -> None:
    program("kitten", complains=complaint, code=1)
    with pytest.raises(Unavailable, match=told):
        Kitty(run).focus(KITTY)


def test_zellij_focuses_the_pane_of_the_session(program: Program) -> None:
    log = program("zellij")
    Zellij(run).focus(ZELLIJ)
    expected = "[--session][brave fox][action][focus-pane-id][terminal_3]\n"
    assert log.read_text(encoding="utf-8") == expected


@pytest.mark.parametrize(
    "complaint",
    ["error: unrecognized subcommand", "error: Found argument focus-pane-id wasn t expected"],
)
def test_zellij_too_old_for_it_says_which_one_can(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, complaint: str
) -> None:
    script = tmp_path / "zellij"
    words = complaint.replace("focus-pane-id wasn t", "'focus-pane-id' which wasn't")
    script.write_text(f'#!/bin/sh\necho "{words}" >&2\nexit 2\n', encoding="utf-8")
    script.chmod(0o755)
    monkeypatch.setenv("FLIGHTDECK_ZELLIJ", str(script))
    with pytest.raises(Unavailable, match="cannot be told which pane") as no:
        Zellij(run).focus(ZELLIJ)
    assert no.value.hint == "Zellij 0.44 or newer can"


def test_zellij_session_that_ended_is_told(program: Program) -> None:
    program("zellij", complains="There is no active session!", code=1)
    with pytest.raises(Unavailable, match="Zellij refused: There is no active session!"):
        Zellij(run).focus(ZELLIJ)


def test_zellij_session_without_a_name_cannot_be_reached() -> None:
    with pytest.raises(Unavailable, match="no known name"):
        Zellij(run).focus(Place("zellij", window="3"))
