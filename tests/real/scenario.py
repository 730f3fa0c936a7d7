"""The list of scenarios: a name, how to play it, what it must come through.

A scenario ends with its last phase; whatever it opened is closed for it.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from tests.real.play import Play

Player = Callable[[Play], None]


@dataclass(frozen=True, slots=True)
class Scenario:
    """A way to play, how many phases it has, and about how many seconds it takes."""

    play: Player
    phases: int
    takes_s: int


SCENARIOS: dict[str, Scenario] = {}


def scenario(name: str, phases: int, *, takes_s: int) -> Callable[[Player], Player]:
    """Enter a function in the list."""

    def enter(play: Player) -> Player:
        SCENARIOS[name] = Scenario(play, phases, takes_s)
        return play

    return enter


def rest(seconds: float) -> None:
    """Let the client do what it does for a while, as a person would before acting."""
    time.sleep(seconds)


def foreign_hook(play: Play, event: str, command: str) -> None:
    """Give the scenario's repository a hook of its own, as a project may."""
    foreign_hooks(play, {event: command})


def foreign_hooks(play: Play, commands: Mapping[str, str]) -> None:
    """Give the scenario's repository a hook of its own for each of these events."""
    folder = play.lab.work(play.name) / ".claude"
    folder.mkdir()
    hooks = {
        event: [{"hooks": [{"type": "command", "command": command}]}]
        for event, command in commands.items()
    }
    (folder / "settings.json").write_text(json.dumps({"hooks": hooks}))
