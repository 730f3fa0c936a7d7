"""The account after a run: every line a hook printed is matched with the press that caused it.

Told from what the deck was shown, what was pressed or typed when, and what each hook
asked for; nothing the panel says of itself counts.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tests.panel.crowd import NEVER_ALLOWED, NEVER_REMEMBERED
from tests.panel.person import CONFIRM_S, READ_S, SETTLED_S
from tests.panel.station import keys

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from tests.panel.crowd import Asked

TOOL = re.compile(r"\bTool[0-9]+\b|\bthe (?:question|plan)\b")
# Files are stamped by a clock that ticks this slowly.
JIFFY_S = 0.01
# An act that is no press: from here on nothing is armed any more.
HALT = "halt"
CHOICES = {"AskUserQuestion": "the question", "ExitPlanMode": "the plan"}


@dataclass(frozen=True)
class Act:
    """A press of a key, or with `typed` a verdict of a terminal on `tool`, "" for unnamed.

    `halted` says that the fleet had been seen to be halted by then.
    """

    what: str
    at: float
    typed: bool = False
    tool: str = ""
    halted: bool = False


@dataclass(frozen=True)
class Face:
    """What a key had come to say by then."""

    at: float
    name: str

    @property
    def about(self) -> tuple[str, bool]:
        """Which request it names, and whether it is armed."""
        found = TOOL.search(self.name)
        return (found[0] if found else "", self.name.startswith("armed"))


class Account:
    """What is known after a run."""

    def __init__(self, acts: Sequence[Act], log: Path) -> None:
        """`acts` are in the order they were done; `log` is the deck's."""
        self._acts = acts
        self._faces: dict[int, list[Face]] = {}
        for line in log.read_text().splitlines():
            at, index, name = json.loads(line)
            self._faces.setdefault(index, []).append(Face(at, name))

    def check(self, asked: Sequence[Asked]) -> None:
        """Assert that all that was printed was pressed for, each line by a press of its own."""
        told = [one for one in asked if one.printed]
        for one in told:
            fits(one)
        causes = [[i for i in range(len(self._acts)) if self._caused(i, one)] for one in told]
        assert matched(causes, {}), [
            (one, one.printed, cause) for one, cause in zip(told, causes, strict=True)
        ]

    def _caused(self, which: int, asked: Asked) -> bool:
        """Say whether this press can be why that hook printed what it did."""
        act, decision = self._acts[which], asked.printed
        assert decision is not None
        allow = decision["behavior"] == "allow"
        if act.what not in verdicts(asked, decision) or (allow and act.halted):
            return False
        if act.at < asked.at - JIFFY_S or not self._live(which, asked):
            return False
        two = allow and (asked.high or "updatedPermissions" in decision)
        return not two or any(self._armed(before, which, asked) for before in range(which))

    def _live(self, which: int, asked: Asked) -> bool:
        """Say whether the press was on that very request."""
        act = self._acts[which]
        if act.typed:
            return act.tool in {"", asked.tool}
        face = self._face(act)
        return face is not None and face.about[0] == name_of(asked) and act.at - face.at >= READ_S

    def _face(self, act: Act) -> Face | None:
        """Return what was under the thumb, from when it came to say so."""
        under: Face | None = None
        for face in self._faces.get(keys()[act.what], []):
            if face.at > act.at:
                break
            if under is None or under.about != face.about:
                under = face
        return under

    def _armed(self, before: int, which: int, asked: Asked) -> bool:
        """Say whether an earlier press armed what this one confirms."""
        one, other = self._acts[before], self._acts[which]
        if (one.what, one.typed) != (other.what, other.typed) or not self._live(before, asked):
            return False
        between = self._acts[before + 1 : which]
        if any(act.what == HALT for act in between):
            return False
        if other.typed:
            others = {act.what for act in between if act.typed} - {other.what}
            return other.at - one.at < CONFIRM_S and not others
        face = self._face(other)
        said = face is not None and face.about[1]
        others = {act.what for act in between if not act.typed} - {other.what}
        return said and not others and SETTLED_S <= other.at - one.at < CONFIRM_S


def name_of(asked: Asked) -> str:
    """Return how a key names the request."""
    return CHOICES.get(asked.tool, asked.tool)


def fits(asked: Asked) -> None:
    """Assert that a hook of this kind may print what it did, whoever pressed."""
    decision = asked.printed
    assert decision is not None
    assert not asked.mute, asked
    assert asked.hook.process.returncode == 0 or asked.killed
    if decision["behavior"] == "allow":
        assert decision.keys() <= {"behavior", "updatedPermissions"}
        assert asked.kind not in NEVER_ALLOWED, asked
    else:
        assert decision["behavior"] == "deny"
        assert decision["message"]
    if "updatedPermissions" in decision:
        assert asked.kind not in NEVER_REMEMBERED, asked
        assert decision["updatedPermissions"] == asked.payload["permission_suggestions"]


def verdicts(asked: Asked, decision: dict[str, Any]) -> set[str]:
    """Return the keys that would have had this printed."""
    if decision["behavior"] == "allow":
        return {"remember" if "updatedPermissions" in decision else "approve"}
    if decision.get("interrupt"):
        assert asked.kind not in NEVER_ALLOWED, asked
        return {"interrupt"}
    return {"deny", "steer"} | ({"interrupt"} if asked.kind in NEVER_ALLOWED else set())


def matched(causes: list[list[int]], used: dict[int, int]) -> bool:
    """Say whether each can have a cause of its own (augmenting paths)."""

    def place(which: int, tried: set[int]) -> bool:
        for cause in causes[which]:
            if cause in tried:
                continue
            tried.add(cause)
            if cause not in used or place(used[cause], tried):
                used[cause] = which
                return True
        return False

    return all(place(which, set()) for which in range(len(causes)))
