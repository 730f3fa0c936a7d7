"""A real client in a tmux pane: what is typed into it, and the truth about it.

The truth is the client's own registry record, `sessions/<pid>.json` in its configuration
folder, and the process itself. It must not know the panel.

Source: Claude Code 2.1.332, observed: the record's `status` and `statusUpdatedAt`.
"""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from tests.real.lab import Lab

IDLE = frozenset({"idle"})
BUSY = frozenset({"busy"})
SHELL = frozenset({"shell"})
WAITING = frozenset({"waiting"})
GONE = frozenset({"gone"})
EVER = BUSY | SHELL | WAITING
CAME_BEFORE_S = 0.05  # a record's own time may lie so far before the key that caused it
SETTLED_S = 0.3  # a record can pass through idle on its way to busy
_Found = TypeVar("_Found")


class LabTrouble(Exception):
    """The client did not do what the scenario needs: the panel is not to blame."""


@dataclass(frozen=True, slots=True)
class Change:
    """What the client turned into, and when (seconds since the epoch).

    A busy client writes its record up to 0.7 s after the time it says; `written` is when.
    """

    at: float
    status: str
    waiting_for: str
    session_id: str
    written: float = 0.0


def until(
    look: Callable[[], _Found | None], within_s: float, what: str, every_s: float = 0.01
) -> _Found:
    """Return the first truthy answer of `look`, asked every few milliseconds.

    Raises:
        LabTrouble: there was none within `within_s`; the message says `what` was missed.
    """
    end = time.monotonic() + within_s
    while time.monotonic() < end:
        if found := look():
            return found
        time.sleep(every_s)
    raise LabTrouble(f"{what}: not within {within_s:g} s")


@dataclass(slots=True)
class Tmux:
    """One tmux server of its own."""

    lab: Lab
    name: str

    def __call__(self, *words: str) -> str:
        """Run one tmux command and return what it printed.

        Raises:
            LabTrouble: tmux refused.
        """
        try:
            return self.lab.run("tmux", "-L", self.name, *words).strip()
        except subprocess.CalledProcessError as error:
            raise LabTrouble(f"tmux {words[0]}: {error.stderr.strip()}") from error

    def open(self, place: Sequence[str], cwd: Path, argv: Sequence[str]) -> tuple[str, int]:
        """Run `argv` in a new pane at `place`, a tmux command; return the pane's id and pid."""
        kept = ["-P", "-F", "#{pane_id} #{pane_pid}", "-c", str(cwd)]
        pane, pid = self(*place, *kept, *argv).split()
        return pane, int(pid)


