"""What hooks, snapshot, journal and log tell in a report, as far as others may read it.

Source: README.md, "A report".
"""

from __future__ import annotations

import json
import os
import stat
from typing import TYPE_CHECKING, Any

from flightdeck.doctor.scrub import Pseudonyms, is_number, log_lines, number, word
from flightdeck.errors import FlightdeckError
from flightdeck.install import client, desired, faults
from flightdeck.install.claude_code import text_of
from flightdeck.install.document import read
from flightdeck.install.policy import read_policy
from flightdeck.model.lifecycle import Reason, State
from flightdeck.model.risk import Tier

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from flightdeck.doctor.machine import Machine
    from flightdeck.install.document import Document
    from flightdeck.store.paths import StateFolder

_ROWS, _LINES = 60, 80
_TAIL = 64 * 1024
_STATES = frozenset(state.value for state in State)
_REASONS = frozenset(reason.value for reason in Reason)
_TIERS = frozenset(tier.value for tier in Tier)
_HOW = frozenset(("hook", "registry", "process", "transcript", "notification", "deck", "demo"))
_AGENTS = frozenset(("claude-code",))
_MODES = frozenset(("default", "acceptEdits", "plan", "auto", "dontAsk", "bypassPermissions"))
_HOSTS = frozenset(("app", "iterm2", "kitty", "tmux", "unknown", "wezterm", "zellij"))
_TOOLS = frozenset(
    ("AskUserQuestion", "Bash", "Edit", "ExitPlanMode", "Glob", "Grep", "MultiEdit")
) | frozenset(("NotebookEdit", "Read", "Skill", "Task", "WebFetch", "WebSearch", "Write"))
_FLAGS = ("gated", "selected", "seen", "untracked", "stale", "ending", "ended")


def hooks(machine: Machine) -> Iterator[str]:
    """Yield of each event whether our hook stands there, and how many of others do."""
    policy = read_policy(machine.platform, machine.root)
    bans = ", ".join(ban.setting for ban in policy.bans) or "no bans"
    yield f"managed settings: {len(policy.files)} files, {len(policy.broken)} broken, {bans}"
    target = machine.settings
    try:
        document = read(text_of(target.read(), target.file), str(target.file))
        version = machine.client.version if machine.client else None
        wanted = desired.desired(version, client.find_site(machine.folder.root))
    except FlightdeckError as error:
        yield f"the settings cannot be read: {type(error).__name__}"
        return
    yield f"settings: {len(document.root.names)} keys, {len(faults.malformed(document))} malformed"
    yield f"disableAllHooks: {faults.disabled(document)}"
    for event, command in wanted.items():
        yield f"{event:<21} {_standing(document, event, command)}"


def _standing(document: Document, event: str, command: str) -> str:
    ours = [entry.command for entry in document.ours() if entry.event == event]
    current = sum(one == command for one in ours)
    others = sum(1 for _ in document.foreign(event))
    return f"{current} current, {len(ours) - current} other of ours, {others} of others"


def sessions(folder: StateFolder) -> Iterator[str]:
    """Yield each slot of the snapshot and the last rows of the journal, sessions by number."""
    names, requests = Pseudonyms("s"), Pseudonyms("r")
    snapshot = _object(tail(folder.slots))
    for slot in _objects(snapshot.get("slots")):
        if slot.get("key"):
            yield _slot(slot, names, requests)
    yield from (f"{told}: {number(snapshot.get(told))}" for told in ("untracked", "overflow"))
    rows = [_object(line) for line in tail(folder.journal).splitlines()[-_ROWS:]]
    last = rows[-1].get("time") if rows else None
    for row in rows:
        yield _row(row, last, names)


def _slot(slot: Mapping[str, Any], names: Pseudonyms, requests: Pseudonyms) -> str:
    host = slot.get("host")
    kind = word(host.get("kind") if isinstance(host, dict) else None, _HOSTS, "host")
    flags = [flag for flag in _FLAGS if slot.get(flag) is True]
    told = [
        f"slot {number(slot.get('slot'))} {names.of(slot.get('key'))}",
        _state(slot),
        word(slot.get("agent"), _AGENTS, "agent"),
        kind,
        word(slot.get("permission_mode"), _MODES, "mode"),
        *flags,
        *(_request(request, requests) for request in _objects(slot.get("pending"))),
    ]
    return " ".join(told)


def _request(request: Mapping[str, Any], requests: Pseudonyms) -> str:
    return (
        f"[{requests.of(request.get('request_id'))} "
        f"{word(request.get('tool'), _TOOLS, 'tool')} "
        f"{word(request.get('tier'), _TIERS, 'tier')} "
        f"{'answerable' if request.get('answerable') is True else 'in terminal'}]"
    )


def _state(of: Mapping[str, Any]) -> str:
    """Return state, reason and witness, with a dash for what is not told."""
    named = (("state", _STATES), ("reason", _REASONS), ("how", _HOW))
    return "/".join(word(of.get(name), known, name) for name, known in named)


def _row(row: Mapping[str, Any], last: object, names: Pseudonyms) -> str:
    at, ago = row.get("time"), f"{'-':>9} s"
    if is_number(at) and is_number(last):
        ago = f"{at - last:9.3f} s"
    before = word(row.get("from_state"), _STATES, "state")
    return f"{ago} {names.of(row.get('key')):<4} {before} -> {_state(row)}"


def log(path: Path) -> Iterator[str]:
    """Yield the last lines of a log, as far as they may be shown."""
    yield from log_lines(tail(path).splitlines()[-_LINES:])


def tail(path: Path) -> str:
    """Return the end of a file, whole lines only; nothing if it cannot be read."""
    try:
        with open(path, "rb", opener=_at_once) as stream:
            info = os.fstat(stream.fileno())
            if not stat.S_ISREG(info.st_mode):
                return ""
            size = info.st_size
            stream.seek(max(0, size - _TAIL))
            data = stream.read(_TAIL)
    except OSError:
        return ""
    text = data.decode("utf-8", "replace")
    return text if size <= _TAIL else text.partition("\n")[2]


def _at_once(path: str, flags: int) -> int:
    """Open without waiting: a pipe of that name has nobody at its other end."""
    return os.open(path, flags | os.O_NONBLOCK)


def _object(text: str) -> dict[str, Any]:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _objects(value: object) -> list[dict[str, Any]]:
    items = value if isinstance(value, list) else []
    return [item for item in items if isinstance(item, dict)]
