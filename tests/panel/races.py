"""`python -m tests.panel.races COUNT`: everybody after the same verb at once, so many times.

A wake types, the true Stop hook drains, a person takes it back, the fold clears away what
is nobody's, and it may expire meanwhile. Whatever wins, a verb arrives once or never.
"""

from __future__ import annotations

import contextlib
import json
import os
import random
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from flightdeck.agents.catalogue import agent_kinds
from flightdeck.agents.claude_code.prompts import token_of
from flightdeck.errors import FlightdeckError
from flightdeck.fold.queueing import Queueing
from flightdeck.install.snippets import Kind, Site, render_hook
from flightdeck.model.effect import Forget, Unstage, Wake
from flightdeck.model.lifecycle import State
from flightdeck.model.place import Place
from flightdeck.model.session import Session, Shown
from flightdeck.model.staged import Staged
from flightdeck.model.waking import NOT_DELIVERED
from flightdeck.panel.reach import Reach, Witnesses
from flightdeck.store import latch, queue
from tests.factories import a_session
from tests.fold.world import DEADLINE_S, Machine
from tests.panel.window import Window

if TYPE_CHECKING:
    from collections.abc import Callable

SESSION = "5e55a0de-0000-4000-8000-000000000004"
PANE = Place("tmux", tmux_socket="/t", tmux_pane="%3")
# Who may be after a verb; each starts within so many seconds of the others.
ACTORS = ("wake", "wake", "drain", "drain", "cancel", "end", "clear", "halt")
WITHIN_S = 0.08
EXPIRES_IN_S = (0.0, 0.0, 0.0, 60.0, -0.01, 0.04)