@dataclass(slots=True)
class Session:
    """One client. `changes` is its truth so far, kept up by whoever calls `look`."""

    lab: Lab
    tmux: Tmux
    pane: str
    pid: int
    changes: list[Change] = field(default_factory=list)
    acted: float = field(default_factory=time.time)
    _seen: bytes = b""

    def look(self) -> None:
        """Read the record once; a changed one becomes a `Change`."""
        if self.gone:
            return
        now = time.time()
        if not runs(self.pid):
            self.changes.append(Change(now, "gone", "", self.id))
            return
        path = self.lab.config / "sessions" / f"{self.pid}.json"
        try:
            written = path.stat().st_mtime
            raw = path.read_bytes()
            record = json.loads(raw) if raw != self._seen else None
        except (OSError, ValueError):
            return  # not there yet, or half written: the next look is a moment away
        if record and record.get("status"):
            self._seen = raw
            self._note(record, now, written)

    def _note(self, record: dict[str, object], now: float, written: float) -> None:
        new = (str(record["status"]), str(record.get("waitingFor") or ""), str(record["sessionId"]))
        last = self.changes[-1] if self.changes else Change(0, "", "", "")
        if new == (last.status, last.waiting_for, last.session_id):
            return
        at = float(str(record.get("statusUpdatedAt", 0))) / 1000
        moved = new[:2] != (last.status, last.waiting_for)
        self.changes.append(Change(at if moved and 0 <= now - at < 1 else now, *new, written))

    @property
    def gone(self) -> bool:
        """Whether the process has ended; a zombie has."""
        return bool(self.changes) and self.changes[-1].status == "gone"

    @property
    def status(self) -> str:
        """The client's own word for what it does now."""
        return self.changes[-1].status if self.changes else ""

    @property
    def id(self) -> str:
        """The session id it has now."""
        return self.changes[-1].session_id if self.changes else ""

    def written(self, at: float) -> float:
        """Return when the record of the change at `at` was written, so that others can see it."""
        return next(max(c.at, c.written) for c in self.changes if c.at == at)

    def id_at(self, at: float) -> str:
        """Return the id it had at `at`; a hook may announce a new one 0.2 s before the record."""
        known = [c.session_id for c in self.changes if c.at <= at + 0.2]
        return known[-1] if known else self.id

    def reached(
        self, statuses: Collection[str], within_s: float = 15, stands_s: float | None = None
    ) -> float:
        """Wait until the client is in one of `statuses` since the last action; return since when.

        Raises:
            LabTrouble: it never was; the message holds its screen.
        """
        stands = (SETTLED_S if statuses == IDLE else 0) if stands_s is None else stands_s

        def there() -> float:
            last = self.changes[-1] if self.changes else None
            if last is None or last.status not in statuses:
                return 0
            stood = time.time() - last.at >= stands
            return last.at if stood and last.at >= self.acted - CAME_BEFORE_S else 0

        try:
            return until(there, within_s, f"client {'/'.join(sorted(statuses))}")
        except LabTrouble as trouble:
            raise LabTrouble(f"{trouble}, it is {self.status!r}\n{self.screen()}") from None

    def screen(self) -> str:
        """Return the text in the pane, or nothing when the pane has gone."""
        try:
            return self.tmux("capture-pane", "-p", "-t", self.pane)
        except LabTrouble:
            return ""

    def type(self, text: str) -> None:
        """Type `text` into the prompt and send it, once the client has taken it in."""
        for _ in range(5):
            self.tmux("send-keys", "-t", self.pane, "-l", text)
            try:
                until(lambda: text in self.screen(), 1.5, f"'{text}' on the screen")
                break
            except LabTrouble:  # not listening yet, or only for the second half of it
                self.tmux("send-keys", "-t", self.pane, "C-u")
        time.sleep(0.4)  # a slash command opens a menu that swallows an earlier Enter
        self.press("Enter")

    def press(self, key: str) -> None:
        """Press one key, tmux's name for it."""
        self.acted = time.time()
        self.tmux("send-keys", "-t", self.pane, key)

    def choose(self, option: str) -> None:
        """Press the number of the dialog's line that begins with the pattern `option`."""
        line = re.compile(rf"(\d)\. (?:{option})")
        found = until(lambda: line.search(self.screen()), 5, f"option '{option}'")
        self.press(found[1])

    def settle(self, option: str) -> None:
        """Choose in the only dialog that is open, and see to it that it was heard.

        One that was only just drawn may take a number for a move of its cursor.
        """
        self.choose(option)
        try:
            self.reached(IDLE | BUSY, within_s=3, stands_s=0)
        except LabTrouble:
            self.press("Enter")

    def kill(self, number: signal.Signals) -> None:
        """Send the process a signal."""
        self.acted = time.time()
        if not self.gone:
            os.kill(self.pid, number)

    def end(self) -> None:
        """Ask it to end, and see to it."""
        self.kill(signal.SIGTERM)
        try:
            until(lambda: self.gone, 5, "client gone")
        except LabTrouble:
            self.kill(signal.SIGKILL)


def runs(pid: int) -> bool:
    """Return whether a process lives; a zombie does not."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(encoding="ascii", errors="replace")
    except OSError:
        return False
    return stat.rpartition(")")[2].split()[0] != "Z"
