"""Types into one tmux pane: single keys, and one line as a paste.

tmux hands a key it is told to send to more than the one pane where panes are
synchronised, to the copy mode of a pane that is scrolled back, and to nobody where the
pane's input is off. So the pane is looked at before every key.

A line goes through a paste buffer of its own, on standard input: given as an argument,
a semicolon at its end would begin another command. `paste-buffer -p` brackets it where
the program asked for that.

Source: tmux(1), load-buffer, paste-buffer, send-keys, capture-pane, copy-mode, FORMATS.
"""

from __future__ import annotations

import os
import secrets
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from flightdeck.errors import Gone, Unavailable
from flightdeck.hosts.keys import Key, must_be_one_line
from flightdeck.hosts.tmux_wire import ask

if TYPE_CHECKING:
    from collections.abc import Sequence

    from flightdeck.model.place import Place
    from flightdeck.ports import Runner

# The device comes last: of a dead pane it is empty.
_PANES = (
    "#{pane_id} #{pane_dead} #{pane_synchronized} #{pane_input_off} #{pane_in_mode} #{pane_tty}"
)
# tmux encodes a key by its name as the program in the pane asked for.
_NAMES = {Key.ENTER: "Enter", Key.ESCAPE: "Escape", Key.STASH: "C-s", Key.ERASE: "C-u"}


@dataclass(frozen=True, slots=True)
class _Pane:
    """A pane that takes keys; if `covered`, a mode of tmux takes them first."""

    covered: bool
    device: str


class TmuxKeyboard:
    """Types into panes of any tmux server that can be reached by its socket.

    Every method raises Unavailable where the server or pane is gone, or the pane's keys
    would go elsewhere.
    """

    def __init__(self, run: Runner) -> None:
        self._run = run

    def interrupt(self, place: Place) -> None:
        """Send one Esc to the program in the pane."""
        self._press(place, Key.ESCAPE)

    def must_take_lines(self, place: Place) -> None:
        """Find out, without typing, that the pane takes keys and shares them with none."""
        self._look(place)

    def confirm(self, place: Place) -> None:
        """Send one Enter to the program in the pane."""
        self._press(place, Key.ENTER)

    def stash(self, place: Place) -> None:
        """Send one Ctrl-S to the program in the pane."""
        self._press(place, Key.STASH)

    def erase(self, place: Place) -> None:
        """Send one Ctrl-U to the program in the pane."""
        self._press(place, Key.ERASE)

    def paste(self, place: Place, line: str) -> None:
        """Give `line` to the program in the pane, as one paste.

        Raises:
            ValueError: it is not one line of printable characters.
        """
        must_be_one_line(line)
        name = f"flightdeck-{os.getpid()}-{secrets.token_hex(8)}"
        load = ["load-buffer", "-b", name, "-"]
        paste = ["paste-buffer", "-p", "-d", "-b", name, "-t", place.tmux_pane]
        leave = _leave(self._look(place), place.tmux_pane)
        try:
            ask(self._run, place.tmux_socket, *leave, load, paste, stdin=line)
        except BaseException:
            with suppress(Unavailable):
                ask(self._run, place.tmux_socket, ["delete-buffer", "-b", name])
            raise

    def device(self, place: Place) -> str:
        """Return the device the pane is on."""
        return self._look(place).device

    def screen(self, place: Place) -> str:
        """Return the rows the program in the pane shows, not those it is scrolled back to."""
        self._look(place)
        return ask(self._run, place.tmux_socket, ["capture-pane", "-p", "-t", place.tmux_pane])

    def _press(self, place: Place, key: Key) -> None:
        leave = _leave(self._look(place), place.tmux_pane)
        press = ["send-keys", "-t", place.tmux_pane, _NAMES[key]]
        ask(self._run, place.tmux_socket, *leave, press)

    def _look(self, place: Place) -> _Pane:
        """Return the pane as it is now; it is the only one that hears its keys."""
        out = ask(self._run, place.tmux_socket, ["list-panes", "-a", "-F", _PANES])
        rows = (line.split(" ", 5) for line in out.splitlines())
        found = next((row for row in rows if row[0] == place.tmux_pane), None)
        if found is None:
            raise Gone("pane is gone")
        _, dead, shared, deaf, modes, device = found
        if dead == "1":
            raise Gone("the program in the pane has ended")
        if shared == "1":
            raise Unavailable(
                "its pane shares its keys with others", "tmux set-option -w synchronize-panes off"
            )
        if deaf == "1":
            raise Unavailable("its pane takes no keys", f"tmux select-pane -e -t {place.tmux_pane}")
        return _Pane(modes != "0", device)


def _leave(pane: _Pane, target: str) -> list[Sequence[str]]:
    """Return what brings the program of a pane back to its own keys."""
    return [["copy-mode", "-q", "-t", target]] if pane.covered else []
