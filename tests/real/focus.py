"""A press on a key brings the right pane to the person's terminal, and only that.

Source: README.md, "Focus".
"""

from __future__ import annotations

import os
import pty
import subprocess
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING

from tests.real.scenario import scenario
from tests.real.session import Session, until

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.real.play import Play


@scenario("press", 0, takes_s=15)
def press(play: Play) -> None:
    """Two clients in two tmux sessions, the second beside a shell; the terminal shows the first."""
    first = play.open(at=("new-session", "-d", "-s", "desk"))
    play.tmux("new-session", "-d", "-s", "other", "-x", "130", "-y", "45", "sh")
    second = play.open(at=("split-window", "-d", "-t", "other"))
    with _terminal(play, "desk"):
        until(lambda: _shown(play) == first.pane, 5, "a terminal that shows the first client")
        for session in (second, first):
            _press(play, session)
            until(
                lambda pane=session.pane: _shown(play) == pane,  # type: ignore[misc]
                3,
                f"a terminal that shows pane {session.pane} after its key was pressed",
            )


def _press(play: Play, session: Session) -> None:
    slot = until(lambda: (play.slot_of(session) or 0) + 1, 3, "a slot of the session")
    play.lab.run("flightdeck", "press", f"1.{slot}")


def _shown(play: Play) -> str:
    return play.tmux("list-clients", "-F", "#{pane_id}")


@contextmanager
def _terminal(play: Play, name: str) -> Iterator[None]:
    """Attach to a tmux session from a terminal of our own, as a person's window does."""
    ours, theirs = pty.openpty()
    attach = ["tmux", "-L", play.name, "attach", "-t", name]
    process = subprocess.Popen(
        attach, env=play.lab.env, stdin=theirs, stdout=theirs, stderr=theirs, start_new_session=True
    )
    os.close(theirs)
    threading.Thread(target=_drain, args=(ours,), daemon=True).start()
    try:
        yield
    finally:
        process.terminate()
        process.wait(10)


def _drain(terminal: int) -> None:
    """Read what tmux draws, or it would wait for us for ever."""
    try:
        while os.read(terminal, 65536):
            pass
    except OSError:
        return  # closed from the other side
