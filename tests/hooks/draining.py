"""The hook at the end of a turn, and a verb it may find."""

from __future__ import annotations

import shlex

from flightdeck.agents.claude_code.prompts import carry_on
from flightdeck.install.snippets import Kind
from flightdeck.model.event import is_whole
from flightdeck.model.staged import Staged
from flightdeck.store import queue
from flightdeck.store.paths import StateFolder
from tests.hooks.place import (
    SESSION,
    Ended,
    Place,
    tool,
)

PAYLOAD = b'{"hook_event_name":"Stop","stop_hook_active":false}\n'
BIG = b'{"x":"' + b"y" * 5_000_000 + b'"}\n'
STAGED = Staged("test", "0123456789abcdef", SESSION, 4242, 1_000.0)
PROMPT = "Run the tests."


def drain(place: Place) -> str:
    return place.command(Kind.DRAIN)


def folder(place: Place) -> StateFolder:
    return StateFolder(place.root)


def stage(place: Place, prompt: str = PROMPT, staged: Staged = STAGED) -> bytes:
    """Put a verb into the queue; return what a hook that delivers it prints."""
    line = carry_on(prompt)
    queue.put(folder(place), staged, line, prompt)
    return line.encode() + b"\n"


def waits(place: Place) -> bool:
    """Say whether the verb is in the queue, and nothing beside it."""
    names = [path.name for path in folder(place).queue.iterdir()]
    return queue.standing(folder(place)) == (STAGED,) and names == [f"{SESSION}.4242"]


def nothing_waits(place: Place) -> bool:
    return not list(folder(place).queue.iterdir())


def fire(place: Place, payload: bytes = PAYLOAD, environ: dict[str, str] | None = None) -> Ended:
    return place.fire(payload, drain(place), environ)


def told(place: Place) -> list[str]:
    """Return which events were spooled, by the name they are filed and headed under."""
    names = []
    for path in place.spooled():
        content = path.read_bytes()
        assert is_whole(content)
        name, colon, token = content.split(b"\x1f")[1].decode().partition(":")
        assert name == path.name.split(".")[1]
        assert (name == "Drained") == bool(colon) == bool(token)
        names.append(name)
    return sorted(names)


def program(place: Place, name: str, script: str, command: str = "") -> str:
    """Return the hook, or `command`, with `script` for one of its programs, which is `$real`."""
    path = place.executable.with_name(name)
    path.write_text(f"#!/bin/sh\nreal={tool(name)}\n{script}\n")
    path.chmod(0o755)
    return (command or drain(place)).replace(tool(name), shlex.quote(str(path)))
