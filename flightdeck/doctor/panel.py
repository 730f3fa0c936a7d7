"""The panel: whether one runs, answers, draws what its files say, and is of this version.

Source: README.md, "Editing a layout" and "Services".
"""

from __future__ import annotations

from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING

from flightdeck.errors import Unavailable
from flightdeck.model.finding import Finding, Known, failure, ok, warning
from flightdeck.panel.control import ask
from flightdeck.store import fault
from flightdeck.store.instance import RunningPanel, running_panel

if TYPE_CHECKING:
    from collections.abc import Iterator

    from flightdeck.doctor.machine import Machine
    from flightdeck.store.paths import StateFolder

_RUN, _ANEW = "flightdeck run", "kill {pid} && flightdeck run"
# One that hangs may not hear that it is to end.
_BY_FORCE = "kill -9 {pid} && flightdeck run"
_ANSWER_S = 3.0
# It is no request: the panel says that it does not know it, and so that it hears.
_KNOCK = {"do": "nothing"}
# pip writes its files in any order, and a panel may start in between.
_ABOUT_S = 2.0


def look(machine: Machine) -> Iterator[Finding]:
    """Say of the panel how it fares."""
    folder = machine.folder
    panel = running_panel(folder)
    if panel is None:
        yield from _absent(folder)
        return
    faults = [*_deaf(panel), *_problem(folder), *_outdated(folder, panel)]
    deck = Known(panel.deck) if panel.deck else Known("not yet known")
    told = ok("panel on the {deck} deck, pid {pid}", deck=deck, pid=panel.pid)
    yield from faults or [told]


def _absent(folder: StateFolder) -> Iterator[Finding]:
    if folder.panel_pid.exists():
        what = "{file} is left of a panel that was killed: hooks may wait for it"
        yield warning(what, "flightdeck reap", file=folder.panel_pid)
    yield warning("no panel is running", _RUN)


def _deaf(panel: RunningPanel) -> Iterator[Finding]:
    if not panel.control:
        yield warning("a panel is only starting, or hangs (pid {pid})", _BY_FORCE, pid=panel.pid)
        return
    try:
        ask(panel.control, dict(_KNOCK), _ANSWER_S)
    except Unavailable:
        what = "the panel (pid {pid}) does not answer: no press from a terminal arrives"
        yield failure(what, _BY_FORCE, pid=panel.pid)


def _problem(folder: StateFolder) -> Iterator[Finding]:
    if problem := fault.read(folder):
        what = "the panel shows what its files said before: {problem}"
        yield warning(what, "flightdeck validate", problem=problem)


def _outdated(folder: StateFolder, panel: RunningPanel) -> Iterator[Finding]:
    """A panel goes on with the code it was started with, whatever was installed since."""
    began = folder.panel_pid.stat().st_mtime
    if (installed := _installed_at()) is not None and installed > began + _ABOUT_S:
        what = "the panel (pid {pid}) was started before flightdeck was installed anew"
        yield warning(what, _ANEW, pid=panel.pid)


def _installed_at() -> float | None:
    """Return when this flightdeck was installed, in seconds since the epoch, if it says so."""
    try:
        files = metadata.files("flightdeck") or []
        record = next(file for file in files if file.name == "RECORD")
        return Path(record.locate()).stat().st_mtime
    except (metadata.PackageNotFoundError, StopIteration, OSError, AttributeError):
        return None
