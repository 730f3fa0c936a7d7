"""Terminals and multiplexers with a command of their own: WezTerm, kitty, Zellij.

Each selects the pane by the id its own variable gave. Knows nothing of tmux, whose
clients have to be chosen first, and nothing of iTerm2, which has no such command.

Source: `wezterm cli activate-pane --help`; kitty's remote control, `focus-window`;
zellij-org/zellij#4926 (`focus-pane-id`, since 0.44).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from flightdeck.errors import Gone, Unavailable
from flightdeck.hosts.programs import find

if TYPE_CHECKING:
    from collections.abc import Sequence

    from flightdeck.model.place import Place
    from flightdeck.ports import Completed, Runner

_WAIT_S = 3.0
# The argument parser's words for an action it does not know, old and new.
_UNKNOWN_ACTION = re.compile(r"focus-pane-id' (which )?wasn't expected|unrecognized subcommand")
_GONE = ("no matching windows", "not found", "no such pane", "does not exist")


class Wezterm:
    """WezTerm, by `wezterm cli`."""

    def __init__(self, run: Runner, platform: str) -> None:
        """`platform` is `sys.platform`."""
        self._run = run
        self._platform = platform

    def focus(self, place: Place) -> None:
        """Activate the pane and its tab; on macOS the application comes forward too.

        Raises:
            Unavailable: the pane is gone, or WezTerm does not answer.
        """
        argv = [find("wezterm"), "cli", "activate-pane", "--pane-id", place.window]
        _must_work(self._run(argv, timeout_s=_WAIT_S), "WezTerm")
        if self._platform == "darwin":
            _must_work(self._run(["open", "-a", "WezTerm"], timeout_s=_WAIT_S), "open")


class Kitty:
    """kitty, by its remote control."""

    def __init__(self, run: Runner) -> None:
        self._run = run

    def focus(self, place: Place) -> None:
        """Focus the window and raise the system window around it.

        Raises:
            Unavailable: it is gone, or kitty takes no commands from outside.
        """
        if not place.server:
            raise Unavailable(
                "kitty takes no commands from outside",
                "set allow_remote_control and listen_on in kitty.conf, then start the agent again",
            )
        match = f"id:{place.window}"
        argv = [find("kitten"), "@", "--to", place.server, "focus-window", "--match", match]
        _must_work(self._run(argv, timeout_s=_WAIT_S), "kitty")


class Zellij:
    """Zellij, by its actions; the terminal around it cannot be found from outside."""

    def __init__(self, run: Runner) -> None:
        self._run = run

    def focus(self, place: Place) -> None:
        """Show the pane to whoever used the session last.

        Raises:
            Unavailable: the session or pane is gone, nobody is attached, or this
                Zellij is older than the command.
        """
        if not place.server:
            raise Unavailable("the Zellij session has no known name")
        pane = f"terminal_{place.window}"
        argv = [find("zellij"), "--session", place.server, "action", "focus-pane-id", pane]
        done = self._run(argv, timeout_s=_WAIT_S)
        if _UNKNOWN_ACTION.search(done.err):
            raise Unavailable(
                "this Zellij cannot be told which pane to show", "Zellij 0.44 or newer can"
            )
        _must_work(done, "Zellij")


def _must_work(done: Completed, name: str) -> None:
    if done.code == 0:
        return
    said = _last_line(done.err or done.out)
    if any(word in said.lower() for word in _GONE):
        raise Gone("pane is gone")
    raise Unavailable(f"{name} refused: {said}" if said else f"{name} refused")


def _last_line(text: str) -> str:
    lines: Sequence[str] = text.strip().splitlines()
    return lines[-1].strip()[:120] if lines else ""
