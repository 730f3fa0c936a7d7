"""Agents that ask for permission through the true waiting hook, and what happens to them.

Each request is for a tool of its own name, so that whatever a key says of a request, and
whatever a hook prints, can be told to be about it.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from flightdeck.model.event import END, NAMES
from flightdeck.system import clock
from tests.fold.world import until
from tests.hooks.place import Ended, Place
from tests.hooks.waiting import Waiting, ask, wait_command

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

AGENTS = ("cli", "cli", "sdk-cli")


def _rule(content: str, kind: str = "addRules") -> list[dict[str, Any]]:
    rules = [{"toolName": "Bash", "ruleContent": content}]
    return [{"type": kind, "rules": rules, "behavior": "allow", "destination": "session"}]


# What a request of each kind has beside the usual; `#` is its number.
KINDS: Mapping[str, dict[str, Any]] = {
    "plain": {},
    "high": {"tool_input": {"n": "#", "high": True}},
    "offer": {"permission_suggestions": _rule("make #:*")},
    "high offer": {
        "tool_input": {"n": "#", "high": True},
        "permission_suggestions": _rule("make #:*"),
    },
    "mode": {
        "permission_suggestions": [
            {"type": "setMode", "mode": "acceptEdits", "destination": "session"}
        ]
    },
    "wide": {"permission_suggestions": _rule("*")},
    "bypass": {
        "permission_suggestions": [
            {"type": "setMode", "mode": "bypassPermissions", "destination": "session"}
        ]
    },
    "question": {"tool_name": "AskUserQuestion", "permission_suggestions": _rule("make #:*")},
    "plan": {"tool_name": "ExitPlanMode", "permission_suggestions": _rule("make #:*")},
    "sub-agent": {"agent_id": "sub1", "permission_suggestions": _rule("make #:*")},
}
NEVER_ALLOWED = frozenset({"question", "plan"})
NEVER_REMEMBERED = frozenset({"plain", "high", "wide", "bypass"}) | NEVER_ALLOWED


@dataclass
class Asked:
    """One hook that was started: for which request, from when, and what it has printed."""

    kind: str
    agent: int
    payload: dict[str, Any]
    at: float
    hook: Waiting
    killed: bool = False
    ended: Ended | None = None

    @property
    def tool(self) -> str:
        """The tool it asks for."""
        return str(self.payload["tool_name"])

    @property
    def mute(self) -> bool:
        """Say whether nothing may ever be printed by it."""
        return self.kind == "sub-agent" or AGENTS[self.agent] == "sdk-cli"

    @property
    def high(self) -> bool:
        """Say whether one press is too little to allow it."""
        return "high" in self.payload["tool_input"]

    @property
    def runs(self) -> bool:
        """Say whether the hook has not ended."""
        return self.hook.process.poll() is None

    @property
    def printed(self) -> dict[str, Any] | None:
        """The decision it has printed, None for nothing; anything else is a fault."""
        assert self.ended is not None
        if not self.ended.out:
            return None
        [line] = self.ended.out.decode().splitlines()
        assert self.ended.out == line.encode() + b"\n"
        output = json.loads(line)["hookSpecificOutput"]
        assert output.keys() == {"hookEventName", "decision"}
        decision = output["decision"]
        assert isinstance(decision, dict)
        return decision


@dataclass
class Crowd:
    """Three agents of a home, one of them without a terminal."""

    home: Path
    pids: list[int] = field(default_factory=list)
    asked: list[Asked] = field(default_factory=list)
    _agents: list[subprocess.Popen[bytes]] = field(default_factory=list)
    _spooled: int = 0

    def __post_init__(self) -> None:
        """Let the agents live."""
        self.place = Place(self.home / ".fleet", self.home / "flightdeck", "/bin/sh")
        self._command = wait_command(self.place)
        for _ in AGENTS:
            self._agents.append(subprocess.Popen(["/bin/sleep", "600"], env={}))
        self.pids = [agent.pid for agent in self._agents]

    def ask(self, agent: int, kind: str) -> Asked:
        """Let an agent ask; its hook has its payload when this returns."""
        return self._start(agent, kind, self._payload(kind, agent))

    def ask_again(self) -> Asked | None:
        """Let the last agent that asked ask for the very same, as a hook that is there twice."""
        if not self.asked:
            return None
        last = self.asked[-1]
        return self._start(last.agent, last.kind, last.payload)

    def ask_under_an_old_number(self, agent: int) -> Asked:
        """Ask with a hook whose pid was once that of another, whose request is still told of.

        A panel runs, so its FIFO comes.
        """
        asked = self._begin(agent, "plain", self._payload("plain", agent))
        until(asked.hook.fifo.exists, "the FIFO")
        made = asked.hook.fifo.stat().st_mtime
        old = asked.payload | {"tool_name": f"Tool9{len(self.asked)}", "tool_input": {}}
        name = f"{asked.hook.pid}.Once.ev"
        self._spool(agent, "PermissionRequest", old, name, made - 1.0)
        return self._go_on(asked)

    def _payload(self, kind: str, agent: int) -> dict[str, Any]:
        number = str(len(self.asked) + 1)
        told = {
            "session_id": f"s{agent}",
            "cwd": str(self.home),
            "permission_mode": "default",
            "tool_name": f"Tool{number}",
            "tool_input": {"n": number},
        }
        more: dict[str, Any] = json.loads(json.dumps(KINDS[kind]).replace("#", number))
        return told | more

    def _start(self, agent: int, kind: str, payload: dict[str, Any]) -> Asked:
        return self._go_on(self._begin(agent, kind, payload))

    def _begin(self, agent: int, kind: str, payload: dict[str, Any]) -> Asked:
        environ = {"CLAUDE_PID": str(self.pids[agent]), "CLAUDE_CODE_ENTRYPOINT": AGENTS[agent]}
        at = clock.monotonic()
        asked = Asked(kind, agent, payload, at, ask(self.place, self._command, environ))
        self.asked.append(asked)
        return asked

    def _go_on(self, asked: Asked) -> Asked:
        asked.hook.send(json.dumps(asked.payload).encode() + b"\n")
        return asked

    def settles(self, which: int, how: str) -> None:
        """Let a request be over without the panel: as the agent or its registry tells."""
        if not self.asked:
            return
        one = self.asked[which % len(self.asked)]
        match how:
            case "result":
                names = ("session_id", "cwd", "tool_name", "tool_input", "agent_id")
                told = {name: one.payload[name] for name in names if name in one.payload}
                self._spool(one.agent, "PostToolUse", told)
            case "record":
                self._record(one.agent, "waiting")
                self._record(one.agent, "busy")
            case _:
                self._spool(one.agent, how, {"session_id": f"s{one.agent}"})

    def kill(self, which: int, number: int) -> None:
        """Send a signal to a hook that runs, as a client that has had enough of it."""
        running = [asked for asked in self.asked if asked.runs]
        if running:
            one = running[which % len(running)]
            one.killed = True
            one.hook.signal(number)
            one.hook.process.wait()

    def agent_dies(self, which: int) -> None:
        """Let an agent be gone; another takes its place."""
        self._agents[which].kill()
        self._agents[which].wait()
        self._agents[which] = subprocess.Popen(["/bin/sleep", "600"], env={})
        self.pids[which] = self._agents[which].pid

    def have_arrived(self) -> None:
        """Wait until every hook has ended, or its request is known or will never be."""
        for asked in self.asked:
            until(lambda asked=asked: not asked.runs or asked.tool in self.pending(), asked.kind)  # type: ignore[misc]

    def pending(self) -> dict[str, str]:
        """Return the id of each request in the snapshot, by its tool."""
        try:
            slots = json.loads((self.home / ".fleet" / "slots.json").read_bytes())["slots"]
        except OSError:
            return {}
        return {one["tool"]: one["request_id"] for slot in slots for one in slot["pending"]}

    def gather(self) -> None:
        """Wait for the end of every hook; nothing is left of them but what they printed."""
        for asked in self.asked:
            with asked.hook:
                asked.ended = asked.hook.end()
                code = asked.ended.code
                assert code == 0 or asked.killed, asked
                assert asked.ended.err == b""

    def end(self) -> None:
        """Leave no process behind."""
        for agent in self._agents:
            agent.kill()
            agent.wait()
        for asked in self.asked:
            if asked.runs:
                asked.hook.signal(signal.SIGKILL)
            with asked.hook.process:
                pass

    def _spool(
        self,
        agent: int,
        event: str,
        payload: dict[str, Any],
        name: str = "",
        at: float | None = None,
    ) -> None:
        self._spooled += 1
        fields = ["flightdeck1", event, str(self.pids[agent]), *("" for _ in NAMES)]
        draft = self.home / "draft"
        draft.write_bytes("\x1f".join(fields).encode() + b"\n" + json.dumps(payload).encode() + END)
        os.utime(draft, None if at is None else (at, at))
        draft.rename(self.place.inbox / (name or f"{900000 + self._spooled}.{event}.ev"))

    def _record(self, agent: int, status: str) -> None:
        folder = self.home / ".claude" / "sessions"
        folder.mkdir(parents=True, exist_ok=True)
        told = {"pid": self.pids[agent], "sessionId": f"s{agent}", "status": status}
        told |= {"statusUpdatedAt": int(time.time() * 1000), "cwd": str(self.home)}
        (folder / f"{self.pids[agent]}.json").write_text(json.dumps(told))
