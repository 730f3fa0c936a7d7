"""Ends one process and no other, by SIGTERM: it is asked to go, never made to.

A killed agent leaves the shells it started behind, still at work in its worktree; one that
is asked ends them first. A pid comes round again, so the process is held by a handle, where
the system has those, from before its start is compared until the signal is sent.

Source: pidfd_open(2); kill(2).
"""

from __future__ import annotations

import os
import signal
import sys

from flightdeck.errors import Refused
from flightdeck.system import clock
from flightdeck.system.process import alive, start_of

_LOOK_S = 0.02


def terminate(pid: int, start: str) -> bool:
    """Send SIGTERM to the process that began at `start`; say whether it was there to get it.

    Raises:
        Refused: when it began is not known, or it may not be signalled.
    """
    if not start or pid <= 1:
        raise Refused("which process the agent is cannot be proven")
    handle = _handle(pid)
    try:
        found = start_of(pid)
        if found == "":  # it lives, and nobody can tell since when
            raise Refused("which process the agent is cannot be proven")
        if found != start:
            return False
        _signal(pid, handle)
    except ProcessLookupError:
        return False
    except PermissionError as error:
        raise Refused(f"process {pid} may not be signalled") from error
    finally:
        if handle is not None:
            os.close(handle)
    return True


def ends(pid: int, start: str, patience_s: float) -> bool:
    """Wait until the process that began at `start` is gone; say whether it went in time."""
    until = clock.monotonic() + patience_s
    while alive(pid, start):
        if clock.monotonic() >= until:
            return False
        clock.pause(_LOOK_S)
    return True


def _handle(pid: int) -> int | None:
    if sys.platform != "linux":
        return None
    try:
        return os.pidfd_open(pid)
    except OSError:  # it has ended, or a sandbox forbids the call
        return None


def _signal(pid: int, handle: int | None) -> None:
    if handle is None or sys.platform != "linux":
        os.kill(pid, signal.SIGTERM)
    else:
        signal.pidfd_send_signal(handle, signal.SIGTERM)
