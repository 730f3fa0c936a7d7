"""One panel at a time: a kernel lock on `panel.pid`, whose text says who holds it.

A pid in a file proves nothing (it may belong to another program by now); the lock does.
"""

from __future__ import annotations

import contextlib
import json
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

from flightdeck.errors import Refused
from flightdeck.store import files, lock
from flightdeck.system import clock

if TYPE_CHECKING:
    from pathlib import Path

    from flightdeck.store.paths import StateFolder

# Whoever looks whether a panel runs shares the lock for an instant, and is none.
_PATIENCE_S = 1.0


@dataclass(frozen=True, slots=True)
class RunningPanel:
    """The panel that runs: its process, its deck, and where its control socket is."""

    pid: int
    deck: str
    control: str


class Instance:
    """The right to be the panel, held until `release`."""

    def __init__(self, folder: StateFolder) -> None:
        """Take it.

        Raises:
            Refused: another panel runs; the message names it.
        """
        self._path = folder.panel_pid
        self._handle = _taken(folder)

    def announce(self, panel: RunningPanel) -> None:
        """Say who holds it."""
        about = json.dumps({"pid": panel.pid, "deck": panel.deck, "control": panel.control})
        # The first line is for hooks: sh can read a number, and JSON it cannot.
        text = f"{panel.pid}\n{about}\n"
        os.ftruncate(self._handle, 0)
        os.pwrite(self._handle, text.encode(), 0)

    def stands(self) -> bool:
        """Say whether others can still see it: somebody may have removed the state folder."""
        return _is_at(self._handle, self._path)

    def release(self) -> None:
        """Give it up and leave nothing behind."""
        if self.stands():
            with contextlib.suppress(OSError):
                self._path.unlink()
        os.close(self._handle)


def forget_dead(folder: StateFolder) -> bool:
    """Remove what a killed panel left, and return whether it did.

    Its pid will be another program's one day, and hooks would wait for that one.
    """
    try:
        handle = os.open(folder.panel_pid, os.O_RDWR | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        dead = lock.taken(handle) and _is_at(handle, folder.panel_pid)
        if dead:
            folder.panel_pid.unlink()
    except OSError:
        return False
    else:
        return dead
    finally:
        os.close(handle)


def _taken(folder: StateFolder) -> int:
    """Return the open, locked file; see `Instance`."""
    while True:
        handle = os.open(folder.panel_pid, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            _take(handle, folder)
        except BaseException:
            os.close(handle)
            raise
        if _is_at(handle, folder.panel_pid):
            return handle
        os.close(handle)  # it was being removed: a lock nobody can see is none


def _is_at(handle: int, path: Path) -> bool:
    """Say whether the open file is the one that others find at `path`."""
    try:
        there, held = path.stat(), os.fstat(handle)
    except OSError:
        return False
    return (there.st_dev, there.st_ino) == (held.st_dev, held.st_ino)


def _take(handle: int, folder: StateFolder) -> None:
    patience = clock.monotonic() + _PATIENCE_S
    while not lock.taken(handle):
        other = running_panel(folder)
        if other is not None or clock.monotonic() > patience:
            raise _refused(other)
        clock.pause(lock.RETRY_S)


def _refused(other: RunningPanel | None) -> Refused:
    who = "its pid is not known"
    if other is not None and other.pid:
        who = f"pid {other.pid}, {other.deck} deck" if other.deck else f"pid {other.pid}"
    return Refused(f"a panel is running already ({who})", "end it first, or press its keys")


def running_panel(folder: StateFolder) -> RunningPanel | None:
    """Return the panel that runs now, None if there is none."""
    try:
        handle = os.open(folder.panel_pid, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return None
    try:
        return None if lock.taken(handle, shared=True) else _read(folder.panel_pid)
    finally:
        os.close(handle)


def _read(path: Path) -> RunningPanel:
    """What the holder wrote; a panel that has only just started may not have yet."""
    try:
        data = json.loads(files.read(path).splitlines()[-1])
        return RunningPanel(int(data["pid"]), str(data["deck"]), str(data["control"]))
    except (OSError, ValueError, LookupError, TypeError, OverflowError):
        return RunningPanel(0, "", "")
