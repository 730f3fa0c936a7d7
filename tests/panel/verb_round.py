"""One round: a home, two agents, up to two panels one after the other, and a tale.

Everything is forked before the first thread begins. Once the tale is told whatever was
wrong is mended, so that what nothing came in the way of has to arrive; then every session
ends, and nothing may be left.
"""

from __future__ import annotations

import json
import logging
import os
import signal
import threading
import time
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from flightdeck.commands.panel_door import ask_panel
from flightdeck.errors import FlightdeckError
from flightdeck.fold.opening import open_fold
from flightdeck.install.snippets import Site
from flightdeck.store import queue
from flightdeck.store.paths import StateFolder
from flightdeck.store.selection import write as select
from tests.fold.world import NOBODY, until
from tests.hooks.place import tool
from tests.panel.reborn import Midwife
from tests.panel.verb_account import Account
from tests.panel.verb_client import Client
from tests.panel.verb_hindrances import Hindrances
from tests.panel.verb_hooks import Hooks, side_by_side
from tests.panel.verb_panel import PanelProcess
from tests.panel.verb_seen import Seen
from tests.panel.verb_tales import AGENTS, OF_AGENTS
from tests.panel.verb_terminal import Terminal
from tests.panel.verb_window import KEYS, Windows

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.panel.verb_tales import Step, Tale

_ABANDONED_S = 120.0
_STAGED_S = 0.3


