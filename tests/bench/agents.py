"""Agents without a client: processes that live, the hooks they fire, the records they keep.

A hook is the real one, rendered and run by a shell. Where thousands of events are wanted at
once, what it wrote the first time is written again.

Source: templates/hooks/README.md; the payloads of Claude Code 2.1.332.
"""

from __future__ import annotations

import json
import os
import subprocess
import time
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from flightdeck.install.client import find_site
from flightdeck.install.snippets import Kind, render_hook
from flightdeck.store.paths import StateFolder
from flightdeck.system import process

if TYPE_CHECKING:
    from contextlib import AbstractContextManager
    from pathlib import Path

    from flightdeck.install.snippets import Site

TOOL: dict[str, Any] = {
    "tool_name": "Bash",
    "tool_input": {"command": "make test", "description": "Run the tests"},
}
_TURN: tuple[tuple[str, dict[str, Any]], ...] = (
    ("UserPromptSubmit", {}),
    ("PermissionRequest", TOOL),
    ("PostToolUse", TOOL),
    ("Stop", {"background_tasks": []}),
)
_PAYLOAD_BYTES = 2048


@dataclass(frozen=True, slots=True)
class Agent:
    """One session: its process and what its payloads and hooks carry."""

    pid: int
    session_id: str
    cwd: str
    transcript: str
    env: dict[str, str]

    def payload(self, event: str, **more: object) -> bytes:
        """Return a payload of two kilobytes, the size of a usual one."""
        facts: dict[str, object] = {
            "session_id": self.session_id,
            "transcript_path": self.transcript,
            "cwd": self.cwd,
            "permission_mode": "default",
            "hook_event_name": event,
            **more,
        }
        short = len(json.dumps({**facts, "last_assistant_message": ""}))
        facts["last_assistant_message"] = "x" * max(0, _PAYLOAD_BYTES - short - 1)
        return json.dumps(facts).encode() + b"\n"


@dataclass
class Agents:
    """The agents of one throw-away home."""

    home: Path
    all: list[Agent] = field(default_factory=list)
    _processes: list[subprocess.Popen[bytes]] = field(default_factory=list)
    _spooled: dict[tuple[int, str], tuple[str, bytes]] = field(default_factory=dict)

    @property
    def folder(self) -> StateFolder:
        """Where the state lies."""
        return StateFolder(self.home / ".fleet")

    @property
    def site(self) -> Site:
        """What `apply` would write into a hook of this home."""
        return find_site(self.folder.root)

    def begin(self, count: int, **env: str) -> list[Agent]:
        """Start so many more; each works on a repository of its own."""
        fresh = [self._one(**env) for _ in range(count)]
        self.all += fresh
        return fresh

    def _one(self, **env: str) -> Agent:
        number = len(self._processes)
        sleeper = subprocess.Popen(["sleep", "3600"], stdin=subprocess.DEVNULL)
        self._processes.append(sleeper)
        cwd = self.home / f"repository-{number}"
        (cwd / ".git").mkdir(parents=True)
        (cwd / ".git" / "HEAD").write_text(f"ref: refs/heads/issue-{number}\n")
        session_id = f"{number:08d}-f8e0-46c9-bbcd-288d19208686"
        transcript = self.home / ".claude" / "projects" / cwd.name / f"{session_id}.jsonl"
        names = {"CLAUDE_PID": str(sleeper.pid), "CLAUDE_CODE_SESSION_ID": session_id}
        return Agent(sleeper.pid, session_id, str(cwd), str(transcript), {**names, **env})

    def fire(self, agent: Agent, event: str, **more: object) -> float:
        """Run the real hook of `event` to its end; return when it was started, epoch seconds."""
        command = render_hook(Kind.SPOOL, event, self.site)
        data = agent.payload(event, **more)
        began = time.time()
        done = subprocess.run(
            ["/bin/sh", "-c", command],
            input=data,
            env=agent.env,
            capture_output=True,
            check=True,
        )
        assert (done.stdout, done.stderr) == (b"", b"")
        return began

    def record(self, agent: Agent, status: str, **more: object) -> None:
        """Write the client's own registry record of an agent, as a hook's second witness."""
        folder = self.home / ".claude" / "sessions"
        folder.mkdir(parents=True, exist_ok=True)
        data = {
            "pid": agent.pid,
            "sessionId": agent.session_id,
            "status": status,
            "statusUpdatedAt": int(time.time() * 1000),
            "procStart": process.start_of(agent.pid) or "",
            "cwd": agent.cwd,
            **more,
        }
        (folder / f"{agent.pid}.json").write_text(json.dumps(data), encoding="utf-8")

    def spool(self, count: int) -> None:
        """Put `count` events into the empty inbox, the turns of all agents side by side."""
        first = time.time_ns() - count * 1000
        for number in range(count):
            agent = self.all[number % len(self.all)]
            name, data = self._written(agent, *_TURN[number // len(self.all) % len(_TURN)])
            # The number stands where the hook's own pid does: no two may be the same.
            path = self.folder.inbox / f"{number}.{name}"
            path.write_bytes(data)
            os.utime(path, ns=(first + number * 1000, first + number * 1000))

    def _written(self, agent: Agent, event: str, more: dict[str, Any]) -> tuple[str, bytes]:
        """Return what the hook writes, and under which name its pid stands before."""
        if (agent.pid, event) not in self._spooled:
            apart = replace(self, home=self.home / "apart")
            apart.folder.create()
            apart.fire(agent, event, **more)
            (path,) = apart.folder.inbox.iterdir()
            self._spooled[agent.pid, event] = path.name.partition(".")[2], path.read_bytes()
            path.unlink()
        return self._spooled[agent.pid, event]

    def __enter__(self) -> Agents:
        """Make the state folder."""
        self.folder.create()
        return self

    def __exit__(self, *_: object) -> None:
        """End every agent that was begun."""
        for sleeper in self._processes:
            sleeper.kill()
            sleeper.wait()


def agents_in(home: Path) -> AbstractContextManager[Agents]:
    """Return the agents of `home`, none yet; they end with the context."""
    return Agents(home)
