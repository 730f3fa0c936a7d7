"""An agent whose permission hook is the true one, run as its client runs it."""

from __future__ import annotations

import json
import shutil
import subprocess
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from flightdeck.install.snippets import Kind, Site, render_hook
from tests.fold.world import DEADLINE_S, until

if TYPE_CHECKING:
    from tests.commands.running import Running
    from tests.fold.world import Machine

SUGGESTION = [
    {
        "type": "addRules",
        "rules": [{"toolName": "Bash", "ruleContent": "make:*"}],
        "behavior": "allow",
        "destination": "session",
    }
]


@dataclass
class Agent:
    """A process that asks for permission, on the machine a panel runs on."""

    machine: Machine
    panel: Running
    pid: int
    hooks: list[subprocess.Popen[str]] = field(default_factory=list)

    def asks(self, entrypoint: str = "cli", **payload: Any) -> subprocess.Popen[str]:
        """Ask, and return the hook that waits."""
        told: dict[str, Any] = {
            "session_id": f"s{self.pid}",
            "tool_name": "Bash",
            "cwd": str(self.machine.home),
        }
        told |= {"tool_input": {"command": "make"}, "permission_mode": "default"}
        tools = {name: str(shutil.which(name)) for name in ("head", "rm", "mkfifo")}
        site = Site(self.machine.executable(), self.machine.folder.root, **tools)
        hook = subprocess.Popen(
            ["/bin/sh", "-c", render_hook(Kind.WAIT, "PermissionRequest", site)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={"CLAUDE_PID": str(self.pid), "CLAUDE_CODE_ENTRYPOINT": entrypoint},
            text=True,
        )
        assert hook.stdin is not None
        hook.stdin.write(json.dumps(told | payload) + "\n")
        hook.stdin.close()
        hook.stdin = None
        self.hooks.append(hook)
        return hook

    def asks_and_is_held(self, **payload: Any) -> subprocess.Popen[str]:
        """Ask, and wait until the panel can answer."""
        before = sum(request["answerable"] for request in self.pending())
        hook = self.asks(**payload)
        until(
            lambda: sum(request["answerable"] for request in self.pending()) > before,
            "a held request",
        )
        return hook

    def leave(self) -> None:
        """Let every hook end, whatever became of it."""
        for hook in self.hooks:
            hook.kill()
            hook.wait()
            assert hook.stdout is not None
            hook.stdout.close()

    def pending(self) -> list[dict[str, Any]]:
        """Return what the snapshot says of its requests."""
        if not self.machine.folder.slots.exists():
            return []
        rows = self.machine.snapshot()["slots"]
        return next((row["pending"] for row in rows if row["pid"] == self.pid), [])


def printed(hook: subprocess.Popen[str]) -> dict[str, Any] | None:
    """Wait for the end of a hook and return the decision it printed, None for nothing."""
    out, _ = hook.communicate(timeout=DEADLINE_S)
    assert hook.returncode == 0
    if not out:
        return None
    decision = json.loads(out)["hookSpecificOutput"]["decision"]
    assert isinstance(decision, dict)
    return decision