@dataclass
class Race:
    """One verb, and everybody who is after it."""

    machine: Machine
    pid: int
    chance: random.Random
    arrived: list[str] = field(default_factory=list)
    said: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Put the verb into the queue of an agent that has been at rest for a while."""
        self.folder = self.machine.folder
        latch.lift(self.folder)
        self.machine.now = time.time() - 60.0
        self.machine.records(self.pid, SESSION, "idle")
        [record] = agent_kinds()["claude-code"].records()
        done = Shown(State.DONE)
        told: dict[str, Any] = {"pid": self.pid, "session_id": SESSION, "place": PANE}
        self.session = a_session(record=record, shown=done, announced=True, **told)
        self.window = Window(self.machine, self.pid, SESSION)
        self.window.on_submit = self._submitted
        witnesses = Witnesses(lambda _: self.session, agent_kinds, self.window.is_in_front)
        self.reach = Reach(self.folder, self.window, witnesses)
        now, lasts_s = time.time(), self.chance.choice(EXPIRES_IN_S)
        token = f"{self.chance.getrandbits(64):016x}"
        until = now + lasts_s if lasts_s else 0.0
        self.staged = Staged("test", token, SESSION, self.pid, now - 1.0, until)
        self.late = self.staged.expired(now)
        line = json.dumps({"decision": "block", "reason": self.prompt})
        queue.put(self.folder, self.staged, line, self.prompt)

    @property
    def prompt(self) -> str:
        """Return the text of the verb, which no other verb has."""
        return f"Do what {self.staged.token} says.\nThen stop."

    def run(self) -> tuple[str, ...]:
        """Let some of them at it, and return who."""
        cast = tuple(self.chance.sample(ACTORS, self.chance.randint(2, 5)))
        gate = threading.Barrier(len(cast))
        threads = [
            threading.Thread(target=self._act, args=(gate, who, self.chance.random() * WITHIN_S))
            for who in cast
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(DEADLINE_S)
            assert not thread.is_alive()
        self._settle()
        return cast

    def outcome(self) -> str:
        """Return what became of the verb, in a word; "wrong" is never to be."""
        stands = [staged.token for staged in queue.standing(self.folder)]
        left = [path.name for path in self.folder.queue.iterdir() if path.name.startswith(".")]
        if self.wrong or left or len(self.arrived) > 1:
            return "wrong"
        if self.arrived:
            spoilt = self.late or "cancelled" in self.said or stands
            return "wrong" if spoilt else f"delivered by {self.arrived[0]}"
        if stands:
            return "waits"
        if "cancelled" in self.said:
            return "cancelled"
        if NOT_DELIVERED in self.said:
            return NOT_DELIVERED
        over = self.staged.expired(time.time()) or not {"end", "clear"}.isdisjoint(self.said)
        return "expired or ended" if over else "wrong"

    def _act(self, gate: threading.Barrier, who: str, after_s: float) -> None:
        gate.wait(DEADLINE_S)
        time.sleep(after_s)
        deeds: dict[str, Callable[[], object]] = {
            "wake": self._wake,
            "drain": self._drain,
            "cancel": self._cancel,
            "end": lambda: self._over("end", replace(self.session, closed=True)),
            "clear": lambda: self._over("clear", replace(self.session, session_id="another")),
            "halt": lambda: latch.put(self.folder),
        }
        try:
            deeds[who]()
        except Exception as error:
            self.wrong.append(f"{who}: {error!r}")

    def _wake(self) -> None:
        try:
            self.reach.wake(Wake(self.staged, "a", PANE))
        except FlightdeckError as error:
            self.said.append(error.message)

    def _cancel(self) -> None:
        with contextlib.suppress(FlightdeckError):
            self.reach.unstage(Unstage(self.staged))
            self.said.append("cancelled")

    def _over(self, word: str, session: Session) -> None:
        """Let the fold learn that the session is another one, or none, and clear up."""
        self.session = session
        fold = Queueing(self.folder)
        fold.look([session], time.time())
        fold.clear(time.time())
        self.said.append(word)

    def _drain(self) -> None:
        site = Site(self.machine.executable(), self.folder.root)
        done = subprocess.run(
            ["/bin/sh", "-c", render_hook(Kind.DRAIN, "Stop", site)],
            input=json.dumps({"hook_event_name": "Stop", "session_id": SESSION}) + "\n",
            env={"CLAUDE_PID": str(self.pid), "CLAUDE_CODE_SESSION_ID": SESSION},
            capture_output=True,
            text=True,
            check=True,
        )
        for line in done.stdout.splitlines():
            self._came(json.loads(line)["reason"], "drain")

    def _submitted(self, line: str) -> None:
        token = token_of(line)
        try:
            prompt = queue.prompt_file(self.folder, token).read_text(encoding="utf-8")
        except OSError as error:
            self.wrong.append(f"a line that names nothing: {error}")
        else:
            self._came(prompt, "wake")

    def _came(self, prompt: str, how: str) -> None:
        if prompt != self.prompt:
            self.wrong.append(f"{how} brought another prompt")
        self.arrived.append(how)

    def _settle(self) -> None:
        self.reach.forget(Forget(self.staged))
        for path in self.folder.inbox.iterdir():
            path.unlink()

    def leave(self) -> None:
        """Take what still waits out of the way of the next race."""
        queue.discard(self.folder, self.staged)


def races(machine: Machine, count: int, seed: int) -> Counter[str]:
    """Run so many races and return what became of the verbs."""
    chance, came_of = random.Random(seed), Counter[str]()
    pid = machine.agent()
    for number in range(count):
        race = Race(machine, pid, chance)
        cast = race.run()
        outcome = race.outcome()
        detail = f"race {number} of seed {seed}, {cast}: {race.arrived} {race.said} {race.wrong}"
        assert outcome != "wrong", detail
        came_of[outcome] += 1
        race.leave()
    return came_of


def main(count: int, seed: int) -> None:
    """Run them in a home of their own, and print what came of them."""
    with tempfile.TemporaryDirectory() as home:
        os.environ |= {"HOME": home, "CLAUDE_CONFIG_DIR": f"{home}/.claude"}
        machine = Machine(Path(home))
        machine.folder.create()
        try:
            came_of = races(machine, count, seed)
        finally:
            machine.end()
    for outcome, number in came_of.most_common():
        sys.stdout.write(f"{number:5} {outcome}\n")


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 0)
