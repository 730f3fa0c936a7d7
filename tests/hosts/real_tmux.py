"""Real tmux servers on sockets of their own, with real clients attached to them."""

from __future__ import annotations

import os
import pty
import subprocess
from contextlib import suppress
from typing import TYPE_CHECKING

from flightdeck.model.place import Place
from flightdeck.system.clock import monotonic
from flightdeck.system.run import run
from tests.requirements import require

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from flightdeck.ports import Completed

DEADLINE_S = 10.0


def wait_until(true: Callable[[], bool]) -> None:
    """Ask again and again until it is so; each question takes a moment by itself."""
    end = monotonic() + DEADLINE_S
    while not true():
        assert monotonic() < end, "it never came to be"


class Server:
    """One tmux server; `end` kills it and everything attached."""

    def __init__(self, socket: Path) -> None:
        self.socket = socket
        self._program = require("tmux")
        self._clients: list[subprocess.Popen[bytes]] = []
        self._open: list[int] = []

    def tell(self, *words: str) -> str:
        """Run a tmux command, which must work, and return what it says."""
        argv = [self._program, "-u", "-f", "/dev/null", "-S", str(self.socket), *words]
        done = run(argv, timeout_s=DEADLINE_S)
        assert done.code == 0, done.err
        return done.out.strip()

    def session(self, name: str, program: str = "cat") -> str:
        """Make a session of one pane and return the pane."""
        where = ["-d", "-s", name, "-x", "80", "-y", "24", "-P", "-F", "#{pane_id}"]
        return self.tell("new-session", *where, program)

    def window(self, session: str) -> str:
        """Add a window to a session, not selecting it, and return its pane."""
        return self.tell("new-window", "-d", "-t", f"{session}:", "-P", "-F", "#{pane_id}", "cat")

    def split(self, pane: str, program: str = "cat") -> str:
        """Split a pane, not selecting the new one, and return that."""
        return self.tell("split-window", "-d", "-t", pane, "-P", "-F", "#{pane_id}", program)

    def attach(self, session: str, *, control: bool = False) -> str:
        """Attach a client that draws on a terminal; return its name."""
        ours, theirs = pty.openpty()
        self._open.append(ours)
        self._start(session, theirs, control=control)
        name = os.ttyname(theirs)
        os.close(theirs)
        wait_until(lambda: name in self.tell("list-clients", "-F", "#{client_name}"))
        return name

    def listen(self, session: str) -> None:
        """Attach a control mode client without a terminal, as programs do."""
        self._start(session, subprocess.PIPE, control=True)
        wait_until(lambda: bool(self.tell("list-clients")))

    def detach(self, name: str) -> None:
        """Detach a client by its name."""
        self.tell("detach-client", "-t", name)

    def _start(self, session: str, device: int, *, control: bool) -> None:
        mode = ["-C"] if control else []
        self._clients.append(
            subprocess.Popen(
                [self._program, "-S", str(self.socket), *mode, "attach", "-t", session],
                stdin=device,
                stdout=device,
                stderr=device,
                env={"TERM": "xterm", "PATH": os.environ["PATH"]},
                start_new_session=True,
            )
        )

    def shown(self, client: str) -> str:
        """Return the pane a client shows and types into."""
        return self.tell("display-message", "-p", "-c", client, "#{pane_id}")

    def active(self, session: str) -> str:
        """Return the active pane of a session's active window."""
        return self.tell("display-message", "-p", "-t", f"{session}:", "#{pane_id}")

    def place(self, pane: str) -> Place:
        """Return the place of a pane, as a hook in it would tell."""
        return Place("tmux", tmux_socket=str(self.socket), tmux_pane=pane)

    def end(self) -> None:
        """Kill the server and reap its clients."""
        run([self._program, "-S", str(self.socket), "kill-server"], timeout_s=DEADLINE_S)
        for descriptor in self._open:
            os.close(descriptor)
        for client in self._clients:
            with suppress(ProcessLookupError):
                client.terminate()
            client.communicate(timeout=DEADLINE_S)


class Recorder:
    """The real runner, noting every argument list; `before` runs ahead of a call."""

    def __init__(self) -> None:
        self.calls: list[list[str]] = []
        self.before: Callable[[list[str]], None] = lambda _: None

    def __call__(
        self, argv: Sequence[str], *, timeout_s: float, stdin: str = "", cwd: str | None = None
    ) -> Completed:
        """Note and run."""
        self.before(list(argv))
        self.calls.append(list(argv))
        return run(argv, timeout_s=timeout_s, stdin=stdin, cwd=cwd)

    @property
    def words(self) -> list[str]:
        """Every word of every call."""
        return [word for call in self.calls for word in call]
