"""Ten thousand payloads nobody would send: no exception, no key lost or moved, nothing outside.

Most are spooled as the hook spools them, hundreds to a pass; some go through the real
hook in real shells.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

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
NASTY: st.SearchStrategy[object] = st.sampled_from(
    [
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
)
VALUES = st.one_of(NASTY, st.text(max_size=12), st.integers(), st.lists(NASTY, max_size=2))
PAYLOADS = st.dictionaries(st.sampled_from(FIELDS), VALUES, max_size=6)
BODIES = st.one_of(
    PAYLOADS.map(lambda data: json.dumps(data).encode()),
    st.binary(max_size=40).map(lambda raw: raw.replace(b"\n", b"")),
)
HOSTILE = st.tuples(
    st.sampled_from(EVENTS), BODIES, st.sampled_from([*NAMES, ""]), st.text(max_size=9)
)
PROFILE = settings(
    deadline=None,
    database=None,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)


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


@pytest.mark.timeout(300)
def test_ten_thousand_hostile_events_move_no_key(fleet: Fleet) -> None:
    spooled = 0

    @settings(PROFILE, max_examples=EVENTS_IN_ALL // 5)
    @given(st.lists(HOSTILE, min_size=5, max_size=5))
    def spool(hostile: list[tuple[str, bytes, str, str]]) -> None:
        nonlocal spooled
        for name, body, variable, value in hostile:
            names = {variable: "".join(c for c in value if c.isprintable())} if variable else {}
            pid = fleet.agents[spooled % len(fleet.agents)]
            fleet.machine.spool(pid, name, body, **names)
            spooled += 1
        if spooled % EVENTS_A_PASS == 0:
            fleet.check()

    spool()
    fleet.check()
    assert spooled >= EVENTS_IN_ALL


@pytest.mark.parametrize("shell", ["/bin/dash", "/bin/bash"])
def test_hostile_payloads_through_the_real_hook_move_no_key(fleet: Fleet, shell: str) -> None:
    sent = 0

    @settings(PROFILE, max_examples=200)
    @given(st.sampled_from(EVENTS), BODIES)
    def send(event: str, body: bytes) -> None:
        nonlocal sent
        pid = fleet.agents[sent % len(fleet.agents)]
        assert fleet.machine.hook(Kind.SPOOL, event, shell, body + b"\n", pid) == 0
        sent += 1
        if sent % 20 == 0:
            fleet.check()

    send()
    fleet.check()
