"""What is under test: something that says of every session what it is doing.

`Installed` is flightdeck as a person puts it in. `Registry` reads the client's own records
and nothing else: it has no word for done and failed, but shows whether the lab itself works.
Both are read from outside, by the contract alone.
"""

from __future__ import annotations

import json
import subprocess
import threading
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from tests.real.judge import Answer
from tests.real.session import Session, until

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.real.lab import Lab

REAP_EVERY_S = 15.0  # what the installed timer does


@dataclass(frozen=True, slots=True)
class Shown:
    """One occupied slot."""

    slot: int
    state: str
    session_id: str
    pid: int


class Panel(Protocol):
    """Something that can be installed and then looked at."""

    says: dict[str, str]

    def install(self) -> None:
        """Put it in and wait until it runs."""

    def slots(self) -> Sequence[Shown]:
        """Return what it shows now."""

    def faults(self) -> str:
        """Return what of it broke so far, for a person to read."""


@dataclass(slots=True)
class Installed:
    """flightdeck: `apply`, `run` on the recorder, `reap` by the clock; read from `slots.json`."""

    lab: Lab
    flags: Sequence[str] = ()
    says: dict[str, str] = field(default_factory=dict)
    broken: list[str] = field(default_factory=list)
    process: subprocess.Popen[bytes] | None = None
    _raw: bytes = b""
    _slots: Sequence[Shown] = ()

    def install(self) -> None:
        """Install the hooks, start the panel and the timer."""
        self.lab.run("flightdeck", "apply", "--yes")
        self.start()
        threading.Thread(target=self._reap, daemon=True).start()

    def start(self, *flags: str) -> None:
        """Start the panel, with these flags after its own, and wait until it listens."""
        record = str(self.lab.root / "record")
        panel = self.process = self.lab.start(
            "panel",
            "flightdeck",
            "run",
            "--deck",
            "recorder",
            "--record",
            record,
            *self.flags,
            *flags,
        )
        log, pid = self.lab.root / "log/panel", self.lab.fleet / "panel.pid"

        def listens() -> bool:
            words = pid.read_text().split() if pid.exists() else []
            here = words[:1] == [str(panel.pid)] and (self.lab.fleet / "slots.json").exists()
            return here or panel.poll() is not None

        until(listens, 20, "the panel")
        if panel.poll() is not None:
            raise AssertionError(f"`flightdeck run` ended:\n{log.read_text(errors='replace')}")

    def _reap(self) -> None:
        while True:
            time.sleep(REAP_EVERY_S)
            try:
                self.lab.run("flightdeck", "reap")
            except subprocess.CalledProcessError as error:
                self.broken.append(f"`flightdeck reap` ended with {error.returncode}")
                self.broken.append(error.stderr)

    def faults(self) -> str:
        """Return what `reap` complained of and the traces flightdeck left."""
        traces = sorted((self.lab.fleet / "log").glob("*crash*"))
        return "\n".join([*self.broken, *(t.read_text(errors="replace") for t in traces)])

    def slots(self) -> Sequence[Shown]:
        """Return the snapshot as the panel left it."""
        try:
            raw = (self.lab.fleet / "slots.json").read_bytes()
        except OSError:
            return ()
        if raw != self._raw:
            self._raw, self._slots = raw, [_shown(s) for s in json.loads(raw)["slots"]]
        return self._slots


def _shown(slot: dict[str, Any]) -> Shown:
    return Shown(
        slot["slot"], slot["state"], slot.get("session_id") or "", int(slot.get("pid") or 0)
    )


@dataclass(slots=True)
class Registry:
    """The client's own records, plainly read."""

    sessions: list[Session]
    says: dict[str, str] = field(default_factory=lambda: {"done": "idle", "failed": "idle"})

    def install(self) -> None:
        """Nothing to put in."""

    def slots(self) -> Sequence[Shown]:
        """Return every session with a record, in its own words."""
        words = {"idle": "idle", "busy": "working", "shell": "working", "waiting": "blocked"}
        return [
            Shown(s.pid, words[s.status], s.id, s.pid) for s in self.sessions if s.status in words
        ]

    def faults(self) -> str:
        """Return nothing: files do not break."""
        return ""


@dataclass(slots=True)
class Watch:
    """Looks at every session and at the panel every few milliseconds, and remembers."""

    panel: Panel
    sessions: list[Session]
    history: list[tuple[float, Sequence[Shown]]] = field(default_factory=list)
    every_s: float = 0.005

    def start(self) -> None:
        """Look until the process ends."""
        threading.Thread(target=self._run, daemon=True).start()

    def _run(self) -> None:
        while True:
            for session in tuple(self.sessions):
                session.look()
            slots = self.panel.slots()
            if not self.history or slots != self.history[-1][1]:
                self.history.append((time.time(), slots))
            time.sleep(self.every_s)

    def answers(self, session: Session, start: float, end: float) -> list[Answer]:
        """Return what was shown of a session between two times, the standing answer first."""
        found: list[Answer] = []
        for at, slots in tuple(self.history):
            if at > end:
                break
            answer = _answer(session, at, slots)
            if at <= start:
                found = [answer]
            elif not found or found[-1] != Answer(found[-1].at, answer.state, answer.slot):
                found.append(answer)
        return found


def _answer(session: Session, at: float, slots: Sequence[Shown]) -> Answer:
    mine = [s for s in slots if s.pid == session.pid or s.session_id == session.id_at(at) != ""]
    mine = [s for s in mine if s.state != "empty"]
    if not mine:
        return Answer(at, "empty")
    if len(mine) > 1:
        return Answer(at, "on two keys", mine[0].slot)
    return Answer(at, mine[0].state, mine[0].slot)
