"""An agent's client as the hooks, the record and a window see it; only the model is missing.

Its hooks are the rendered ones, run by a true shell. It does one thing at a time, as the
real one does, writes down when everything was so, and what of a verb has reached it.
"""

from __future__ import annotations

import json
import math
import os
import re
import signal
import subprocess
import threading
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from flightdeck.agents.claude_code.prompts import token_of
from flightdeck.install.snippets import Kind
from flightdeck.system import process
from tests.panel.verb_hooks import Hooks, Ran, side_by_side

if TYPE_CHECKING:
    from pathlib import Path

    from tests.panel.reborn import Midwife, Reborn

MARK = re.compile(r"MARK-[0-9a-z-]+")
_FILE = re.compile(r"@(\S+)")


@dataclass(frozen=True)
class Moment:
    """From `at` on it took lines or did not, as this session of this process (0: none)."""

    at: float
    free: bool
    session_id: str
    pid: int


@dataclass(frozen=True)
class Delivery:
    """A verb an agent saw, from when what brought it began; `whose` is its id and process."""

    mark: str
    way: str
    began: float
    at: float
    whose: tuple[str, int]


class Client:
    """One agent: its process, its record, its turns and its dialog."""

    def __init__(self, number: int, home: Path, hooks: Hooks, rests: str, midwife: Midwife) -> None:
        self.number, self.rests = number, rests
        self._midwife = midwife
        self.pane = f"%{number}"
        self.lock = threading.RLock()
        self.history: list[Moment] = []
        self.deliveries: list[Delivery] = []
        self.torn: list[bytes] = []
        self.stale_lines = self.came_round = 0
        self.ids = [self._id()]
        self.turns: list[threading.Thread] = []
        self.busy = False
        self.tells = True
        self._hooks, self._home = hooks, home
        self._dialog: subprocess.Popen[bytes] | None = None
        self._process: subprocess.Popen[bytes] | Reborn | None = None
        self.pid = 0

    @property
    def session_id(self) -> str:
        return self.ids[-1]

    @property
    def whose(self) -> tuple[str, int]:
        """Return the id it goes by, and its process."""
        return self.session_id, self.pid

    @property
    def asks(self) -> bool:
        """Say whether a dialog of its is open."""
        return self._dialog is not None

    @property
    def environ(self) -> dict[str, str]:
        """Return what its hooks find in their environment."""
        return {
            "CLAUDE_PID": str(self.pid),
            "CLAUDE_CODE_SESSION_ID": self.session_id,
            "TMUX": "/tmp/tmux-0/default,1,0",
            "TMUX_PANE": self.pane,
        }

    # Its process.

    def starts(self, pid: int = 0) -> None:
        """Begin, as a process of that pid if one is given."""
        with self.lock:
            self._process = self._midwife.reborn(pid) if pid else _sleeper()
            if self._process is None:
                return
            self.came_round += bool(pid)
            self.pid = self._process.pid
            self._hooks.run(Kind.SPOOL, "SessionStart", self, source="startup")
            self._note(self.rests)

    def die(self) -> None:
        """Be killed, whatever it is in the middle of."""
        agent, self._process = self._process, None
        if agent is not None:
            agent.kill()
            agent.wait()
            self.history.append(Moment(time.time(), False, self.session_id, 0))
            self._close()

    def reborn(self) -> None:
        """Be killed; another session gets the same process id."""
        with self.lock:
            pid, alive = self.pid, self.alive
            self.die()
            self._new_id()
            if alive:
                self.starts(pid)

    @property
    def alive(self) -> bool:
        return self._process is not None

    def leave(self) -> None:
        """End as a person ends it."""
        with self.lock:
            if not self.alive:
                return
            self._close()
            self._hooks.run(Kind.SPOOL, "SessionEnd", self, reason="prompt_input_exit")
            self.history.append(Moment(time.time(), False, self.session_id, self.pid))
            self.die()
            self._record.unlink(missing_ok=True)

    def clear(self) -> None:
        """Go on as another session, if no turn runs."""
        with self.lock:
            if not self.alive or self.busy or self.asks:
                return
            self._hooks.run(Kind.SPOOL, "SessionEnd", self, reason="clear")
            self._new_id()
            self._note(self.rests)
            self._hooks.run(Kind.SPOOL, "SessionStart", self, source="clear")

    # Its turns.

    def prompt(self, text: str = "hello") -> None:
        """Begin a turn somebody typed, if none runs."""
        with self.lock:
            if self.alive and not self.busy and not self.asks:
                self._begin(text)

    def takes(self, line: str) -> None:
        """Get a line that was typed and sent, and read the file it names."""
        with self.lock:
            if self.alive and not self.asks:
                self._read(line)
                self._begin(line)

    def stop(self, hooks: int = 1, kill_s: float | None = None, full: bool = False) -> None:
        """End the turn that runs; a verb one of its Stop hooks has makes it go on."""
        with self.lock:
            if not self.alive or not self.busy or self.asks:
                return
            ran: list[Ran] = []

            def one(number: int) -> None:
                ended = self._hooks.run(
                    Kind.DRAIN, "Stop", self, None if number else kill_s, full and not number
                )
                ran.append(ended)

            side_by_side([lambda number=number: one(number) for number in range(hooks)])  # type: ignore[misc]
            went_on = [self._printed(ended) for ended in ran]
            if not any(went_on):
                self._rest()

    def turn(self, pause_s: float) -> None:
        """Have a short turn, while whoever looks goes on."""

        def go() -> None:
            self.prompt()
            time.sleep(pause_s)  # that is how long the turn is
            self.stop()

        self.turns.append(threading.Thread(target=go, daemon=True))
        self.turns[-1].start()

    def esc(self) -> None:
        """Leave the turn that runs; no hook tells of it."""
        with self.lock:
            if self.alive and self.busy and not self.asks:
                self._rest()

    def ask(self) -> None:
        """Open a dialog in the turn that runs."""
        with self.lock:
            if not self.alive or not self.busy or self.asks:
                return
            call = {"tool_name": "Bash", "tool_input": {"command": "make"}}
            hook = self._dialog = self._hooks.start(Kind.WAIT, "PermissionRequest", self, **call)
            self._note("waiting", waitingFor="permission prompt")
            assert hook.stdin
            hook.stdin.close()

    def unask(self) -> None:
        """Close it; the turn goes on."""
        with self.lock:
            if self.alive and self.asks:
                self._close()
                self._note("busy")

    def calm(self, *, fresh: bool) -> None:
        """Come to rest, whatever it was at; `fresh` says that the record is written anew."""
        with self.lock:
            if self.alive and (fresh or self.busy or self.asks):
                self._close()
                self._rest()

    def _begin(self, prompt: str) -> None:
        self.busy = True
        self._note("busy")
        if self.tells:
            self._hooks.run(Kind.SPOOL, "UserPromptSubmit", self, prompt=prompt)

    def _rest(self) -> None:
        self.busy = False
        self._note(self.rests)

    def _close(self) -> None:
        hook, self._dialog = self._dialog, None
        if hook is not None:
            os.killpg(hook.pid, signal.SIGKILL)
            hook.wait()
            assert hook.stdout
            hook.stdout.close()

    def _printed(self, ran: Ran) -> bool:
        """Take what a Stop hook printed; say whether that makes the turn go on."""
        if not ran.out:
            return False
        try:
            answer = json.loads(ran.out) if ran.out.endswith(b"\n") else None
        except ValueError:
            answer = None
        if not isinstance(answer, dict) or answer.get("decision") != "block":
            self.torn += [] if ran.killed else [ran.out]
            return False
        self._seen(answer["reason"], "Stop", ran.began, ran.ended, ran.whose)
        return True

    def _read(self, line: str) -> None:
        began, found = time.time(), _FILE.search(line)
        try:
            with open(found[1] if found else "", encoding="utf-8") as stream:  # noqa: PTH123
                text = stream.read()
        except OSError:
            self.stale_lines += bool(token_of(line))
            return
        self._seen(text, "typed", began, time.time(), self.whose)

    def _seen(self, text: str, way: str, began: float, at: float, whose: tuple[str, int]) -> None:
        marks = MARK.findall(text)
        assert marks, f"a prompt without its mark: {text[-80:]}"
        self.deliveries += [Delivery(mark, way, began, at, whose) for mark in marks]

    # Its record.

    @property
    def _record(self) -> Path:
        return self._home / ".claude" / "sessions" / f"{self.pid}.json"

    def _note(self, status: str, **more: Any) -> None:
        """Write the record; it counts as free too early rather than too late."""
        self.busy, before = status in {"busy", "waiting"}, time.time()
        facts = {
            "pid": self.pid,
            "sessionId": self.session_id,
            "status": status,
            "statusUpdatedAt": math.ceil(before * 1000),
            "procStart": process.start_of(self.pid) or "",
            "cwd": str(self._home),
            **more,
        }
        self._record.write_text(json.dumps(facts), encoding="utf-8")
        free = not self.busy
        at = before if free else time.time()
        if self.alive:
            self.history.append(Moment(at, free, self.session_id, self.pid))

    def _new_id(self) -> None:
        self.ids.append(self._id())

    def _id(self) -> str:
        nth = len(self.ids) if self.__dict__.get("ids") else 0
        return f"5e55a0de-000{self.number}-4000-8000-{nth:012d}"


def _sleeper() -> subprocess.Popen[bytes]:
    return subprocess.Popen(["/bin/sleep", "600"], stdin=subprocess.DEVNULL, env={})
