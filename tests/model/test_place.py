"""What the names a hook recorded say about where its session runs."""

from __future__ import annotations

import pytest

from flightdeck.model.place import Place, iterm_uuid, place_from

UUID = "6D5F8A6E-0000-4000-8000-00000000000A"
ITERM = {"TERM_PROGRAM": "iTerm.app", "ITERM_SESSION_ID": f"w1t2p0:{UUID}"}
TMUX = {"TMUX": "/tmp/tmux-501/default,4242,0", "TMUX_PANE": "%12"}
ZELLIJ = {"ZELLIJ_PANE_ID": "3", "ZELLIJ_SESSION_NAME": "brave fox"}


def test_inside_tmux_the_place_is_the_pane_and_keeps_nothing_of_the_terminal() -> None:
    found = place_from(TMUX | ITERM | {"KITTY_WINDOW_ID": "2", "WEZTERM_PANE": "9"})
    assert found == Place("tmux", tmux_socket="/tmp/tmux-501/default", tmux_pane="%12")


def test_socket_path_may_hold_commas_and_spaces() -> None:
    found = place_from({"TMUX": "/tmp/a, b/s,1,2", "TMUX_PANE": "%0"})
    assert found.tmux_socket == "/tmp/a, b/s"


@pytest.mark.parametrize(
    "names",
    [
        {"TMUX": "/tmp/s,1,0"},
        {"TMUX": "/tmp/s,1,0", "TMUX_PANE": "12"},
        {"TMUX": "/tmp/s,1,0", "TMUX_PANE": "%1;kill-server"},
        {"TMUX": "/tmp/s,1,0", "TMUX_PANE": "%1\n"},
        {"TMUX": "/tmp/s", "TMUX_PANE": "%1"},
        {"TMUX": "tmp/s,1,0", "TMUX_PANE": "%1"},
        {"TMUX": "/tmp/\x1b[2J,1,0", "TMUX_PANE": "%1"},
    ],
)
def test_odd_tmux_names_are_unknown_rather_than_the_stale_terminal(names: dict[str, str]) -> None:
    assert place_from(names | ITERM) == Place()


def test_pane_without_a_tmux_server_is_left_over_and_ignored() -> None:
    assert place_from({"TMUX_PANE": "%3"} | ITERM).kind == "iterm2"


def test_tmux_wins_over_zellij() -> None:
    assert place_from(TMUX | ZELLIJ).kind == "tmux"


def test_zellij_wins_over_the_terminal_around_it() -> None:
    assert place_from(ZELLIJ | ITERM) == Place("zellij", window="3", server="brave fox")


@pytest.mark.parametrize(
    "names",
    [
        {"ZELLIJ_PANE_ID": "three"},
        {"ZELLIJ_PANE_ID": "3", "ZELLIJ_SESSION_NAME": "--help"},
        {"ZELLIJ_PANE_ID": "3", "ZELLIJ_SESSION_NAME": "a\nb"},
    ],
)
def test_odd_zellij_names_are_unknown(names: dict[str, str]) -> None:
    assert place_from(names | ITERM) == Place()


def test_zellij_without_a_session_name_still_is_zellij() -> None:
    assert place_from({"ZELLIJ_PANE_ID": "3"}) == Place("zellij", window="3")


@pytest.mark.parametrize(
    ("names", "place"),
    [
        (ITERM, Place("iterm2", window=UUID, program="iTerm.app")),
        (
            {"TERM_PROGRAM": "WezTerm", "WEZTERM_PANE": "7"},
            Place("wezterm", window="7", program="WezTerm"),
        ),
        (
            {"KITTY_WINDOW_ID": "4", "KITTY_LISTEN_ON": "unix:/tmp/kitty-1"},
            Place("kitty", window="4", server="unix:/tmp/kitty-1", program="kitty"),
        ),
        ({"KITTY_WINDOW_ID": "4"}, Place("kitty", window="4", program="kitty")),
        ({"TERM_PROGRAM": "vscode"}, Place("app", program="vscode")),
        ({"TERM_PROGRAM": "iTerm.app"}, Place("app", program="iTerm.app")),
        (
            {"ITERM_SESSION_ID": f"w0t0p0:{UUID}"},
            Place("iterm2", window=UUID, program="iTerm.app"),
        ),
        ({}, Place()),
        ({"TERM_PROGRAM": "", "TMUX": "", "ZELLIJ_PANE_ID": ""}, Place()),
    ],
)
def test_terminal_is_read_from_its_own_variable(names: dict[str, str], place: Place) -> None:
    assert place_from(names) == place


def test_terminal_inside_another_programs_window_is_that_programs() -> None:
    assert place_from(ITERM | {"TERM_PROGRAM": "vscode"}) == Place("app", program="vscode")


@pytest.mark.parametrize(
    "names",
    [
        {"TERM_PROGRAM": "iTerm.app", "ITERM_SESSION_ID": UUID},
        {"TERM_PROGRAM": "iTerm.app", "ITERM_SESSION_ID": f'w0t0p0:{UUID}" & do shell'},
        {"TERM_PROGRAM": "WezTerm", "WEZTERM_PANE": "-1"},
        {"KITTY_WINDOW_ID": "4 or all"},
        {"KITTY_WINDOW_ID": "4", "KITTY_LISTEN_ON": "/tmp/kitty"},
        {"KITTY_WINDOW_ID": "4", "KITTY_LISTEN_ON": "unix:/tmp/\x07"},
        {"TERM_PROGRAM": "-a"},
        {"TERM_PROGRAM": "x\x00y"},
        {"TERM_PROGRAM": "x" * 101},
    ],
)
def test_value_of_the_wrong_form_makes_the_place_unknown(names: dict[str, str]) -> None:
    assert place_from(names) == Place()


def test_uuid_is_taken_whatever_place_the_session_was_born_at() -> None:
    assert iterm_uuid(f"w12t3p45:{UUID.lower()}") == UUID


def test_text_that_is_no_session_id_has_no_uuid() -> None:
    assert iterm_uuid(UUID) == ""
