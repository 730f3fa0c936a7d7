"""Whether what is typed on a terminal reaches one certain process.

It does where the terminal is that process's own and its process group the one in the
foreground: not while it is suspended, nor while another program stands before it. What
cannot be told counts as no.

A process may also lend its terminal to a child in its own group, as an agent does that opens
an editor: that child reads it then. Where there is no `/proc` nobody can tell.

Source: proc_pid_stat(5), fields 3 to 8; proc_tid_children(5); tcsetpgrp(3); ps(1) of macOS
and procps.
"""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from flightdeck.errors import Unavailable
from flightdeck.system.run import run

if TYPE_CHECKING:
    from flightdeck.ports import Runner

_PROC = Path("/proc")
_PS = ("/usr/bin/env", "LC_ALL=C", "ps", "-o", "tty=,pgid=,tpgid=,stat=", "-p")
_PS_TIMEOUT_S = 2.0
# Stopped, traced, zombie, dead: none of them reads.
_STILL = frozenset("TtZXx")


@dataclass(frozen=True, slots=True)
class _Stand:
    """Where a process stands: its terminal, its group, and the group that hears the keys."""

    terminal: str | int
    group: int
    front: int
    state: str

    @property
    def hears(self) -> bool:
        """Whether it reads what is typed there."""
        return self.front == self.group > 0 and self.state not in _STILL


def in_front(pid: int, device: str, runner: Runner = run) -> bool:
    """Say whether the keys of `device`, `/dev/pts/3` say, go to process `pid` now.

    False too where that cannot be told. Never raises.
    """
    if pid <= 1:
        return False
    if not (_PROC / "self" / "stat").exists():
        return in_front_by_ps(pid, device, runner)
    stand, terminal = _by_proc(pid), _number(device)
    hears = stand is not None and stand.terminal == terminal and stand.hears
    return hears and not any(_reads(child, terminal) for child in _children(pid))


def _children(pid: int) -> list[str]:
    """Return the pids of its children, none where the kernel does not tell."""
    children: list[str] = []
    for told in (_PROC / str(pid) / "task").glob("*/children"):
        with suppress(OSError):  # a thread may end meanwhile
            children += told.read_text("ascii").split()
    return children


def _reads(child: str, terminal: int | None) -> bool:
    """Say whether its standard input is that terminal: a tool or a server of an agent has none."""
    try:
        return (_PROC / child / "fd" / "0").stat().st_rdev == terminal
    except OSError:  # it has ended, or is another user's
        return False


def in_front_by_ps(pid: int, device: str, runner: Runner) -> bool:
    """Do what `in_front` does where there is no `/proc`."""
    try:
        words = runner([*_PS, str(pid)], timeout_s=_PS_TIMEOUT_S).out.split()
    except Unavailable:
        return False
    if len(words) != 4 or not words[1].isdecimal() or not words[2].isdecimal():
        return False
    tty, group, front, state = words
    stand = _Stand(f"/dev/{tty}", int(group), int(front), state[:1])
    return stand.terminal == device and stand.hears


def _by_proc(pid: int) -> _Stand | None:
    """Return where a process stands, its terminal by device number."""
    try:
        line = (_PROC / str(pid) / "stat").read_bytes()
    except OSError:
        return None
    # The name stands in parentheses and may hold any character, parentheses too.
    fields = line[line.rfind(b")") + 1 :].decode("ascii", "replace").split()
    try:
        state, _, group, _, terminal, front = fields[:6]
        return _Stand(_device_number(int(terminal)), int(group), int(front), state)
    except ValueError:
        return None


def _device_number(encoded: int) -> int:
    """Return the number `stat` gives a terminal for the one `/proc` gives it.

    The kernel puts the minor number's low byte first, then the major number, then the rest.
    """
    major = (encoded >> 8) & 0xFFF
    minor = (encoded & 0xFF) | ((encoded >> 12) & 0xFFF00)
    return os.makedev(major, minor)


def _number(device: str) -> int | None:
    try:
        found = Path(device).stat()
    except (OSError, ValueError):  # not there; no path at all
        return None
    return found.st_rdev if stat.S_ISCHR(found.st_mode) else None
