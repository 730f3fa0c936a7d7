"""Every kind of place, the host that brings it forward and the one that types there.

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
from flightdeck.hosts.tmux_keyboard import TmuxKeyboard
from flightdeck.system.run import run as system_run

if TYPE_CHECKING:
    from collections.abc import Mapping

    from flightdeck.model.place import Place
    from flightdeck.ports import Host, Keyboard, Runner


class Hosts:
    """All hosts as one: the `Host` and the `Keyboard` that know every kind of place."""

    def __init__(self, run: Runner = system_run, *, platform: str = sys.platform) -> None:
        """`platform` is `sys.platform`."""
        self._iterm2 = Iterm2(run)
        terminal = Terminal(run, self._iterm2, platform)
        tmux = Tmux(run, terminal.bring_forward)
        # Only where an id names one pane for good can a key be sent to no other.
        self._keyboards: Mapping[str, Keyboard] = {
            "tmux": TmuxKeyboard(run),
            "iterm2": self._iterm2,
        }
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
        keyboard = self._keyboards.get(place.kind)
        if keyboard is None:
            raise Unavailable("cannot be interrupted from here", "press Esc in its own window")
        keyboard.interrupt(place)

    def must_take_lines(self, place: Place) -> None:
        """Find out, without typing, that a line can be typed there.

        Raises:
            Unavailable: as `confirm`.
        """
        self._keyboard(place).must_take_lines(place)

    def confirm(self, place: Place) -> None:
        """Send one Enter to exactly that window or pane, and to no other.

        Raises:
            Unavailable: it is gone, may not be reached, or is of a kind that cannot be.
        """
        self._keyboard(place).confirm(place)

    def stash(self, place: Place) -> None:
        """Send one Ctrl-S there.

        Raises:
            Unavailable: as `confirm`.
        """
        self._keyboard(place).stash(place)

    def erase(self, place: Place) -> None:
        """Send one Ctrl-U there.

        Raises:
            Unavailable: as `confirm`.
        """
        self._keyboard(place).erase(place)

    def paste(self, place: Place, line: str) -> None:
        """Put one line in there, as one paste, and press nothing.

        Raises:
            Unavailable: as `confirm`.
            ValueError: it is not one line of 1 to 1000 printable characters.
        """
        self._keyboard(place).paste(place, line)

    def device(self, place: Place) -> str:
        """Return the terminal device it is on.

        Raises:
            Unavailable: as `confirm`.
        """
        return self._keyboard(place).device(place)

    def screen(self, place: Place) -> str:
        """Return the rows it shows now, without colours.

        Raises:
            Unavailable: as `confirm`.
        """
        return self._keyboard(place).screen(place)

    def _keyboard(self, place: Place) -> Keyboard:
        keyboard = self._keyboards.get(place.kind)
        if keyboard is None:
            raise Unavailable("cannot type there", "type it in its own window")
        return keyboard

    def close(self) -> None:
        """Let kept connections go; never raises, may be called twice."""
        self._iterm2.close()
