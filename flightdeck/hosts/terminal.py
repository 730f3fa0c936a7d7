"""Raises the terminal window a tmux client draws in, where that can be done.

The nearest application among the client's parents is the one; the client's environment
cannot be read, and the variables inside tmux are stale. iTerm2 is told the very session by
its device; of any other application the front window has to do. A client that
came over the network has no application here, and outside macOS there is no way
that works under every window system: then nothing happens.

Source: ps(1) as POSIX has it; open(1) of macOS; PeonPing/peon-ping#565.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Protocol

from flightdeck.errors import Unavailable

if TYPE_CHECKING:
    from flightdeck.hosts.tmux import Client
    from flightdeck.ports import Runner

_WAIT_S = 2.0
# An installed application that runs as such, or a helper inside it, as an editor's
# terminal does. Python on macOS runs from a bundle too, and is no window's owner.
_BUNDLE = re.compile(
    r"(/(?:.+/)?Applications/(?:[^/]+/)?[^/]+\.app)/Contents/(?:MacOS|Frameworks)/"
)
# iTerm2 keeps its shells in a server of its own, a child of launchd.
_ITERM2 = ("/iTerm.app/", "/iTermServer")


class Sessions(Protocol):
    """What is asked of iTerm2."""

    def focus_tty(self, tty: str) -> None:
        """Bring the session forward that draws on this device."""

    def focus_tmux_pane(self, pane: str) -> None:
        """Bring the native window forward that shows this tmux pane."""


class Terminal:
    """The terminal windows tmux clients draw in."""

    def __init__(self, run: Runner, iterm2: Sessions, platform: str) -> None:
        """`platform` is `sys.platform`."""
        self._run = run
        self._iterm2 = iterm2
        self._platform = platform

    def bring_forward(self, client: Client, pane: str) -> None:
        """Raise the window that holds `client`, which now shows `pane`.

        Raises:
            Unavailable: there is a window, and it could not be raised.
        """
        if self._platform != "darwin":
            return
        for program in self._parents(client.pid):
            if any(mark in program for mark in _ITERM2):
                self._show_session(client, pane)
                return
            if bundle := _BUNDLE.match(program):
                self._open(bundle[1])
                return

    def _show_session(self, client: Client, pane: str) -> None:
        if client.control:
            self._iterm2.focus_tmux_pane(pane)
        else:
            self._iterm2.focus_tty(client.tty)

    def _open(self, bundle: str) -> None:
        if self._run(["open", bundle], timeout_s=_WAIT_S).code:
            raise Unavailable(f"cannot raise '{bundle}'")

    def _parents(self, pid: int) -> list[str]:
        """Return the programs that started process `pid`, nearest first."""
        listed = self._run(["ps", "-axo", "pid=,ppid=,comm="], timeout_s=_WAIT_S)
        table = {}
        for line in listed.out.splitlines():
            child, _, rest = line.strip().partition(" ")
            parent, _, program = rest.strip().partition(" ")
            table[child] = (parent, program.strip())
        found = []
        step = str(pid)
        while step in table:  # popped, so that no table can be walked forever
            step, program = table.pop(step)
            found.append(program)
        return found
