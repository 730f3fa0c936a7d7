"""`gate/<session id>`: sessions whose dangerous tool calls are refused, whoever allowed them.

The name is all that counts; what is written in it is for people. An id that cannot be a
file name has no gate. Gates are kept when their session ends: it may be resumed.

Source: README.md, "GATE"; templates/hooks/brakes.sh.j2.
"""

from __future__ import annotations

import contextlib
import os
from typing import TYPE_CHECKING

from flightdeck.errors import Refused, Unavailable
from flightdeck.store.names import is_file_name

if TYPE_CHECKING:
    from flightdeck.store.paths import StateFolder

_TEXT = "GUARDED\n"


def standing(folder: StateFolder) -> frozenset[str]:
    """Return the ids of the sessions that are gated; never raises."""
    try:
        return frozenset(os.listdir(folder.gate))  # noqa: PTH208 - names are all that is wanted
    except OSError:
        return frozenset()


def close(folder: StateFolder, session_id: str) -> None:
    """Gate a session: its calls are checked from the next one on.

    Raises:
        Refused: nothing is known of its id, so no hook could find the gate.
        Unavailable: the gate cannot be written.
    """
    path = folder.gate / _named(session_id)
    try:
        folder.gate.mkdir(mode=0o700, parents=True, exist_ok=True)
        path.write_text(_TEXT, encoding="utf-8")
        path.chmod(0o600)
    except OSError as error:
        if not os.path.lexists(path):
            raise folder.unusable(error) from error


def open_(folder: StateFolder, session_id: str) -> None:
    """Take the gate of a session away; harmless if there is none.

    Raises:
        Refused: nothing is known of its id.
        Unavailable: the gate cannot be taken away.
    """
    path = folder.gate / _named(session_id)
    try:
        with contextlib.suppress(FileNotFoundError):
            path.unlink()
    except OSError as error:
        raise folder.unusable(error) from error


def set_to(folder: StateFolder, session_id: str, *, closed: bool) -> None:
    """Close or open the gate of a session.

    Raises:
        Refused: as `close` does.
        Unavailable: as `close` and `open_` do.
    """
    (close if closed else open_)(folder, session_id)


def follow(folder: StateFolder, before: str, after: str) -> None:
    """Gate the session `after` if `before` is: one process, which goes by another id now.

    Never raises.
    """
    if before in standing(folder):
        with contextlib.suppress(Refused, Unavailable):  # no id yet, or no disk: nothing to do
            close(folder, after)


def _named(session_id: str) -> str:
    if not is_file_name(session_id):
        raise Refused(
            "the id of this session is not known yet",
            "a hook tells it: send the session a prompt, then gate it",
        )
    return session_id
