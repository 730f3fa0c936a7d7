"""The visit: every part asked in turn, each for so long and no longer.

A part that hangs is left behind with the thread it hangs in, one that breaks is a failure
of its own; the visit goes on. All that do not hang share one thread, for the HID library
of macOS wants to be asked from one that lives.

Source: README.md, "Doctor".
"""

from __future__ import annotations

import importlib
import queue
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from flightdeck.errors import ConfigError, FlightdeckError, Unavailable
from flightdeck.model.finding import Finding, Known, Level, failure

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from flightdeck.doctor.machine import Machine
    from flightdeck.errors import Problem

    Look = Callable[[Machine], Iterable[Finding]]

# The order is that of telling; and a fold of ours would hide how long nobody has folded.
PARTS = (
    *("folder", "brakes", "client", "hooks", "registry", "services", "sessions", "panel"),
    *("layout", "verbs", "risk", "deck", "drawing", "windows"),
)
# Longer than the longest wait of any part: what is later than that will not come.
PATIENCE_S = 45.0
_REPORT = "flightdeck doctor --report"


@dataclass(frozen=True, slots=True)
class Told:
    """What one part had to say."""

    part: str
    findings: tuple[Finding, ...]

    @property
    def level(self) -> Level:
        """The worst of it."""
        levels = {finding.level for finding in self.findings}
        return next((one for one in reversed(Level) if one in levels), Level.OK)


def visit(
    machine: Machine,
    looks: Sequence[tuple[str, Look]] | None = None,
    patience_s: float = PATIENCE_S,
) -> list[Told]:
    """Return what every part says; None: all there are. A part has `patience_s` seconds."""
    waiting = list(looks) if looks is not None else [(part, _look(part)) for part in PARTS]
    told: list[Told] = []
    while waiting:
        looker = _Looker(machine, waiting)
        for part, _ in tuple(waiting):
            del waiting[0]
            findings = looker.next(patience_s)
            told.append(Told(part, (_late(patience_s),) if findings is None else findings))
            if findings is None:
                break
    return told


class _Looker:
    """A thread that looks at parts one after the other."""

    def __init__(self, machine: Machine, looks: Iterable[tuple[str, Look]]) -> None:
        self._machine = machine
        self._looks = tuple(look for _, look in looks)
        self._answers: queue.SimpleQueue[tuple[Finding, ...]] = queue.SimpleQueue()
        self._left = threading.Event()
        threading.Thread(target=self._work, name="doctor", daemon=True).start()

    def next(self, patience_s: float) -> tuple[Finding, ...] | None:
        """Return what the next part says; None if it is late, and nothing more is looked at."""
        try:
            return self._answers.get(timeout=patience_s)
        except queue.Empty:
            self._left.set()
            return None

    def _work(self) -> None:
        for look in self._looks:
            if self._left.is_set():
                return
            self._answers.put(tuple(guarded(look, self._machine)))


def guarded(look: Look, machine: Machine) -> list[Finding]:
    """Return what a part says; one that cannot be looked at is a failure, not the end."""
    try:
        return list(look(machine))
    except ConfigError as error:
        return [of_problem(problem) for problem in error.problems]
    except FlightdeckError as error:
        if isinstance(error, Unavailable) and not machine.reachable:
            return []  # `folder` has said why
        return [failure("{message}", "{hint}", message=error.message, hint=error.hint)]
    except OSError as error:
        if not machine.reachable:
            return []
        return [_unreadable(error)]
    except Exception as error:  # a bug in one look must not keep the others from being had
        kind = Known(type(error).__name__)
        return [failure("it could not be looked at: {kind}", _REPORT, kind=kind)]


def _unreadable(error: OSError) -> Finding:
    # Only the system's own words are known to hold nobody's paths.
    why = Known(error.strerror) if error.strerror else str(error)
    if not isinstance(error.filename, str):
        return failure("{file}: {why}", file="a file of it", why=why)
    hint = "see who owns it: ls -ld {file}"
    return failure("{file}: {why}", hint, file=Path(error.filename), why=why)


def of_problem(problem: Problem, level: Level = Level.FAILURE) -> Finding:
    """Return a problem of somebody's file as a finding; in public its place is all there is."""
    at = problem.location
    said = {"file": at.file, "line": at.line, "column": at.column or 1}
    text = "{file}:{line}:{column}: {message}" if at.line else "{file}: {message}"
    return Finding(
        level, text, "{hint}", {**said, "message": problem.message, "hint": problem.hint}
    )


def _late(patience_s: float) -> Finding:
    return failure("it gave no answer in {seconds:g} s", _REPORT, seconds=patience_s)


def _look(part: str) -> Look:
    """Return what looks at a part; its module is loaded in the part's own time."""

    def look(machine: Machine) -> Iterable[Finding]:
        found: Look = importlib.import_module(f"flightdeck.doctor.{part}").look
        return found(machine)

    return look
