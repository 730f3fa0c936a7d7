"""Brings a tmux pane to the front: the right session, window and pane.

Selecting a pane shows nothing by itself when no client looks at its session, so
one attached client is switched there, but only if none is there already: under
iTerm2's control mode a needless switch tears down every native window. Which
window holds that client is not known here; `terminal.py` is asked to raise it.

Source: tmux(1), switch-client, select-window, FORMATS;
777genius/agent-notifications#54; Octane0411/open-vibe-island#700.
"""

from __future__ import annotations

import logging
import shlex
from dataclasses import dataclass
from typing import TYPE_CHECKING

from flightdeck.errors import Gone, Unavailable
from flightdeck.hosts.tmux_wire import ask

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from flightdeck.model.place import Place
    from flightdeck.ports import Runner

logger = logging.getLogger(__name__)

# Free text comes last in a row: a session's name may hold spaces.
_PANES = "pane #{pane_id} #{session_id} #{window_id} #{pane_dead} #{session_name}"
_CLIENTS = (
    "client #{session_id} #{client_control_mode} #{client_activity} "
    "#{client_pid} #{client_tty} #{client_name}"
)


@dataclass(frozen=True, slots=True)
class Client:
    """A terminal attached to a tmux server.

    `session` is the id (`$1`) it shows; `activity` seconds since the epoch; `tty`
    the device it draws on; `control` says that iTerm2 draws native windows for it.
    """

    name: str
    session: str
    control: bool
    activity: int
    pid: int
    tty: str


@dataclass(frozen=True, slots=True)
class Seat:
    """One session that shows the pane; a linked window has several."""

    pane: str
    session: str
    window: str
    dead: bool
    session_name: str


class Tmux:
    """Focuses panes on any tmux server that can be reached by its socket."""

    def __init__(self, run: Runner, raise_terminal: Callable[[Client, str], None]) -> None:
        """`raise_terminal(client, pane)` brings the window of a client forward."""
        self._run = run
        self._raise_terminal = raise_terminal

    def focus(self, place: Place) -> None:
        """Show the pane in an attached client, then raise that client's window.

        Raises:
            Unavailable: the server or pane is gone, or nobody is attached; in the
                latter case the pane is selected all the same.
        """
        seats, clients = self._look(place)
        client = choose(clients, {seat.session for seat in seats})
        seat = _seat_for(client, seats)
        ask(self._run, place.tmux_socket, *_steps(client, seat))
        if client is None:
            raise Unavailable(
                f"nobody is attached to tmux session '{seat.session_name}'",
                _attach(place.tmux_socket, seat.session_name),
            )
        self._raise(client, seat.pane)

    def _look(self, place: Place) -> tuple[list[Seat], list[Client]]:
        """Return where the pane is shown, and who is attached to its server."""
        panes, clients = ["list-panes", "-a", "-F", _PANES], ["list-clients", "-F", _CLIENTS]
        out = ask(self._run, place.tmux_socket, panes, clients)
        rows = [line.split(" ", 6) for line in out.splitlines()]
        seats = [_seat(row) for row in rows if row[:2] == ["pane", place.tmux_pane]]
        if not seats:
            raise Gone("pane is gone")
        if seats[0].dead:
            raise Gone("the program in the pane has ended")
        return seats, [_client(row) for row in rows if row[0] == "client"]

    def _raise(self, client: Client, pane: str) -> None:
        # The pane is selected: whatever happens to the window around it, that stands.
        try:
            self._raise_terminal(client, pane)
        except Unavailable as why:
            logger.info("terminal of tmux client %s not raised: %s", client.name, why.message)
        except Exception:
            logger.warning("terminal of tmux client %s not raised", client.name, exc_info=True)


def choose(clients: Iterable[Client], sessions: set[str]) -> Client | None:
    """Return the client that is to show one of `sessions`, or None if nobody is attached.

    One that already does wins, then one that draws in a terminal of its own; the
    most recently used of those. A control mode client without a terminal is a
    program that listens, nobody sits in front of it.
    """
    people = [client for client in clients if client.tty or not client.control]
    there = [client for client in people if client.session in sessions]
    pool = there or [client for client in people if not client.control] or people
    return max(pool, key=lambda client: client.activity, default=None)


def _seat_for(client: Client | None, seats: Sequence[Seat]) -> Seat:
    """Return the seat the client already looks at, else the first."""
    here = [seat for seat in seats if client is not None and seat.session == client.session]
    return (here or seats)[0]


def _steps(client: Client | None, seat: Seat) -> list[list[str]]:
    steps = [
        ["select-window", "-t", f"{seat.session}:{seat.window}"],
        ["select-pane", "-t", seat.pane],
    ]
    if client is not None and client.session != seat.session:
        steps.insert(0, ["switch-client", "-c", client.name, "-t", seat.session])
    return steps


def _attach(socket: str, session: str) -> str:
    where = [] if socket.endswith("/default") else ["-S", socket]
    return shlex.join(["tmux", *where, "attach", "-t", session])


def _seat(row: Sequence[str]) -> Seat:
    _, pane, session, window, dead, *name = row
    return Seat(pane, session, window, dead == "1", " ".join(name))


def _client(row: Sequence[str]) -> Client:
    _, session, control, activity, pid, tty, name = row
    return Client(name, session, control == "1", int(activity), int(pid), tty)
