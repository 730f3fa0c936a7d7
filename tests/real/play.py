"""Plays scenarios in the lab, several at a time, and judges the panel phase by phase.

A scenario opens clients, does what a person does, and names the phases it comes through.
When a phase begins is read from the client, never from the panel.
"""

from __future__ import annotations

import threading
import time
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from tests.real.judge import Answer, Judgement, Row, judge
from tests.real.session import IDLE, LabTrouble, Session, Tmux, until

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence
    from pathlib import Path

    from tests.real.lab import Lab
    from tests.real.panel import Watch

CALM_S = 2.0  # right for so long: the phase is settled, a later lie is another phase's
LEAD_S = 0.15  # hooks run up to so long before the record changes: a phase's end is cut by it
IN_TIME_S = 1.0  # the latest a right answer may come
CLIENTS = 7  # at once, one less than the panel has slots: a killed one may still hold its own


@dataclass(slots=True)
class Stage:
    """What all scenarios share: the lab, the watch, and one door through which clients start.

    Starting a client takes a whole core for a second, so one starts at a time.
    """

    lab: Lab
    watch: Watch
    installed: threading.Event = field(default_factory=threading.Event)
    door: threading.RLock = field(default_factory=threading.RLock)
    seats: threading.Semaphore = field(default_factory=lambda: threading.Semaphore(CLIENTS))

    def install(self) -> None:
        """Put the panel in and let the other scenarios begin."""
        self.watch.panel.install()
        self.installed.set()


@dataclass(slots=True)
class Play:
    """One scenario being played."""

    name: str
    stage: Stage
    rows: list[Row] = field(default_factory=list)
    sessions: list[Session] = field(default_factory=list)

    @property
    def lab(self) -> Lab:
        """The machine it is played on."""
        return self.stage.lab

    @property
    def tmux(self) -> Tmux:
        """The scenario's own tmux server."""
        return Tmux(self.lab, self.name)

    def open(
        self,
        *flags: str,
        ready: bool = True,
        at: Sequence[str] | None = None,
        env: dict[str, str] | None = None,
        cwd: Path | None = None,
    ) -> Session:
        """Start a client with these flags at a tmux place, and wait until it listens.

        It works in `cwd`, else in the scenario's own repository.

        Raises:
            LabTrouble: it did not start.
        """
        self.stage.seats.acquire()
        place = at or ("new-session", "-d", "-x", "130", "-y", "45")
        variables = [f"{key}={value}" for key, value in (env or {}).items()]
        argv = ["env", *variables, "claude", "--permission-mode", "manual", *flags]
        with self.stage.door:
            folder = cwd or self.lab.work(self.name)
            session = self.join(*self.tmux.open(place, folder, argv))
            if ready:
                session.reached(IDLE)
                session.acted = time.time()
        return session

    def join(self, pane: str, pid: int) -> Session:
        """Take in a client that has just been started in a pane; its seat is taken already.

        Raises:
            LabTrouble: it did not start.
        """
        session = Session(self.lab, self.tmux, pane, pid)
        self.sessions.append(session)
        self.stage.watch.sessions.append(session)
        until(lambda: session.status, 25, "a record of the client")
        return session

    def close(self, session: Session) -> None:
        """End a client and give its seat back."""
        session.end()
        self.sessions.remove(session)
        self.stage.watch.sessions.remove(session)
        self.stage.seats.release()

    def close_all(self) -> None:
        """End every client and the scenario's tmux server."""
        for session in tuple(self.sessions):
            self.close(session)
        try:
            self.tmux("kill-server")
        except LabTrouble:
            return  # it ended with its last pane

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Let no other scenario start a client meanwhile."""
        with self.stage.door:
            yield

    def slot_of(self, session: Session) -> int | None:
        """Return the slot the panel shows a session in now."""
        now = time.time()
        return self.stage.watch.answers(session, now, now)[-1].slot

    def phase(
        self,
        label: str,
        session: Session,
        want: str,
        during: Collection[str],
        *,
        since: float | None = None,
        window_s: float = 10,
        within_s: float = 15,
        bound_s: float = IN_TIME_S,
        to_the_end: bool = False,
        slot: int | None = None,
    ) -> None:
        """Judge one phase: while the client is in `during`, the panel should show `want`.

        It begins at `since`, else when the client got there, for which `within_s` is given.
        It ends when the client leaves, `window_s` has passed, or, unless `to_the_end`, the
        panel has been right for a while. `want` may name two states, as in `idle|done`;
        with `slot` the right state in another slot is wrong.

        Raises:
            LabTrouble: the client never came into the phase.
        """
        start = session.reached(during, within_s) if since is None else since
        end = start + window_s
        while (now := time.time()) < end:
            left = _left(session, during, start)
            calm = not to_the_end and now > start + CALM_S
            if left or (calm and self._found(session, want, now - CALM_S, now, slot).clean):
                end = left or now
                break
            time.sleep(0.02)
        found = self._found(session, want, start, end, slot)
        self.rows.append(Row(self.name, label, want, round(end - start, 1), bound_s, found))

    def meanwhile(self, label: str, session: Session, want: str, *, since: float) -> None:
        """Judge what the panel showed of a session since then, while another one was busy."""
        now = time.time()
        found = self._found(session, want, since, now, None)
        self.rows.append(Row(self.name, label, want, round(now - since, 1), IN_TIME_S, found))

    def _found(
        self, session: Session, want: str, start: float, end: float, slot: int | None
    ) -> Judgement:
        words = self.stage.watch.panel.says
        wants = {words.get(word, word) for word in want.split("|")}
        answers = _in_slot(self.stage.watch.answers(session, start, end), slot)
        return judge(answers, wants, start, end)


def _left(session: Session, during: Collection[str], start: float) -> float | None:
    """Return up to when a phase that has ended is judged."""
    last = session.changes[-1]
    over = last.at > start + 0.01 and last.status not in during
    return max(start, last.at - LEAD_S) if over else None


def _in_slot(answers: Sequence[Answer], slot: int | None) -> list[Answer]:
    return [
        a if slot is None or a.slot in {slot, None} else replace(a, state=f"{a.state}, moved")
        for a in answers
    ]
