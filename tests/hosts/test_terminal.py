"""The terminal window around a tmux client is found by the client's parents."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from flightdeck.errors import Unavailable
from flightdeck.hosts.terminal import Terminal
from flightdeck.hosts.tmux import Client
from flightdeck.system.run import run

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Program = Callable[..., Path]

SHELL = "  10     1 /sbin/launchd\n 300   200 -zsh\n 400   300 /opt/homebrew/bin/tmux\n"


class FakeSessions:
    """An iTerm2 that notes what it is asked for."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def focus_tty(self, tty: str) -> None:
        """Note the device."""
        self.asked.append(f"tty {tty}")

    def focus_tmux_pane(self, pane: str) -> None:
        """Note the pane."""
        self.asked.append(f"pane {pane}")


@pytest.fixture
def sessions() -> FakeSessions:
    """The sessions iTerm2 is asked for."""
    return FakeSessions()


def client(*, control: bool = False) -> Client:
    """Return a client that is process 400."""
    return Client("/dev/ttys003", "$1", control, 1, 400, "/dev/ttys003")


@pytest.mark.parametrize(
    "parent",
    [
        " 200     1 /Users/me/Library/Application Support/iTerm2/iTermServer-3.5.10\n",
        " 200     1 /Applications/iTerm.app/Contents/MacOS/iTerm2\n",
    ],
)
def test_iterm2_is_told_the_device(program: Program, sessions: FakeSessions, parent: str) -> None:
    program("ps", says=SHELL + parent)
    Terminal(run, sessions, "darwin").bring_forward(client(), "%3")
    assert sessions.asked == ["tty /dev/ttys003"]


def test_iterm2_is_told_the_pane_it_draws_in_control_mode(
    program: Program, sessions: FakeSessions
) -> None:
    program("ps", says=SHELL + " 200     1 /Applications/iTerm.app/Contents/MacOS/iTerm2\n")
    Terminal(run, sessions, "darwin").bring_forward(client(control=True), "%3")
    assert sessions.asked == ["pane %3"]


def test_any_other_application_comes_forward_itself(
    program: Program, sessions: FakeSessions
) -> None:
    helper = "/Contents/Frameworks/Code Helper.app/Contents/MacOS/Code Helper"
    editor = "/Applications/Visual Studio Code.app"
    program(
        "ps", says=f"{SHELL} 200 100 {editor}{helper}\n 100 1 {editor}/Contents/MacOS/Electron\n"
    )
    opened = program("open")
    Terminal(run, sessions, "darwin").bring_forward(client(), "%3")
    assert opened.read_text(encoding="utf-8") == f"[{editor}]\n"
    assert sessions.asked == []


def test_nearest_application_is_the_one(program: Program, sessions: FakeSessions) -> None:
    inner = " 200 150 /Applications/Alacritty.app/Contents/MacOS/alacritty\n 150 100 -zsh\n"
    program("ps", says=f"{SHELL}{inner} 100 1 /Applications/iTerm.app/Contents/MacOS/iTerm2\n")
    opened = program("open")
    Terminal(run, sessions, "darwin").bring_forward(client(), "%3")
    assert opened.read_text(encoding="utf-8") == "[/Applications/Alacritty.app]\n"
    assert sessions.asked == []


@pytest.mark.parametrize(
    "python",
    [
        "/opt/homebrew/Frameworks/Python.framework/Resources/Python.app/Contents/MacOS/Python",
        "/Applications/Xcode.app/Contents/Developer/usr/Python.app/Contents/MacOS/Python",
    ],
)
def test_script_between_terminal_and_client_is_passed_over(
    program: Program, sessions: FakeSessions, python: str
) -> None:
    terminal = "/System/Applications/Utilities/Terminal.app"
    program("ps", says=f"{SHELL} 200 100 {python}\n 100 1 {terminal}/Contents/MacOS/Terminal\n")
    opened = program("open")
    Terminal(run, sessions, "darwin").bring_forward(client(), "%3")
    assert opened.read_text(encoding="utf-8") == f"[{terminal}]\n"


def test_application_that_does_not_open_is_told(program: Program, sessions: FakeSessions) -> None:
    program("ps", says=SHELL + " 200 1 /Applications/Ghostty.app/Contents/MacOS/ghostty\n")
    program("open", code=1)
    with pytest.raises(Unavailable, match=r"cannot raise '/Applications/Ghostty\.app'"):
        Terminal(run, sessions, "darwin").bring_forward(client(), "%3")


def test_client_from_another_machine_raises_nothing(
    program: Program, sessions: FakeSessions
) -> None:
    program("ps", says=SHELL + " 200     1 /usr/sbin/sshd\n")
    opened = program("open")
    Terminal(run, sessions, "darwin").bring_forward(client(), "%3")
    assert not opened.exists()


def test_table_that_runs_in_a_circle_ends(program: Program, sessions: FakeSessions) -> None:
    program("ps", says=" 400 300 tmux\n 300 400 zsh\n")
    Terminal(run, sessions, "darwin").bring_forward(client(), "%3")
    assert sessions.asked == []


def test_nothing_is_done_outside_macos(program: Program, sessions: FakeSessions) -> None:
    asked = program("ps")
    Terminal(run, sessions, "linux").bring_forward(client(), "%3")
    assert not asked.exists()
