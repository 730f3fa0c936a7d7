"""The programs windows are reached by: tmux, and on macOS iTerm2.

Source: README.md, "Focus"; tmux's changelog for what its 3.0 brought.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from flightdeck.errors import FlightdeckError, Unavailable
from flightdeck.hosts import iterm2_api, programs
from flightdeck.hosts.applescript import AppleScript
from flightdeck.model.finding import Finding, Known, ok, warning
from flightdeck.system.run import run

if TYPE_CHECKING:
    from collections.abc import Iterator

    from flightdeck.doctor.machine import Machine

_ANSWER_S = 5.0
# What we ask of it is there from this version on.
_OLDEST = (3, 0)
_APP = "Applications/iTerm.app"


def look(machine: Machine) -> Iterator[Finding]:
    """Say which windows could be brought forward."""
    yield from _tmux(machine)
    if machine.platform == "darwin" and _has_iterm2(machine):
        yield from _iterm2()


def _tmux(machine: Machine) -> Iterator[Finding]:
    socket = machine.environ.get("TMUX", "").partition(",")[0]
    program = programs.find("tmux")
    try:
        told = run([program, "-V"], timeout_s=_ANSWER_S).out
    except Unavailable as error:
        if socket or programs.installed("tmux"):
            hint = "install tmux, or name it: FLIGHTDECK_TMUX"
            yield warning("{why}: no pane can be brought forward", hint, why=error.message)
        else:
            yield ok("tmux is not installed: only agents in a tmux need it")
        return
    found = re.search(r"([0-9]+)\.([0-9]+)", told)
    version = (int(found[1]), int(found[2])) if found else _OLDEST
    shown = Known(f"{version[0]}.{version[1]}") if found else Known("of no known version")
    if version < _OLDEST:
        what = "tmux {version} at {path} is too old: panes are asked for in words of 3.0"
        yield warning(what, "install tmux 3.0 or later", version=shown, path=program)
    elif socket and (why := _silent(program, socket)):
        what = "the tmux this terminal is in ({socket}) does not answer: {why}"
        yield warning(what, "unset TMUX, or attach again", socket=socket, why=why)
    else:
        yield ok("tmux {version} at {path}", version=shown, path=program)


def _silent(program: str, socket: str) -> str:
    """Return why the server at a socket does not answer, "" if it does."""
    try:
        done = run([program, "-S", socket, "display-message", "-p", "x"], timeout_s=_ANSWER_S)
    except Unavailable as error:
        return error.message
    return done.err.strip().partition("\n")[0] if done.code else ""


def _has_iterm2(machine: Machine) -> bool:
    inside = machine.environ.get("TERM_PROGRAM") == "iTerm.app"
    places = (machine.root / _APP, Path(machine.environ.get("HOME") or "/") / _APP)
    return inside or any(place.is_dir() for place in places)


def _iterm2() -> Iterator[Finding]:
    """Consent belongs to the program that started this one, so a panel may differ."""
    try:
        AppleScript(run).probe()
    except FlightdeckError as error:
        if not error.hint:  # it does not run: nobody is in it
            yield ok("iTerm2, asked from this terminal: {why}", why=Known(error.message))
            return
        what = "iTerm2, asked from this terminal: {why}"
        yield warning(what, "{hint}", why=error.message, hint=error.hint)
    else:
        yield ok("iTerm2 may be controlled from this terminal")
    if not iterm2_api.api_socket().exists():
        hint = "iTerm2 > Settings > General > Magic > Enable Python API"
        yield warning("iTerm2's Python API is off: no verb can be typed there", hint)
