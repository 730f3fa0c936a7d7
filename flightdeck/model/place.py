"""Where a session's window is, as far as its own environment told.

Inside tmux the terminal's own variables are those of whoever started the tmux
server, so they are stale: then the place is the tmux pane and nothing else.

Source: design 3.1 (which names a hook records); PeonPing/peon-ping#565.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_ITERM = re.compile(r"^w\d+t\d+p\d+:([0-9A-Fa-f-]{36})$")


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


def iterm_uuid(session: str) -> str:
    """Return the UUID of an ITERM_SESSION_ID (`w0t1p0:UUID`), or "" if it is not one.

    The part before the colon is where the session was born and goes stale when
    tabs move, so only the UUID is ever used.
    """
    match = _ITERM.match(session)
    return match[1].upper() if match else ""
