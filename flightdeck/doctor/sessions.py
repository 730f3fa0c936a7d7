"""The sessions: folded once, as every command does, and those nobody hears of named.

Source: README.md, "How a key gets its colour".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from flightdeck.fold.opening import fold_once, open_fold
from flightdeck.install.inspect import Running, unheard
from flightdeck.install.record import Records
from flightdeck.model.finding import Finding, Known, ok, warning

if TYPE_CHECKING:
    from collections.abc import Iterator

    from flightdeck.doctor.machine import Machine
    from flightdeck.fold.folding import Fold


def look(machine: Machine) -> Iterator[Finding]:
    """Say which records cannot be read, who runs without hooks, and how many there are."""
    folder = machine.folder
    if not folder.root.is_dir():
        return
    fold = open_fold(folder)
    outcome, _ = fold_once(fold)
    for name, fault in sorted(fold.files.broken.items()):
        what = "session record {file} cannot be read ({fault}) and is skipped"
        yield warning(what, "look at it, then rm {file}", file=folder.sessions / name, fault=fault)
    yield from _without_hooks(fold, machine)
    live = sum(1 for view in outcome.fleet.slots if view.key)
    more = ", {overflow} without a slot" if outcome.fleet.overflow else ""
    told = "{count} session{s} on the panel" + more
    yield ok(told, count=live, s=_plural(live), overflow=outcome.fleet.overflow)


def _plural(count: int) -> Known:
    return Known("" if count == 1 else "s")


def _without_hooks(fold: Fold, machine: Machine) -> list[Finding]:
    record = Records(machine.folder).load(machine.settings)
    silent = [s for s in fold.sessions() if not s.announced and not s.closed]
    live = [Running(s.pid, s.cwd, s.record.born if s.record else 0.0) for s in silent]
    return unheard(live, record.at if record else None)
