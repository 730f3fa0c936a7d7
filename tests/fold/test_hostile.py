"""Ten thousand payloads nobody would send: no exception, no key lost or moved, nothing outside.

Most are spooled as the hook spools them, hundreds to a pass; some go through the real
hook in real shells. They are drawn from `random`, which starts from the seed the run names.
"""

from __future__ import annotations

import json
import random
from typing import TYPE_CHECKING

import pytest

from flightdeck.fold import events
from flightdeck.install.snippets import Kind
from flightdeck.model.event import NAMES
from flightdeck.model.session import Session
from flightdeck.store.codec import from_json
from flightdeck.store.snapshot import fleet_from_json
from tests.fold.world import Machine, pids

if TYPE_CHECKING:
    from flightdeck.fold.folding import Fold

EVENTS_IN_ALL, EVENTS_A_PASS = 10_000, 250
EVENTS = [
    "SessionStart",
    "UserPromptSubmit",
    "PreToolUse",
    "PostToolUse",
    "PermissionRequest",
    "Notification",
    "Stop",
    "StopFailure",
    "SubagentStop",
    "PreCompact",
    "PostCompact",
    "Elicitation",
    "ElicitationResult",
    "CwdChanged",
    "NoSuchEvent",
]
FIELDS = [
    "session_id",
    "transcript_path",
    "cwd",
    "new_cwd",
    "source",
    "prompt",
    "tool_name",
    "tool_input",
    "agent_id",
    "agent_type",
    "permission_mode",
    "notification_type",
    "background_tasks",
    "error",
    "session_title",
    "mcp_server_name",
]
# Values that have hurt somebody: paths out of the folder, NUL, half a character, huge
# numbers, deep nesting, control characters, markup, a shell's favourites.
NASTY: list[object] = [
    "../../../etc/passwd",
    "/" * 300,
    "/dev/zero",
    "/proc/self/mem",
    "a/b",
    ".",
    "..",
    "-rf",
    "s\0x",
    "\ud83d",
    "\u202e",
    "a" * 5_000,
    "$(touch /tmp/x)",
    "`id`",
    "<script>",
    "]]>",
    "\x1b[2J",
    "\x1e",
    10**400,
    -1,
    1e308,
    True,
    None,
    [[[[[]]]]],
    {"type": {"type": []}},
    [None, 1, {"type": 7}, {"status": []}],
    "clear",
    "compact",
    "permission_prompt",
    "Bash",
]
ALPHABET = "aZ0 ./-_:\t\0\x1b\x1f\x7f\"'\\é\u200b\u2028\ud83d\ufffe\U0001f600"


def any_text(most: int) -> str:
    """Return a text of the characters that hurt, and of any other."""
    others = [chr(random.randrange(0x110000)) for _ in range(most)]
    return "".join(random.choices([*ALPHABET, *others], k=random.randrange(most + 1)))


def any_value() -> object:
    match random.randrange(6):
        case 0:
            return any_text(12)
        case 1:
            return random.randint(-(2**70), 2**70)
        case 2:
            return random.choices(NASTY, k=random.randrange(3))
        case _:
            return random.choice(NASTY)


def any_body() -> bytes:
    """Return a payload, one that was cut short, or bytes that never were one."""
    if random.random() < 0.3:
        return random.randbytes(random.randrange(41)).replace(b"\n", b"")
    fields = random.sample(FIELDS, k=random.randrange(7))
    body = json.dumps({field: any_value() for field in fields}).encode()
    return body[: random.randrange(len(body))] if random.random() < 0.1 else body


class Fleet:
    """Four agents on four keys, and what must hold of them after every pass."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.agents = [machine.agent() for _ in range(4)]
        for pid in self.agents:
            machine.starts(pid, f"s-{pid}")
        self.fold: Fold = machine.fold()
        machine.step(self.fold)
        self.outside = self.tree()

    def tree(self) -> set[str]:
        """Return every path below the home that is not state."""
        root = self.machine.folder.root
        return {str(path) for path in self.machine.home.rglob("*") if not path.is_relative_to(root)}

    def check(self) -> None:
        """Fold, and look at everything a payload must not have reached."""
        outcome = self.machine.step(self.fold)
        assert pids(outcome) == [*self.agents, 0, 0, 0, 0]
        assert fleet_from_json(self.machine.snapshot()) is not None
        assert self.tree() == self.outside
        folder = self.machine.folder
        names = sorted(path.name for path in folder.sessions.iterdir())
        assert names == sorted(f"{view.key}.json" for view in outcome.fleet.slots[:4])
        for path in folder.sessions.iterdir():
            from_json(Session, json.loads(path.read_bytes()))
        assert list(folder.inbox.iterdir()) == []
        assert {path.name for path in folder.root.iterdir()} <= {
            *("inbox", "sessions", "blocked", "asks", "queue", "compiled", "log", "lock"),
            "slots.json",
            *("events.jsonl", "events.jsonl.1", "events.jsonl.2", "events.jsonl.3"),
        }
        assert len(list(folder.blocked.iterdir())) <= len(self.agents)


@pytest.fixture
def fleet(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> Fleet:
    def bug(*words: object) -> None:
        raise AssertionError(words)

    monkeypatch.setattr(events._LOG, "error", bug)  # what a bug drops is a bug all the same
    machine.executable()
    return Fleet(machine)


def test_ten_thousand_hostile_events_move_no_key(fleet: Fleet) -> None:
    for spooled in range(1, EVENTS_IN_ALL + 1):
        variable, value = random.choice([*NAMES, ""]), any_text(9)
        names = {variable: "".join(c for c in value if c.isprintable())} if variable else {}
        pid = fleet.agents[spooled % len(fleet.agents)]
        fleet.machine.spool(pid, random.choice(EVENTS), any_body(), **names)
        if spooled % EVENTS_A_PASS == 0:
            fleet.check()


@pytest.mark.parametrize("shell", ["/bin/dash", "/bin/bash"])
def test_hostile_payloads_through_the_real_hook_move_no_key(fleet: Fleet, shell: str) -> None:
    for sent in range(1, 201):
        pid = fleet.agents[sent % len(fleet.agents)]
        event, body = random.choice(EVENTS), any_body()
        assert fleet.machine.hook(Kind.SPOOL, event, shell, body + b"\n", pid) == 0
        if sent % 20 == 0:
            fleet.check()
