"""Whether a process lives, and when it began: a pid alone comes round again.

The start of a process is an opaque token, only ever compared. On Linux it is field 22
of `/proc/<pid>/stat`, the very number Claude Code writes as `procStart`; elsewhere what
`ps` prints. A zombie is dead: nobody answers there any more.

Source: proc_pid_stat(5); ps(1).
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from flightdeck.errors import Unavailable
from flightdeck.system.run import run

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from flightdeck.ports import Runner

_PROC = Path("/proc")
_PS_TIMEOUT_S = 2.0
# Some fifty numbers and a name of 64 characters at most, in one read.
_STAT_BYTES = 4096
# Dates in one language and one zone, or a token would change under a living process.
_PS = ("/usr/bin/env", "LC_ALL=C", "TZ=UTC0", "ps")
_DEAD = frozenset("ZXx")

# What `ps` said last, for the moments it says nothing: see `starts_by_ps`.
_told: dict[int, str] = {}


def start_of(pid: int) -> str | None:
    """Return the start of a living process, None if it is dead or a zombie.

    Empty if it lives but its start cannot be told.
    """
    return starts_of((pid,)).get(pid)


def starts_of(pids: Iterable[int]) -> dict[int, str]:
    """Return the start of each process that lives, at the cost of one `ps` at most."""
    asked = {pid for pid in pids if pid > 1}
    if not (_PROC / "self" / "stat").exists():
        return starts_by_ps(asked, run)
    return {pid: start for pid in asked if (start := _start_in_proc(pid)) is not None}


def alive(pid: int, start: str) -> bool:
    """Say whether the process that began at `start` still lives; "" stands for any."""
    found = start_of(pid)
    return found is not None and (found == start or not found or not start)


def parents_of(pid: int) -> tuple[int, ...]:
    """Return the processes above `pid`, its own parent first, at the cost of one `ps` at most.

    A process whose parent has ended belongs to whoever takes in orphans. Empty where it
    cannot be told.
    """
    if (_PROC / "self" / "stat").exists():
        return _chain(pid, _parent_in_proc)
    return parents_by_ps(pid, run)


def environment_of(pid: int, names: Iterable[str]) -> dict[str, str]:
    """Return those of `names` a process was started with; {} where that cannot be told.

    Only the names asked for leave this function: the rest of an agent's environment
    holds its keys. Linux only; elsewhere nothing short of all of it can be had.
    """
    try:
        raw = (_PROC / str(pid) / "environ").read_bytes()
    except OSError:
        return {}
    wanted = {name.encode(): name for name in names}
    pairs = (entry.partition(b"=") for entry in raw.split(b"\0"))
    return {
        wanted[name]: value.decode("utf-8", "replace") for name, _, value in pairs if name in wanted
    }


def starts_by_ps(pids: Iterable[int], runner: Runner) -> dict[int, str]:
    """Do what `starts_of` does where there is no `/proc`."""
    asked = set(pids)
    if not asked:
        return {}
    which = ("-p", str(*asked)) if len(asked) == 1 else ("-ax",)
    try:
        done = runner([*_PS, *which, "-o", "pid=,stat=,lstart="], timeout_s=_PS_TIMEOUT_S)
    except Unavailable:
        # Silence is no proof of death: a busy machine must not turn its keys red.
        return {pid: _told.get(pid, "") for pid in asked if takes_signals(pid)}
    found = {pid: start for pid, start in _parse_ps(done.out) if pid in asked}
    for pid in asked - found.keys():
        _told.pop(pid, None)
    _told.update(found)
    return found


def parents_by_ps(pid: int, runner: Runner) -> tuple[int, ...]:
    """Do what `parents_of` does where there is no `/proc`."""
    try:
        done = runner([*_PS, "-ax", "-o", "pid=,ppid="], timeout_s=_PS_TIMEOUT_S)
    except Unavailable:
        return ()
    rows = [row for line in done.out.splitlines() if len(row := line.split()) == 2]
    above = {int(own): int(its) for own, its in rows if own.isdecimal() and its.isdecimal()}
    return _chain(pid, above.get)


def _chain(pid: int, parent_of: Callable[[int], int | None]) -> tuple[int, ...]:
    """Return one parent after another; pids that come round again end it."""
    chain: list[int] = []
    while (parent := parent_of(pid)) and parent not in chain:
        chain.append(parent)
        pid = parent
    return tuple(chain)


def _parent_in_proc(pid: int) -> int | None:
    fields = _stat_in_proc(pid)
    return int(fields[1]) if len(fields) > 1 and fields[1].isdecimal() else None


def _start_in_proc(pid: int) -> str | None:
    fields = _stat_in_proc(pid)
    if len(fields) < 20 or fields[0] in _DEAD:
        return None
    return fields[19]


def _stat_in_proc(pid: int) -> list[str]:
    """Return the fields of a process from its state on, none if it is not there."""
    try:
        # Asked for every session every second: a stream would cost twice what this does.
        handle = os.open(f"{_PROC}/{pid}/stat", os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return []
    try:
        stat = os.read(handle, _STAT_BYTES)
    except OSError:  # it has ended in between
        return []
    finally:
        os.close(handle)
    # The name stands in parentheses and may hold any character, parentheses too.
    return stat[stat.rfind(b")") + 1 :].decode("ascii", "replace").split()


def _parse_ps(out: str) -> Iterable[tuple[int, str]]:
    for line in out.splitlines():
        pid, _, rest = line.strip().partition(" ")
        state, _, start = rest.strip().partition(" ")
        if pid.isdecimal() and state[:1] not in _DEAD and start:
            yield int(pid), " ".join(start.split())


def takes_signals(pid: int) -> bool:
    """Say whether there is a process `pid`, a zombie too: cheap, and no proof of life."""
    try:
        os.kill(pid, 0)
    except PermissionError:
        return True
    except (OSError, OverflowError):
        return False
    return True
