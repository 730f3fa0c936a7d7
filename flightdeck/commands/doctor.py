"""Look at every moving part and say what to mend.

Ends with 1 if anything is a failure; each finding names the command that mends it.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from flightdeck.commands.result import Exit, Result
from flightdeck.errors import ConfigError, FlightdeckError
from flightdeck.fold.opening import fold_once, open_fold, panel_json
from flightdeck.install.client import config_folder
from flightdeck.install.inspect import Finding, Level, Running, inspect, unheard
from flightdeck.install.record import Records
from flightdeck.install.service_check import inspect_services
from flightdeck.install.services import Services, find_manager
from flightdeck.install.surroundings import service_site
from flightdeck.install.target import Target
from flightdeck.store import latch
from flightdeck.store.paths import StateFolder
from flightdeck.system import clock

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterable

    from flightdeck.commands.result import Say
    from flightdeck.fold.folding import Fold

EXAMPLES = """examples:
  flightdeck doctor
  flightdeck doctor --json | jq '.checks[] | select(.level != "ok")'"""

_STALE_S = 60.0
_WORDS = {Level.OK: "ok", Level.WARNING: "warning", Level.FAILURE: "FAILURE"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Take --json."""
    parser.add_argument("--json", action="store_true", help="one object, flightdeck.doctor/1")


def run(arguments: argparse.Namespace, say: Say) -> Result:
    """Look at everything and return what was found."""
    folder = StateFolder.from_environment()
    # A part's own fold would hide how long nobody has folded: look at that first.
    findings = [(part, finding) for part, look in _parts(folder) for finding in _guarded(look)]
    failed = any(finding.level is Level.FAILURE for _, finding in findings)
    code = Exit.NO if failed else Exit.DONE
    if arguments.json:
        return Result(data=_as_json(findings), code=code)
    return Result(tuple(line for part, f in findings for line in _lines(part, f)), code=code)


def _parts(folder: StateFolder) -> Iterable[tuple[str, Callable[[], Iterable[Finding]]]]:
    return (
        ("folder", lambda: _folder(folder)),
        ("brakes", lambda: _brakes(folder)),
        ("hooks", lambda: inspect(os.environ, Path.cwd(), folder.root)),
        ("services", lambda: _services(folder)),
        ("sessions", lambda: _sessions(folder)),
        ("panel", lambda: _panel(folder)),
        ("layout", lambda: _layout(folder)),
        ("risk", lambda: _risk(folder)),
        ("deck", _deck),
        ("drawing", _drawing),
        ("windows", _windows),
    )


def _guarded(look: Callable[[], Iterable[Finding]]) -> list[Finding]:
    """A part that cannot even be looked at is a failure, not the end of the visit."""
    try:
        return list(look())
    except ConfigError as error:
        return [
            Finding(Level.FAILURE, f"{p.location}: {p.message}", p.hint) for p in error.problems
        ]
    except FlightdeckError as error:
        return [Finding(Level.FAILURE, error.message, error.hint)]
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        return [Finding(Level.FAILURE, f"{where}{error.strerror or error}")]


def _folder(folder: StateFolder) -> Iterable[Finding]:
    if folder.root.exists() and not folder.root.is_dir():
        hint = f"mv {folder.root} {folder.root}.old && flightdeck apply"
        yield Finding(Level.FAILURE, f"{folder.root} is not a folder", hint)
        return
    if not folder.root.is_dir():
        yield Finding(Level.WARNING, f"{folder.root} is not there yet", "flightdeck apply")
        return
    mode = folder.root.stat().st_mode & 0o777
    if mode & 0o077:
        what = f"{folder.root} can be read by others (mode {mode:o})"
        yield Finding(Level.WARNING, what, f"chmod 700 {folder.root}")
    waiting = sum(1 for _ in folder.inbox.glob("*.ev")) if folder.inbox.is_dir() else 0
    age = clock.now() - folder.slots.stat().st_mtime if folder.slots.exists() else 0.0
    if waiting and age > _STALE_S:
        what = f"{waiting} events wait, nobody has folded for {age:.0f} s"
        yield Finding(Level.WARNING, what, "flightdeck run")
    else:
        yield Finding(Level.OK, f"state folder {folder.root}")


def _brakes(folder: StateFolder) -> Iterable[Finding]:
    """A fleet that stands still on purpose must not look like one that is broken."""
    if latch.stands(folder):
        what = f"HALTED: no new tool call runs while {folder.halt} stands"
        yield Finding(Level.WARNING, what, "flightdeck halt --off")
    else:
        yield Finding(Level.OK, "not halted")


def _services(folder: StateFolder) -> Iterable[Finding]:
    from flightdeck.commands.applying import reap_ms, wanted_jobs  # noqa: PLC0415 - reads YAML

    services = Services(find_manager(os.environ, sys.platform), folder)
    wanted = wanted_jobs(services, reap_ms(folder))
    return inspect_services(services, wanted, service_site(os.environ, folder), clock.now())


