"""Where a session's window is, as far as its own environment told.

Inside tmux the terminal's own variables are those of whoever started the tmux
server, so they are stale: then the place is the tmux pane and nothing else.
Knows nothing of how a window is brought forward; `hosts/` does.

Source: templates/hooks/README.md, "One event, one file"; PeonPing/peon-ping#565.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

# Where an id names one pane for good a line can be typed into no other.
TYPEABLE = frozenset({"tmux", "iterm2"})

_ITERM = re.compile(r"w[0-9]+t[0-9]+p[0-9]+:([0-9A-Fa-f-]{36})")
_TMUX = re.compile(r"(/[^\x00-\x1f\x7f]*),[0-9]+,[0-9]+")
_TMUX_PANE = re.compile(r"%[0-9]{1,9}")
_NUMBER = re.compile(r"[0-9]{1,9}")
_KITTY_ADDRESS = re.compile(r"(?:unix|tcp):[^\x00-\x1f\x7f]{1,200}")
_NAME = re.compile(r"[^\x00-\x1f\x7f-][^\x00-\x1f\x7f]{0,99}")


@dataclass(frozen=True, slots=True)
class Place:
    """A window somewhere; empty strings are unknown.

    `kind` is the host's name in `hosts/catalogue.py`: `tmux`, `iterm2`, `wezterm`,
    `kitty`, `zellij`, `app` (a terminal known by name only) or `unknown`.
    `tmux_socket` and `tmux_pane` (`%3`) for tmux; `window` is the id the other
    hosts address: an iTerm2 UUID, a WezTerm or Zellij pane, a kitty window;
    `server` is kitty's listen address or Zellij's session name; `program` is
    TERM_PROGRAM.
    """

    kind: str = "unknown"
    tmux_socket: str = ""
    tmux_pane: str = ""
    window: str = ""
    server: str = ""
    program: str = ""


def place_from(names: Mapping[str, str]) -> Place:
    """Return the place the environment names a hook recorded speak of.

    A multiplexer wins over the terminal around it, tmux over Zellij. Outside both
    TERM_PROGRAM says which terminal is the inner one, because the ids of an outer
    one are inherited (an editor started from an iTerm2 shell still has its
    ITERM_SESSION_ID). A value of the wrong form makes the place unknown: the
    wrong window would be worse than none.
    """
    if names.get("TMUX"):
        return _tmux(names)
    if names.get("ZELLIJ_PANE_ID"):
        return _zellij(names)
    program = names.get("TERM_PROGRAM", "")
    if program in _BY_PROGRAM:
        variable, place = _BY_PROGRAM[program]
        return place(names) if names.get(variable) else Place("app", program=program)
    if program:
        return Place("app", program=program) if _NAME.fullmatch(program) else Place()
    # kitty names no TERM_PROGRAM, so an id alone has to do.
    for variable, place in _BY_PROGRAM.values():
        if names.get(variable):
            return place(names)
    return Place()


def _tmux(names: Mapping[str, str]) -> Place:
    server = _TMUX.fullmatch(names["TMUX"])
    pane = names.get("TMUX_PANE", "")
    if server is None or not _TMUX_PANE.fullmatch(pane):
        return Place()
    return Place("tmux", tmux_socket=server[1], tmux_pane=pane)


def _zellij(names: Mapping[str, str]) -> Place:
    pane, session = names["ZELLIJ_PANE_ID"], names.get("ZELLIJ_SESSION_NAME", "")
    if not _NUMBER.fullmatch(pane) or (session and not _NAME.fullmatch(session)):
        return Place()
    return Place("zellij", window=pane, server=session)


def _iterm2(names: Mapping[str, str]) -> Place:
    uuid = iterm_uuid(names["ITERM_SESSION_ID"])
    return Place("iterm2", window=uuid, program="iTerm.app") if uuid else Place()


def _wezterm(names: Mapping[str, str]) -> Place:
    pane = names["WEZTERM_PANE"]
    return Place("wezterm", window=pane, program="WezTerm") if _NUMBER.fullmatch(pane) else Place()


def _kitty(names: Mapping[str, str]) -> Place:
    window, address = names["KITTY_WINDOW_ID"], names.get("KITTY_LISTEN_ON", "")
    if not _NUMBER.fullmatch(window) or (address and not _KITTY_ADDRESS.fullmatch(address)):
        return Place()
    return Place("kitty", window=window, server=address, program="kitty")


# TERM_PROGRAM -> the variable that names the window, and how to read it.
_BY_PROGRAM: dict[str, tuple[str, Callable[[Mapping[str, str]], Place]]] = {
    "kitty": ("KITTY_WINDOW_ID", _kitty),
    "WezTerm": ("WEZTERM_PANE", _wezterm),
    "iTerm.app": ("ITERM_SESSION_ID", _iterm2),
}


def iterm_uuid(session: str) -> str:
    """Return the UUID of an ITERM_SESSION_ID (`w0t1p0:UUID`), or "" if it is not one.

    The part before the colon is where the session was born and goes stale when
    tabs move, so only the UUID is ever used.
    """
    match = _ITERM.fullmatch(session)
    return match[1].upper() if match else ""
