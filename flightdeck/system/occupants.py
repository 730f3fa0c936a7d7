"""Which processes stand in a folder: their working folder is it, or lies inside.

On Linux read from `/proc`, elsewhere asked of `lsof`. A process of somebody else may hide
where it stands; nobody without that right can tell, so it is not counted.

Source: proc_pid_cwd(5), proc_pid_stat(5); lsof(8), "OUTPUT FOR OTHER PROGRAMS".
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from flightdeck.errors import Unavailable
from flightdeck.system.run import run

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from flightdeck.ports import Runner

_PROC = Path("/proc")
_LSOF = ("/usr/bin/env", "LC_ALL=C", "lsof", "-w", "-n", "-P", "-d", "cwd", "-F", "pRcn")
_LSOF_TIMEOUT_S = 5.0
_GENERATIONS = 64
_CLIMBS = 5
_CONTROL = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "\\": "\\"}


@dataclass(frozen=True, slots=True)
class Occupant:
    """A process that stands in the folder; `ancestors` are its parent, that one's, and so on."""

    pid: int
    name: str
    ancestors: tuple[int, ...] = ()

    def __str__(self) -> str:
        return f"{self.name} ({self.pid})"


def occupants(folder: str, runner: Runner = run) -> list[Occupant]:
    """Return every process that stands in `folder`, an absolute path without links.

    Raises:
        Unavailable: nobody can tell.
    """
    if (_PROC / "self" / "cwd").exists():
        return list(_by_proc(folder))
    return by_lsof(folder, runner)


def ancestors(pid: int, runner: Runner = run) -> tuple[int, ...]:
    """Return the parents of a process, nearest first; as far as they can be told."""
    if (_PROC / "self" / "stat").exists():
        return _climb(pid, _parent)
    try:
        done = runner(["ps", "-axo", "pid=,ppid="], timeout_s=_LSOF_TIMEOUT_S)
    except Unavailable:
        return (os.getppid(),) if pid == os.getpid() else ()
    rows = [line.split() for line in done.out.splitlines()]
    parents = {int(a): int(b) for a, b in (row for row in rows if len(row) == 2)}
    return _climb(pid, lambda child: parents.get(child, 0))


def inside(path: str, folder: str) -> bool:
    """Say whether `path` is `folder` or below it; both absolute and without links."""
    return path == folder or path.startswith(folder.rstrip("/") + "/")


def by_lsof(folder: str, runner: Runner) -> list[Occupant]:
    """Do what `occupants` does where there is no `/proc`.

    Raises:
        Unavailable: there is no `lsof`, or it says nothing.
    """
    done = runner(_LSOF, timeout_s=_LSOF_TIMEOUT_S)
    rows = list(_records(done.out))
    # It ends with 1 if there is anything it may not see; silence proves nothing at all.
    if not rows or done.code not in {0, 1}:
        raise Unavailable("lsof does not say which processes there are")
    parents = {pid: parent for pid, parent, _, _ in rows}
    return [
        Occupant(pid, name, _climb(pid, lambda child: parents.get(child, 0)))
        for pid, _, name, cwd in rows
        if inside(cwd, folder)
    ]


def _records(out: str) -> Iterable[tuple[int, int, str, str]]:
    """Yield pid, parent, name and folder of each process `lsof` tells of."""
    known: dict[str, str] = {}
    for line in out.splitlines():
        kind, value = line[:1], line[1:]
        known = {kind: value} if kind == "p" else known | {kind: value}
        if kind == "n" and known.get("p", "").isdecimal():
            parent = known.get("R", "0")
            pid = int(known["p"])
            yield pid, int(parent) if parent.isdecimal() else 0, known.get("c", ""), _path(value)


def _path(text: str) -> str:
    """Return a path as it is; `lsof` writes what is not printable as escapes."""
    raw = re.sub(r"\\x([0-9a-f]{2})|\\([bfnrt\\])", _unescaped, text)
    return os.fsdecode(raw.encode("latin-1")) if raw.isascii() or _narrow(raw) else text


def _narrow(text: str) -> bool:
    return all(ord(c) < 256 for c in text)


def _unescaped(match: re.Match[str]) -> str:
    return chr(int(match[1], 16)) if match[1] else _CONTROL[match[2]]


def _by_proc(folder: str) -> Iterable[Occupant]:
    for name in os.listdir(_PROC):  # noqa: PTH208 - a Path for each would cost more than the look
        if not name.isdecimal():
            continue
        try:
            cwd = os.readlink(f"{_PROC}/{name}/cwd")  # noqa: PTH115 - the text, not a path
        except OSError:
            continue  # it has ended, or is not ours to look at
        if inside(cwd, folder) and (found := _occupant(int(name))):
            yield found


def _occupant(pid: int) -> Occupant | None:
    """Return a process with its ancestors, None if it has ended meanwhile.

    When one of them ends during the climb its child gets another parent: climb again, or
    the child of an agent could pass for a stranger.
    """
    for climb in range(_CLIMBS):
        if (told := _told(pid)) is None:
            break
        found = _climb(pid, _parent)
        if not found or _told(found[-1]) is not None:
            return Occupant(pid, told[0], found)
        if climb == _CLIMBS - 1:
            return Occupant(pid, told[0])
    return None


def _parent(pid: int) -> int:
    told = _told(pid)
    return told[1] if told else 0


def _told(pid: int) -> tuple[str, int] | None:
    """Return the name and the parent of a process, None if it has ended."""
    try:
        stat = (_PROC / str(pid) / "stat").read_bytes()
    except OSError:
        return None
    # The name stands in parentheses and may hold any character, parentheses too.
    head, _, tail = stat.rpartition(b")")
    fields = tail.split()
    parent = int(fields[1]) if len(fields) > 1 and fields[1].isdigit() else 0
    return head.partition(b"(")[2].decode("utf-8", "replace"), parent


def _climb(pid: int, parent_of: Callable[[int], int]) -> tuple[int, ...]:
    # Bounded: a pid that comes round again while we climb could close a ring.
    found: list[int] = []
    while len(found) < _GENERATIONS and (parent := parent_of(pid)) > 0 and parent not in found:
        found.append(parent)
        pid = parent
    return tuple(found)
