"""The rendered hooks of a home, run by a true shell as a client runs them, or killed half-way."""

from __future__ import annotations

import contextlib
import json
import os
import resource
import signal
import subprocess
import threading
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from flightdeck.install.snippets import Kind, Site, render_hook
from tests.hooks.place import argv

if TYPE_CHECKING:
    from collections.abc import Callable

DEADLINE_S = 30.0


class Agent(Protocol):
    """What a hook is told of its client."""

    @property
    def session_id(self) -> str:
        """The id it goes by."""

    @property
    def whose(self) -> tuple[str, int]:
        """That id, and its process."""

    @property
    def environ(self) -> dict[str, str]:
        """What hooks find in their environment."""


@dataclass(frozen=True)
class Ran:
    """A hook that has ended."""

    began: float
    ended: float
    out: bytes
    killed: bool
    full: bool
    whose: tuple[str, int]
    event: str = ""


@dataclass
class Hooks:
    """The hooks of a home, in one shell; `ran` is every one that was run."""

    shell: str
    site: Site
    ran: list[Ran] = field(default_factory=list)
    _commands: dict[tuple[Kind, str], list[str]] = field(default_factory=dict)

    def start(self, kind: Kind, event: str, client: Agent, **payload: Any) -> Any:
        """Start one as the client does and give it its payload."""
        facts = {"hook_event_name": event, "session_id": client.session_id, "cwd": "/", **payload}
        hook = subprocess.Popen(
            self._argv(kind, event),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=client.environ,
            start_new_session=True,
            bufsize=0,
        )
        assert hook.stdin
        hook.stdin.write(json.dumps(facts).encode() + b"\n")
        return hook

    def run(
        self,
        kind: Kind,
        event: str,
        client: Agent,
        kill_s: float | None = None,
        full: bool = False,
        **payload: Any,
    ) -> Ran:
        """Run one to its end; it may be killed after `kill_s`, or find the disk full."""
        whose, began = client.whose, time.time()
        hook = self.start(kind, event, client, **payload)
        if full:
            with contextlib.suppress(OSError):  # it may have ended
                resource.prlimit(hook.pid, resource.RLIMIT_FSIZE, (0, 0))
        try:
            out, _ = hook.communicate(timeout=DEADLINE_S if kill_s is None else kill_s)
        except subprocess.TimeoutExpired:
            assert kill_s is not None, f"{event} never ended"
            os.killpg(hook.pid, signal.SIGKILL)
            out, _ = hook.communicate()
        killed = hook.returncode != 0
        ran = Ran(began, time.time(), out, killed, full, whose, event)
        assert kill_s is not None or not killed, f"{event} ended with {hook.returncode}"
        self.ran.append(ran)
        return ran

    def _argv(self, kind: Kind, event: str) -> list[str]:
        if (kind, event) not in self._commands:
            self._commands[kind, event] = argv(self.shell, render_hook(kind, event, self.site))
        return self._commands[kind, event]


def side_by_side(deeds: list[Callable[[], object]]) -> None:
    """Do all of them, each on a thread of its own, from the same moment on."""
    gate = threading.Barrier(len(deeds)) if deeds else None
    faults: list[BaseException] = []

    def do(deed: Callable[[], object]) -> None:
        assert gate
        gate.wait()
        try:
            deed()
        except BaseException as error:
            faults.append(error)

    threads = [threading.Thread(target=do, args=(deed,), daemon=True) for deed in deeds]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if faults:
        raise faults[0]
