"""A session that verbs are sent to, and everything that tells what has come of them.

What reached the model is what the fake API got from that very session; what was submitted
is what a hook of the project's own was told; what the client did is in its record. It must
not know what the panel holds true.

Source: README.md, "Row 2: verbs".
"""

from __future__ import annotations

import json
import shlex
import time
from dataclasses import dataclass, field
from itertools import groupby
from typing import TYPE_CHECKING, Any

from tests.real.desk import LONGEST_S, Desk
from tests.real.scenario import foreign_hooks
from tests.real.session import IDLE, SHELL, WAITING, until
from tests.real.verb_script import REPORT

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from tests.real.fake_api import Asked
    from tests.real.session import Session

# The perl of the scripts and the report of a failure run without a dialog.
TOOLS = ("--allowedTools", "Bash(perl *)", f"Bash({REPORT})")
# A second of rest before it is woken, what is typed, and what a busy machine adds to that.
SOON_S = 6.0
QUEUED = "queued: it is sent when its turn ends"
DIALOG = "queued: nothing is typed into an open dialog; it is sent when its turn ends"
HALTED = "queued: nothing is sent while the fleet is halted"
BEHIND = "queued: not in front; it is tried again, and sent when its next turn ends"
NO_BOX = "queued: no input box; it is tried again, and sent when its next turn ends"
MOVED = "moved"
# The text of each verb that was asked for: it is the same on every desk.
_PROMPTS: dict[str, str] = {}


@dataclass(slots=True)
class Errand:
    """The session a desk's verbs go to."""

    desk: Desk
    session: Session
    # Of each verb: how many requests have been looked at, and which of them brought it.
    _found: dict[str, tuple[int, tuple[Asked, ...]]] = field(default_factory=dict)

    def choose(self) -> None:
        """Select the session and wait until the verb keys are aimed at it."""
        slot = until(lambda: self.desk.slot(self.session), LONGEST_S, "a slot")["slot"]
        self.desk.play.lab.run("flightdeck", "select", str(slot))
        until(self._aimed, LONGEST_S, "keys of this session")

    def _aimed(self) -> bool:
        """Say whether the row is aimed at it, up to the last key; names may begin alike."""
        faces = self.desk.thumb.faces("stop")
        return bool(faces) and faces[-1].name.endswith((f", {self.who}", f"for {self.who}"))

    def prompt(self, verb: str) -> str:
        """Return the whole text of a verb as it is sent."""
        if verb not in _PROMPTS:
            shown = self.desk.play.lab.run("flightdeck", "verbs", "show", verb)
            _PROMPTS[verb] = shown.strip()
        return _PROMPTS[verb]

    def carrying(self, verb: str) -> list[Asked]:
        """Return the requests of this session that have brought the model this verb, whole."""
        text, asked = self.prompt(verb), self.desk.play.lab.api.asked
        known, found = self._found.get(verb, (0, ()))
        new = tuple(asked[known:])
        found += tuple(a for a in new if any(text in _plain(told) for told in a.told))
        self._found[verb] = known + len(new), found
        return [a for a in found if a.session in self.ids and not a.aside]

    @property
    def ids(self) -> set[str]:
        """The ids the session has gone by."""
        return {change.session_id for change in self.session.changes}

    def arrives(self, verb: str, times: int = 1, within_s: float = 15) -> Asked:
        """Wait until the model has been brought this verb so often; return the last request."""

        def there() -> Asked | None:
            came = self.carrying(verb)
            return came[-1] if len(came) == times else None

        return until(there, within_s, f"{verb} at the model {times} times")

    def arrived(self, verb: str, times: int = 1) -> None:
        """See that it came so often and no more, was told so, and left nothing behind."""
        until(lambda: self.words(verb)[-1:] == ["sent"], LONGEST_S, f"'sent' on {verb}")
        until(lambda: not self.queue(), LONGEST_S, "an empty queue")
        self.rests()
        assert len(self.carrying(verb)) == times
        assert self.queued is None

    def rests(self) -> None:
        """Wait until the client is at rest, and the panel knows."""
        until(self.at_rest, 20, "an agent at rest")

    def at_rest(self, for_s: float = 0.0) -> bool:
        """Say whether the client has been at rest so long, and the panel knows."""
        last, slot = self.session.changes[-1], self.desk.slot(self.session)
        known = slot.get("state") in {"idle", "done", "failed"} or last.status in SHELL
        return known and last.status in IDLE | SHELL and time.time() - last.at >= for_s

    @property
    def queued(self) -> str | None:
        """The verb that waits for the session, as the snapshot has it."""
        waits: str | None = self.desk.slot(self.session)["queued"]
        return waits

    @property
    def who(self) -> str:
        """How a verb's key calls the session."""
        return " ".join(filter(None, self.desk.slot(self.session)["label"]))

    def words(self, verb: str) -> list[str]:
        """Return the words with which the key of a verb has answered, oldest first.

        One that stands while the key changes beneath it counts once.
        """
        names = (face.name for face in self.desk.thumb.faces(verb))
        said = (name.partition(f"{self.who}, ")[2] for name in names)
        return [word for word, _ in groupby(said) if word]

    def queue(self) -> list[str]:
        """Return the names of what lies in the queue: verbs, and prompts on their way."""
        return sorted(path.name for path in (self.desk.play.lab.fleet / "queue").iterdir())

    def status(self) -> dict[str, Any]:
        """Return what `status --json` says of the session's slot."""
        slots = json.loads(self.desk.play.lab.run("flightdeck", "status", "--json"))["slots"]
        found: dict[str, Any] = next(s for s in slots if s["pid"] == self.session.pid)
        return found

    def waits(self, verb: str) -> None:
        """See that a verb is in the queue, and that everything that shows it does."""
        self.desk.thumb.shows(verb, f"{verb.upper()}, queued for")
        self.desk.thumb.shows(f"slot {self.desk.slot(self.session)['slot']}", f"queued {verb}")
        assert self.status()["queued"] == verb
        assert self.queue() == [f"{self.session.id}.{self.session.pid}"]

    def submitted(self) -> list[str]:
        """Return the prompts the client has told its hooks of, oldest first."""
        return [given["prompt"] for given in self._told("UserPromptSubmit")]

    def _told(self, event: str) -> Iterator[dict[str, Any]]:
        for line in _told_file(self.desk).read_text().splitlines():
            given = json.loads(line)
            if given["hook_event_name"] == event and given["session_id"] in self.ids:
                yield given


