"""tmux and iTerm2 as doctor sees them; iTerm2 by a script in the place of osascript."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from flightdeck.doctor import windows
from flightdeck.model.finding import Level
from flightdeck.system.run import run as run_program

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from flightdeck.system.run import Completed
    from tests.doctor.desk import Desk

API_OFF = (
    Level.WARNING,
    "iTerm2's Python API is off: no verb can be typed there",
    "iTerm2 > Settings > General > Magic > Enable Python API",
)


def found(desk: Desk) -> list[tuple[Level, str, str]]:
    return [(one.level, one.what, one.mend) for one in windows.look(desk.looked_at())]


def on_a_mac(desk: Desk, does: str) -> list[tuple[Level, str, str]]:
    """Return what is said of iTerm2 where osascript does that."""
    desk.environ.setenv("HOME", str(desk.home))
    desk.environ.setenv("TERM_PROGRAM", "iTerm.app")
    script = desk.program("osascript", f"cat >/dev/null\n{does}")
    desk.environ.setenv("FLIGHTDECK_OSASCRIPT", str(script))
    desk.platform = "darwin"
    return found(desk)[1:]


def api_socket(desk: Desk) -> Path:
    return desk.home / "Library/Application Support/iTerm2/private/socket"


def test_tmux_that_hangs_is_left_behind(desk: Desk) -> None:
    def run(argv: Sequence[str], *, timeout_s: float) -> Completed:
        return run_program(argv, timeout_s=timeout_s if "-V" in argv else 0.2)

    desk.environ.setattr("flightdeck.doctor.windows.run", run)
    desk.program("tmux", "case $1 in -V) echo 'tmux 3.3a';; *) exec sleep 600;; esac")
    desk.environ.setenv("TMUX", "/tmp/tmux-7/default,1,0")
    ((level, what, hint),) = found(desk)
    assert (level, hint) == (Level.WARNING, "unset TMUX, or attach again")
    assert what.endswith("tmux' gave no answer in 0.2 s")


def test_tmux_that_does_not_say_its_version_is_not_doubted(desk: Desk) -> None:
    desk.program("tmux", "exit 1")
    ((level, what, _),) = found(desk)
    assert level is Level.OK
    assert "of no known version" in what


def test_tmux_this_terminal_is_in_answers(desk: Desk) -> None:
    desk.environ.setenv("TMUX", "/tmp/tmux-7/default,1,0")
    assert [level for level, _, _ in found(desk)] == [Level.OK]


def test_missing_automation_permission_names_the_settings_pane(desk: Desk) -> None:
    refusal = "execution error: Not authorized to send Apple events to iTerm. (-1743)"
    ((level, what, hint), api) = on_a_mac(desk, f"echo '{refusal}' >&2; exit 1")
    assert level is Level.WARNING
    assert what.startswith("iTerm2, asked from this terminal: automation permission")
    assert "Privacy & Security > Automation" in hint
    assert api == API_OFF


def test_permission_that_was_given_is_said_to_be_this_terminals(desk: Desk) -> None:
    api_socket(desk).parent.mkdir(parents=True)
    api_socket(desk).touch()
    told = "iTerm2 may be controlled from this terminal"
    assert on_a_mac(desk, "echo gone") == [(Level.OK, told, "")]


def test_iterm2_that_does_not_run_is_no_fault(desk: Desk) -> None:
    told = on_a_mac(desk, "echo 'execution error: iTerm2 is not running (-600)' >&2; exit 1")
    assert told == [(Level.OK, "iTerm2, asked from this terminal: iTerm2 is not running", "")]


@pytest.mark.parametrize("place", ["", "machine/Applications/iTerm.app", "Applications/iTerm.app"])
def test_mac_without_iterm2_is_not_asked_for_it(desk: Desk, place: str) -> None:
    desk.environ.delenv("TERM_PROGRAM", raising=False)
    desk.environ.setenv("FLIGHTDECK_OSASCRIPT", str(desk.program("osascript", "exit 1")))
    desk.platform = "darwin"
    if place:
        (desk.home / place).mkdir(parents=True)
    assert (len(found(desk)) > 1) is bool(place)