@dataclass
class Round:
    """What is there while a tale is told."""

    home: Path
    tale: Tale
    notes: list[tuple[int, dict[str, Any]]] = field(default_factory=list)
    killed: dict[int, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Fork everybody, and start the agents."""
        tale, home = self.tale, self.home
        os.environ |= {
            "HOME": str(home),
            "FLEET_HOME": str(home / ".fleet"),
            "CLAUDE_CONFIG_DIR": str(home / ".claude"),
        }
        self.folder = StateFolder(home / ".fleet")
        self.folder.create()
        (home / ".claude" / "sessions").mkdir(parents=True)
        executable = home / "flightdeck"
        executable.touch(mode=0o755)
        midwife, self.terminal = Midwife(), Terminal()
        self.panels = [PanelProcess.fork(home, tale) for _ in range(2)]
        self.panel = -1
        self.hindrances = Hindrances(self.folder, lambda: self.panels[self.panel].pid)
        site = Site(executable, self.folder.root, *map(tool, ("head", "rm", "mkfifo", "mv")))
        self.hooks = Hooks(tale.shell, site)
        self.clients = [Client(1 + i, home, self.hooks, tale.rests, midwife) for i in range(AGENTS)]
        by_pane = {client.pane: client for client in self.clients}
        middle = {(who, nth): self._deed(step) for who, nth, step in tale.moments}
        self.windows = Windows(by_pane, tale.window, middle)
        self._lock = threading.RLock()
        self._asked: list[threading.Thread] = []
        self._readers: list[threading.Thread] = []
        self._steps: dict[str, Callable[..., object]] = {
            "send": self._send,
            "key": lambda verb: self.panels[self.panel].tell("key", verb),
            "select": self._select,
            "fold": self.terminal.run,
            "halt": self.hindrances.halt,
            "lift": self.hindrances.lift,
            "full": self.hindrances.fill,
            "free": self.hindrances.free,
            "kill panel": self._kill_panel,
            "outlive panel": self._outlive_panel,
            "nothing": lambda: None,
        }

    # The tale.

    def tell(self) -> Account:
        """Let it all happen, and return what is to be said of it."""
        self._begin()
        side_by_side([lambda strand=strand: self._do(strand) for strand in self.tale.strands])  # type: ignore[misc]
        stuck = self._mend()
        ended_at = time.time()
        stuck += self._end()
        seen = Seen(
            sorted(self.notes, key=lambda note: note[1]["at"]),
            self.clients,
            self.hooks.ran,
            self.windows.calls,
            self.hindrances.latched,
            self.killed,
            self.hindrances.full,
            self.tale.window,
            ended_at,
            self._left(),
            stuck,
        )
        account = Account(seen)
        account.check()
        account.counts.update(self._counts())
        return account

    def _counts(self) -> Counter[str]:
        calls, hooks = self.windows.calls, self.hooks.ran
        return Counter(
            {
                "hooks": len(hooks),
                "hooks killed": sum(ran.killed for ran in hooks),
                "panels killed": len(self.killed),
                "wakes": sum(note["what"] == "waking" for _, note in self.notes),
                "staged": sum(note["what"] == "staged" for _, note in self.notes),
                "keys": sum(call.what in KEYS for call in calls),
                "lines sent whose prompt was gone": sum(c.stale_lines for c in self.clients),
                "processes under a pid that came round": sum(c.came_round for c in self.clients),
            }
        )

    def leave(self) -> None:
        """Leave no process."""
        for client in self.clients:
            client.die()
        for panel in self.panels:
            with suppress(ProcessLookupError):
                os.kill(panel.pid, signal.SIGKILL)

    def _begin(self) -> None:
        for client, start in zip(self.clients, self.tale.starts, strict=True):
            client.starts()
            if start != "rest":
                client.prompt()
            if start == "asking":
                client.ask()
        long_ago = time.time() - 10
        for event in self.folder.inbox.iterdir():
            os.utime(event, (long_ago, long_ago))
        self._begin_panel()
        self._select(0)

    def _begin_panel(self) -> None:
        """Let the next panel begin."""
        self.panel += 1
        number, panel = self.panel, self.panels[self.panel]
        for deed in (self._read_notes, self.windows.serve):
            self._readers.append(threading.Thread(target=deed, args=(number, panel), daemon=True))
            self._readers[-1].start()
        panel.tell("begin")
        until(lambda: self._runs(panel.pid), "a panel")

    def _runs(self, pid: int) -> bool:
        try:
            about = json.loads(self.folder.slots.read_bytes())["panel"]
        except (OSError, ValueError, KeyError):
            return False
        return bool(about["pid"] == pid)

    def _read_notes(self, number: int, panel: PanelProcess) -> None:
        with os.fdopen(panel.diary) as notes:
            for line in notes:
                if line.endswith("\n"):
                    self.notes.append((number, json.loads(line)))

    def _do(self, strand: tuple[Step, ...]) -> None:
        for delay_ms, what, about in strand:
            if delay_ms:
                time.sleep(delay_ms / 1000)  # that is the tale, and nothing is waited for
            self._deed((0, what, about))()

    def _deed(self, step: Step) -> Callable[[], object]:
        _, what, about = step
        if what in OF_AGENTS:
            who, *more = about
            return lambda: getattr(self.clients[who], what)(*more)
        return lambda: self._steps[what](*about)

    # What people do.

    def _send(self, verb: str) -> None:
        """Send it from a terminal; what it is told comes later."""

        def ask() -> None:
            with suppress(FlightdeckError):
                ask_panel(self.folder, {"do": "send", "verb": verb})

        self._asked.append(threading.Thread(target=ask, daemon=True))
        self._asked[-1].start()

    def _select(self, who: int) -> None:
        pid = self.clients[who].pid
        keys = [path.stem for path in self.folder.sessions.glob(f"{pid}-*.json")]
        if keys:
            select(self.folder, keys[-1])

    # What goes wrong.

    def _kill_panel(self) -> None:
        """Kill the panel; the other one begins when the first is gone."""
        with self._lock:
            if self.panel != 0 or 0 in self.killed:
                return
            self.killed[0] = time.time()
            os.kill(self.panels[0].pid, signal.SIGKILL)
            os.waitpid(self.panels[0].pid, 0)

    def _outlive_panel(self) -> None:
        """Kill the panel as soon as a verb waits; none may come to."""
        end = time.monotonic() + _STAGED_S
        while not queue.standing(self.folder) and time.monotonic() < end:
            time.sleep(0.001)
        self._kill_panel()

    # How it ends.

    def _mend(self) -> list[str]:
        """Mend everything, and return what does not get anywhere all the same."""
        self.windows.mend()
        for client in self.clients:
            for turn in client.turns:
                turn.join()
        if 0 in self.killed:
            self._begin_panel()
        self.hindrances.free()
        self.hindrances.lift()
        for client in self.clients:
            client.unask()
            if self.tale.seed % 2:
                client.stop()
            client.calm(fresh=bool(self.tale.window))
        return self._settle()

    def _settle(self) -> list[str]:
        stuck = self._waited(self._nothing_waits, "an empty queue")
        return stuck or self._waited(self._all_told, "a word of every verb")

    def _waited(self, true: Callable[[], object], what: str) -> list[str]:
        try:
            until(true, what)
        except AssertionError as error:
            names = [staged.verb for staged in queue.standing(self.folder)]
            return [f"{error}; in the queue {names}"]
        return []

    def _nothing_waits(self) -> bool:
        """Say whether all has got somewhere; a turn a line has begun comes to its end, too."""
        for client in self.clients:
            client.stop()
        return not queue.standing(self.folder) and not any(t.is_alive() for t in self._asked)

    def _all_told(self) -> bool:
        notes = list(self.notes)
        said = {note["token"] for _, note in notes if note["what"] == "said"}
        return {
            note["token"]
            for panel, note in notes
            if note["what"] == "staged" and panel == self.panel
        } <= said

    def _end(self) -> list[str]:
        """Let every session end with a verb waiting for it, and fold."""
        self.clients[0].prompt()
        self._select(0)
        self._send("test")
        if self.tale.seed % 2:
            until(lambda: queue.standing(self.folder) or not self._asked[-1].is_alive(), "a verb")
        for client in self.clients:
            getattr(client, self.tale.ends)()
            client.die()
        self.terminal.run("reap")
        for thread in self._asked:
            thread.join()
        stuck = self._waited(self._all_told, "a word of a verb whose session has ended")
        self.panels[self.panel].tell("stop")
        os.waitpid(self.panels[self.panel].pid, 0)
        turns = [turn for client in self.clients for turn in client.turns]
        for thread in (*turns, *self._readers, *self._asked, *self.windows.sent):
            thread.join(20)
            assert not thread.is_alive(), thread
        self._reap()
        return stuck

    def _reap(self) -> None:
        fold = open_fold(self.folder)
        fold.step(time.time() + 3, NOBODY)
        fold.step(time.time() + _ABANDONED_S, NOBODY)

    def _left(self) -> list[str]:
        return sorted(path.name for path in self.folder.queue.iterdir())


def run_round(home: Path, tale: Tale) -> Account:
    """Tell a tale in a process that has no second thread, and return what is to be said."""
    logging.disable()  # what is refused is no news here
    around = Round(home, tale)
    try:
        return around.tell()
    finally:
        around.leave()
