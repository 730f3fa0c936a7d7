"""Every kind of place and the host that brings it forward.

A new host is a module beside this one and a line here; what its environment looks
like is read by `model/place.py`.

Source: README.md, "Focus".
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from flightdeck.errors import Unavailable
from flightdeck.hosts.app import App
from flightdeck.hosts.iterm2 import Iterm2
from flightdeck.hosts.panes import Kitty, Wezterm, Zellij
from flightdeck.hosts.terminal import Terminal
from flightdeck.hosts.tmux import Tmux
from flightdeck.system.run import run as system_run

if TYPE_CHECKING:
    from collections.abc import Mapping

    from flightdeck.model.place import Place
    from flightdeck.ports import Host, Interrupter, Runner


class Hosts:
    """All hosts as one: the `Host` that knows every kind of place."""

    def __init__(self, run: Runner = system_run, *, platform: str = sys.platform) -> None:
        """`platform` is `sys.platform`."""
        self._iterm2 = Iterm2(run)
        terminal = Terminal(run, self._iterm2, platform)
        tmux = Tmux(run, terminal.bring_forward)
        # Only where an id names one pane for good can a key be sent to no other.
        self._interrupters: Mapping[str, Interrupter] = {"tmux": tmux, "iterm2": self._iterm2}
        self._by_kind: Mapping[str, Host] = {
            "tmux": tmux,
            "iterm2": self._iterm2,
            "wezterm": Wezterm(run, platform),
            "kitty": Kitty(run),
            "zellij": Zellij(run),
            "app": App(run, platform),
        }

    def focus(self, place: Place) -> None:
        """Bring the window to the front, its tab and pane selected.

        Raises:
            Unavailable: it is gone, may not be reached, or is unknown.
        """
        host = self._by_kind.get(place.kind)
        if host is None:
            raise Unavailable("where this session runs is unknown")
        host.focus(place)

    def interrupt(self, place: Place) -> None:
        """Send one Esc to exactly that window or pane, and to no other.

        Raises:
            Unavailable: it is gone, may not be reached, or is of a kind that cannot be.
        """
        host = self._interrupters.get(place.kind)
        if host is None:
            raise Unavailable("cannot be interrupted from here", "press Esc in its own window")
        host.interrupt(place)

    def close(self) -> None:
        """Let kept connections go; never raises, may be called twice."""
        self._iterm2.close()
