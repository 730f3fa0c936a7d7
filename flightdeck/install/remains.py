"""The state folder around an installation: made, and cleared of what only hooks needed.

What somebody wrote or may want to read stays: layouts, verbs, rules, the journal. What
says who is at work now goes: nobody would keep it true, and an event holds a prompt.

Source: README.md, "Uninstall".
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
from typing import TYPE_CHECKING

from flightdeck.errors import Unavailable
from flightdeck.install import folders
from flightdeck.store import files, lock
from flightdeck.store.instance import running_panel
from flightdeck.system import clock

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from flightdeck.store.paths import StateFolder

_PATIENCE_S = 60.0
_LOOK_EVERY_S = 0.05


def create(state: StateFolder) -> None:
    """Make the state folder, and write down which folders above it are our doing.

    Raises:
        Unavailable: it cannot be made.
    """
    above = folders.missing(state.root)[:-1]
    state.create()
    try:
        files.forget_halves_in(state.compiled)
        if not above:
            return
        folders.make_private(_list(state).parent)
        files.replace(_list(state), json.dumps(list(map(str, above))).encode())
    except OSError as error:
        raise state.unusable(error) from error


def clear(state: StateFolder) -> tuple[str, ...]:
    """Take out what is worth nothing without hooks, and return the names of what is left.

    A panel that runs keeps all of it.

    Raises:
        Unavailable: something of ours cannot be taken out.
    """
    if running_panel(state) is None:
        try:
            _clear(state)
        except OSError as error:
            raise state.unusable(error) from error
    return tuple(sorted(path.name for path in state.root.iterdir())) if state.root.is_dir() else ()


@contextlib.contextmanager
def alone(state: StateFolder) -> Iterator[None]:
    """Hold the state folder so that no other `apply` changes anything meanwhile.

    The lock is on the folder itself, so it leaves nothing behind. Without a folder there is
    nothing to hold.

    Raises:
        Unavailable: another one holds it for a minute.
    """
    handle = _open(state)
    try:
        until = clock.monotonic() + _PATIENCE_S
        while handle is not None and not _is_taken(handle):
            if clock.monotonic() > until:
                raise Unavailable(
                    f"another `flightdeck apply` has been at work for {_PATIENCE_S:g} s",
                    "end it, then try again",
                )
            clock.pause(_LOOK_EVERY_S)
        yield
    finally:
        if handle is not None:
            os.close(handle)


def _clear(state: StateFolder) -> None:
    above = _above(state)
    for folder in _working(state):
        for path in folder.iterdir() if folder.is_dir() else ():
            path.unlink()
    for path in (state.slots, state.selected, state.reaped, *_empty(state.log)):
        path.unlink(missing_ok=True)
    _unlock(state)
    folders.take_out(map(str, (*_working(state), state.gate, state.log)))
    _list(state).unlink(missing_ok=True)  # as late as can be: who is killed now forgets them
    folders.take_out(map(str, (_list(state).parent, state.root)))
    folders.take_out(above)


def _working(state: StateFolder) -> tuple[Path, ...]:
    """Return the folders whose files say what agents do now, prompts among it."""
    parts = (state.inbox, state.sessions, state.blocked, state.asks, state.queue)
    return (*parts, state.compiled)


def _empty(folder: Path) -> list[Path]:
    found = list(folder.iterdir()) if folder.is_dir() else []
    return [path for path in found if path.is_file() and path.stat().st_size == 0]


def _unlock(state: StateFolder) -> None:
    """Take the lock file of the fold out, unless somebody folds this very moment."""
    with contextlib.suppress(OSError, Unavailable), lock.held(state.lock, patience_s=0.0):
        state.lock.unlink()


def _above(state: StateFolder) -> list[str]:
    try:
        found = json.loads(files.read(_list(state)))
    except (OSError, ValueError, RecursionError):
        return []
    return [path for path in found if isinstance(path, str)] if isinstance(found, list) else []


def _list(state: StateFolder) -> Path:
    return state.root / "install" / "above.json"


def _open(state: StateFolder) -> int | None:
    try:
        return os.open(state.root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except OSError:
        return None


def _is_taken(handle: int) -> bool:
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
