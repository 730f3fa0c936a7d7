"""A verb: a prepared text for an agent, as a file under verbs/ declares it.

Source: verbs/README.md.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from flightdeck.model.lifecycle import State


# Keystrokes a verb may send: leave what is running, confirm what is shown.
ESCAPE, ENTER = "Escape", "Enter"
KEYSTROKES = (ESCAPE, ENTER)


class VerbKind(enum.Enum):
    """What a verb is sent as; the value is its name in the file."""

    PROMPT = "prompt"
    STEER = "steer"
    KEY = "key"


@dataclass(frozen=True, slots=True)
class Verb:
    """One verb: `label` is what its key says, `text` what the agent is told, rules included.

    `confirm` asks for a second press, `common` names the rules a prompt is sent with, and
    `requires` are the states in which a keystroke may be sent.
    """

    name: str
    kind: VerbKind
    label: str
    text: str
    confirm: bool = False
    common: str = ""
    requires: tuple[State, ...] = ()