def listening(desk: Desk, **others: str) -> None:
    """Give the scenario's repository a hook that writes down each prompt; before it starts.

    `others` are commands for other events.
    """
    told = _told_file(desk)
    told.touch()
    writes = f'read -r l; printf "%s\\n" "$l" >>{shlex.quote(str(told))}'
    foreign_hooks(desk.play, {"UserPromptSubmit": writes, **others})


def opened(
    desk: Desk, *flags: str, env: dict[str, str] | None = None, at: Sequence[str] | None = None
) -> Errand:
    """Start a client in a repository that listens, and select it."""
    if not _told_file(desk).exists():
        listening(desk)
    errand = Errand(desk, desk.play.open(*TOOLS, *flags, env=env, at=at))
    errand.choose()
    return errand


def asking(desk: Desk, script: str, *flags: str) -> Errand:
    """Start one and have it open a dialog."""
    errand = opened(desk, *flags)
    errand.session.type(f"scenario:{script}")
    errand.session.reached(WAITING)
    until(lambda: desk.slot(errand.session).get("state") == "blocked", LONGEST_S, "an amber key")
    return errand


def working(desk: Desk, script: str) -> Errand:
    """Start one and have it work."""
    errand = opened(desk)
    errand.session.type(f"scenario:{script}")
    until(lambda: desk.play.lab.api.when(script, 0), 10, "its first request")
    until(lambda: desk.slot(errand.session).get("state") == "working", LONGEST_S, "a blue key")
    return errand


def pressed(errand: Errand, verb: str, says: str, face: str = "") -> float:
    """Press a verb's key that has been read, which answers so; return when, epoch seconds."""
    errand.desk.thumb.read(verb, face or f"{verb.upper()}, ")
    at = time.time()
    answer = errand.desk.thumb.strike(verb)
    assert answer == says, answer
    return at


def _told_file(desk: Desk) -> Path:
    return desk.play.lab.root / f"{desk.play.name}.told"


def _plain(told: str) -> str:
    """Return a text without the line numbers a file that was read comes with."""
    lines = told.splitlines()
    return "\n".join(line.partition("\t")[2] if "\t" in line else line for line in lines)
