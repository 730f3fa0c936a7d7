"""A machine with agents on it: real processes, a state folder, and what hooks and clients write."""

from __future__ import annotations

import itertools
import json
import math
import os
import shutil
import subprocess
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from flightdeck.fold.opening import open_fold
from flightdeck.install.snippets import Kind, Site, render_hook
from flightdeck.model.event import END, NAMES
from flightdeck.store.paths import StateFolder
from flightdeck.system import process

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from flightdeck.fold.folding import Fold, Outcome
    from flightdeck.model.fleet import SlotView
    from flightdeck.model.plan import PanelPlan
    from flightdeck.model.session import Session

NOBODY: dict[str, Any] = {"running": False, "pid": None, "deck": None, "problem": None}
# Long enough for a machine under load; every wait ends as soon as it has what it waits for.
DEADLINE_S = 30.0


def until(true: Callable[[], object], what: str = "") -> None:
    """Wait for a transition."""
    deadline = time.monotonic() + DEADLINE_S
    while not true():
        assert time.monotonic() < deadline, f"never came: {what}"
        time.sleep(0.005)


@dataclass
class Machine:
    """Its agents are `sleep`s: they live, die and become zombies like any other process."""

    home: Path
    agents: list[subprocess.Popen[bytes]] = field(default_factory=list)
    now: float = field(default_factory=time.time)
    _numbers: itertools.count[int] = field(default_factory=lambda: itertools.count(1))

    @property
    def folder(self) -> StateFolder:
        """Where the state lies."""
        return StateFolder(self.home / ".fleet")

    @property
    def registry(self) -> Path:
        """Where the client keeps its own records."""
        return self.home / ".claude" / "sessions"

    def agent(self, **names: str) -> int:
        """Start a process and return its pid; `names` are all of its environment."""
        agent = subprocess.Popen(["/bin/sleep", "600"], stdin=subprocess.DEVNULL, env=names)
        self.agents.append(agent)
        return agent.pid

    def kill(self, pid: int, *, reap: bool = True) -> None:
        """SIGKILL an agent; without `reap` it stays behind as a zombie."""
        agent = next(a for a in self.agents if a.pid == pid)
        agent.kill()
        os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)
        if reap:
            agent.wait()

    def end(self) -> None:
        """End every agent that was started."""
        for agent in self.agents:
            agent.kill()
            agent.wait()

    def fold(self, plan: PanelPlan | None = None) -> Fold:
        """Return a fold that remembers nothing yet."""
        return open_fold(self.folder, plan)

    def step(
        self,
        fold: Fold,
        later_s: float = 1.0,
        panel: dict[str, Any] | None = None,
        amend: Callable[[Session], Session] | None = None,
    ) -> Outcome:
        """Fold `later_s` after the last time; no panel runs unless one is given."""
        self.now += later_s
        return fold.step(self.now, panel or NOBODY, amend)

    def says(self, pid: int, event: str, **payload: object) -> Path:
        """Spool an event as the hook does, a little after the last one."""
        return self.spool(pid, event, json.dumps(payload).encode())

    def spool(self, pid: int, event: str, body: bytes, **names: str) -> Path:
        """Spool any bytes; `names` are the environment that travels with an event."""
        self.now += 0.001
        fields = ["flightdeck1", event, str(pid), *(names.get(name, "") for name in NAMES)]
        path = self.folder.inbox / f"{next(self._numbers)}.{event}.ev"
        draft = self.home / path.name
        draft.write_bytes("\x1f".join(fields).encode() + b"\n" + body + b"\n" + END)
        os.utime(draft, (self.now, self.now))
        return draft.rename(path)

    def starts(self, pid: int, session_id: str, **payload: object) -> Path:
        """Spool the SessionStart of a new session."""
        facts = {"session_id": session_id, "cwd": str(self.home), "source": "startup"}
        return self.says(pid, "SessionStart", **{**facts, **payload})

    def records(self, pid: int, session_id: str, status: str = "busy", **more: object) -> Path:
        """Write the client's registry record of a process."""
        self.registry.mkdir(parents=True, exist_ok=True)
        path = self.registry / f"{pid}.json"
        data = {
            "pid": pid,
            "sessionId": session_id,
            "status": status,
            "statusUpdatedAt": math.ceil(self.now * 1000),  # not before what was just said
            "procStart": process.start_of(pid) or "",
            "cwd": str(self.home),
            **more,
        }
        path.write_text(json.dumps(data), encoding="utf-8")
        return path

    def hook(self, kind: Kind, event: str, shell: str, body: bytes, pid: int) -> int:
        """Run a real rendered hook in `shell` and return its exit code."""
        tools = {name: str(shutil.which(name)) for name in ("head", "rm")}
        site = Site(self.executable(), self.folder.root, **tools)
        done = subprocess.run(
            [shell, "-c", render_hook(kind, event, site)],
            input=body,
            env={"CLAUDE_PID": str(pid), "CLAUDE_CODE_SESSION_ID": "guarded"},
            check=False,
        )
        return done.returncode

    def executable(self) -> Path:
        """Return the `flightdeck` hooks look for."""
        path = self.home / "flightdeck"
        path.touch(mode=0o755)
        return path

    def snapshot(self) -> dict[str, Any]:
        """Return what `slots.json` holds."""
        data = json.loads(self.folder.slots.read_bytes())
        assert isinstance(data, dict)
        return data


def view_of(outcome: Outcome, slot: int) -> SlotView:
    """Return what one slot shows."""
    return next(view for view in outcome.fleet.slots if view.slot == slot)


def pids(outcome: Outcome) -> list[int]:
    """Return the pid on each slot, 0 for an empty one."""
    return [view.pid for view in outcome.fleet.slots]
