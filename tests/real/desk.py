"""A desk: one throw-away home with its own panel, for scenarios that press its keys.

The verdict row of a panel is aimed at one request of all, and the verb row at one session,
so scenarios that press them cannot share a panel. Desks share the machine, the fake API and
the door through which clients start.
"""

from __future__ import annotations

import json
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from flightdeck.model import wording
from tests.real.judge import Judgement, Row
from tests.real.play import IN_TIME_S, Play
from tests.real.session import runs, until
from tests.real.thumb import NOTHING, Thumb

if TYPE_CHECKING:
    from pathlib import Path

    from tests.real.panel import Installed
    from tests.real.session import Session

LONGEST_S = 5.0
LOOK_S = 0.001


@dataclass(slots=True)
class Desk:
    """A panel, the thumb on it, and the scenario that is played there now."""

    play: Play
    panel: Installed
    thumb: Thumb

    @property
    def repo(self) -> Path:
        """The scenario's repository."""
        return self.play.lab.work(self.play.name)

    def asks(self, script: str, *flags: str, cwd: Path | None = None) -> Session:
        """Start a client whose first call asks for permission, and wait for the dialog."""
        session = self.play.open(*flags, cwd=cwd)
        session.type(f"scenario:{script}")
        session.reached({"waiting"})
        return session

    def hooks(self, count: int = 1) -> list[int]:
        """Return the pids of the hooks that wait, once there are so many."""
        folder = self.play.lab.fleet / "asks"

        def waiting() -> list[int] | None:
            pids = [int(path.stem) for path in folder.glob("*.fifo")]
            return sorted(pids) if len(pids) == count and all(map(runs, pids)) else None

        return until(waiting, LONGEST_S, f"{count} hooks that wait")

    def slot(self, session: Session) -> dict[str, Any]:
        """Return what the snapshot says of a session's slot."""
        slots = json.loads((self.play.lab.fleet / "slots.json").read_bytes())["slots"]
        return next((slot for slot in slots if slot["pid"] == session.pid), {})

    def label(self, session: Session) -> str:
        """Return how the keys call a session, as the end of a face's words."""
        return "of " + " ".join(self.slot(session)["label"])

    def pending(self, session: Session, count: int) -> list[str]:
        """Return the ids of a session's requests, oldest first, once there are so many."""

        def ids() -> list[str] | None:
            found = [r["request_id"] for r in self.slot(session).get("pending", ())]
            return found if len(found) == count else None

        return until(ids, LONGEST_S, f"{count} requests")

    def says(self, key: str) -> str:
        """Return what the model is told by a key that refuses."""
        if key == "deny":
            return wording.DENIED
        return self.play.lab.run("flightdeck", "verbs", "show", key).strip()

    def verdict(self, action: str) -> int:
        """Give a verdict from a terminal and return the exit code."""
        try:
            self.play.lab.run("flightdeck", "verdict", action)
        except subprocess.CalledProcessError as error:
            return error.returncode
        return 0

    def results(self, script: str, step: int, within_s: float = 15) -> tuple[str, ...]:
        """Wait for the model's request number `step`; return the tool results it brought."""
        api = self.play.lab.api
        asked = until(lambda: api.request(script, step), within_s, f"request {step} of {script}")
        return asked.results

    def measure(
        self, label: str, want: str, since: float, at: float, bound_s: float = IN_TIME_S
    ) -> None:
        """Note that what is `want`ed of `since` came at `at`, both seconds since the epoch."""
        late = max(0, round((at - since) * 1000))
        window = round(max(0.0, at - since), 1)
        found = Judgement(late, {}, {})
        self.play.rows.append(Row(self.play.name, label, want, window, bound_s, found))

    def measure_hook(self, label: str, pid: int, since: float) -> None:
        """Note how long after `since` a hook was gone."""
        until(lambda: not runs(pid), LONGEST_S, f"the end of hook {pid}", LOOK_S)
        self.measure(label, "hook gone", since, time.time())

    def measure_rest(self, label: str, since: float) -> None:
        """Note how long after `since` the row was at rest."""
        rests = self.thumb.shows("approve", NOTHING)
        self.measure(label, "row at rest", since, rests.at)

    def restart(self, *flags: str) -> None:
        """End the panel as a person does, and start it again with these flags."""
        if self.panel.process:
            self.panel.process.terminate()
            self.panel.process.wait(10)
        self.thumb.forget()
        self.panel.start(*flags)

    def kill_panel(self) -> float:
        """Kill the panel, which cannot clean up after itself; return when, epoch seconds."""
        assert self.panel.process
        at = time.time()
        self.panel.process.kill()
        return at


@dataclass(frozen=True, slots=True)
class Deed:
    """A scenario of a desk and about how many seconds it takes."""

    play: Callable[[Desk], None]
    takes_s: int


Enter = Callable[[Callable[[Desk], None]], Callable[[Desk], None]]
DEEDS: dict[str, Deed] = {}  # of the verdict row and the brakes
ERRANDS: dict[str, Deed] = {}  # of the verb row


def deed(name: str, *, takes_s: int) -> Enter:
    """Enter a function in the list of what the verdict row and the brakes do."""
    return _into(DEEDS, name, takes_s)


def errand(name: str, *, takes_s: int) -> Enter:
    """Enter a function in the list of what the verb row does."""
    return _into(ERRANDS, name, takes_s)


def _into(known: dict[str, Deed], name: str, takes_s: int) -> Enter:
    def enter(play: Callable[[Desk], None]) -> Callable[[Desk], None]:
        known[name] = Deed(play, takes_s)
        return play

    return enter