def _sessions(folder: StateFolder) -> Iterable[Finding]:
    if not folder.root.is_dir():
        return
    fold = open_fold(folder)
    outcome, _ = fold_once(fold)
    for name, fault in sorted(fold.files.broken.items()):
        what = f"session record {folder.sessions / name} cannot be read ({fault}) and is skipped"
        yield Finding(Level.WARNING, what, f"look at it, then rm {folder.sessions / name}")
    yield from _without_hooks(fold, folder)
    live = sum(1 for view in outcome.fleet.slots if view.key)
    more = f", {outcome.fleet.overflow} without a slot" if outcome.fleet.overflow else ""
    yield Finding(Level.OK, f"{live} sessions on the panel{more}")


def _without_hooks(fold: Fold, folder: StateFolder) -> Iterable[Finding]:
    record = Records(folder).load(Target(config_folder(os.environ)))
    silent = [s for s in fold.sessions() if not s.announced and not s.closed]
    live = [Running(s.pid, s.cwd, s.record.born if s.record else 0.0) for s in silent]
    return unheard(live, record.at if record else None)


def _panel(folder: StateFolder) -> Iterable[Finding]:
    panel = panel_json(folder)
    if panel["running"]:
        yield Finding(Level.OK, f"panel on the {panel['deck']} deck, pid {panel['pid']}")
    else:
        yield Finding(Level.WARNING, "no panel is running", "flightdeck run")


def _layout(folder: StateFolder) -> Iterable[Finding]:
    from flightdeck.config.layouts import load_layout_or_shipped  # noqa: PLC0415 - 100 ms
    from flightdeck.config.local import load_local  # noqa: PLC0415

    layout, warnings = load_layout_or_shipped(None, folder, load_local(folder))
    for warning in warnings:
        yield Finding(Level.WARNING, f"{warning.location}: {warning.message}", warning.hint)
    yield Finding(Level.OK, f"layout {layout.name} for {layout.device}")


def _risk(folder: StateFolder) -> Iterable[Finding]:
    from flightdeck.fold.judging import compile_rules  # noqa: PLC0415 - may read YAML

    rules = compile_rules(folder)
    left_out = {problem.location.file for problem in rules.problems}
    for problem in rules.problems:
        yield Finding(Level.FAILURE, f"{problem.location}: {problem.message}", problem.hint)
    for file in sorted(left_out):
        yield Finding(Level.WARNING, f"no rule of {file} counts until that is mended")
    own = sum(rule.local for rule in rules.table.rules)
    more = f", {own} of your own" if own else ""
    yield Finding(Level.OK, f"{len(rules.table.rules)} risk rules{more}")


def _deck() -> Iterable[Finding]:
    from flightdeck.decks.closed import hindrance  # noqa: PLC0415
    from flightdeck.decks.hardware import attached  # noqa: PLC0415 - loads the HID library

    there = attached()
    hint = hindrance() if there else ""
    for deck in there:
        fits = "" if deck.model else ", which no layout is made for yet"
        if hint:
            yield Finding(Level.WARNING, f"{deck.title} is attached, and closed to us", hint)
        else:
            yield Finding(Level.OK, f"{deck.title} is attached{fits}")
    if not there:
        yield Finding(Level.OK, "no Stream Deck is attached: `run` takes a browser tab")


def _drawing() -> Iterable[Finding]:
    from flightdeck.faces.raster import backend  # noqa: PLC0415 - loads the rasteriser

    yield Finding(Level.OK, f"faces are drawn by {backend()}")


def _windows() -> Iterable[Finding]:
    from flightdeck.hosts.programs import installed  # noqa: PLC0415

    tmux = installed("tmux")
    if tmux:
        yield Finding(Level.OK, f"tmux at {tmux}")
    else:
        yield Finding(Level.WARNING, "tmux is not installed; its panes cannot come forward")
    if sys.platform == "darwin":
        yield from _iterm2()


def _iterm2() -> Iterable[Finding]:
    """Consent belongs to the program that started this one, so a panel may differ."""
    from flightdeck.hosts.applescript import AppleScript  # noqa: PLC0415
    from flightdeck.system.run import run as run_program  # noqa: PLC0415

    try:
        AppleScript(run_program).probe()
    except FlightdeckError as error:
        yield Finding(Level.WARNING, f"iTerm2, asked from this terminal: {error}", error.hint)
    else:
        yield Finding(Level.OK, "iTerm2 may be controlled from this terminal")


def _as_json(findings: list[tuple[str, Finding]]) -> dict[str, object]:
    return {
        "schema": "flightdeck.doctor/1",
        "checks": [
            {"part": part, "level": f.level.value, "what": f.what, "hint": f.hint or None}
            for part, f in findings
        ],
    }


def _lines(part: str, finding: Finding) -> list[str]:
    lines = [f"{_WORDS[finding.level]:<8} {part}: {finding.what}"]
    if finding.hint and finding.level is not Level.OK:
        lines.append(f"{'':<8} mend: {finding.hint}")
    return lines
