"""Where things lie in the state folder, and how it is found.

Source: README.md, "The state folder".
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from flightdeck.errors import Unavailable

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class StateFolder:
    """`~/.fleet`, mode 0700, its files 0600."""

    root: Path

    @classmethod
    def from_environment(cls, environ: Mapping[str, str] | None = None) -> StateFolder:
        """Return `$FLEET_HOME`, or `~/.fleet` where that is unset or blank; always absolute.

        Raises:
            Unavailable: it is named from a working folder that is gone.
        """
        env = os.environ if environ is None else environ
        named = env.get("FLEET_HOME", "").strip()
        home = env.get("HOME", "").strip() or str(Path.home())
        path = Path(named) if named else Path(home) / ".fleet"
        try:
            return cls(path.absolute())
        except OSError as error:
            told = f"'{path}' begins at the working folder, and that is gone"
            raise Unavailable(told, "cd to another folder, or set FLEET_HOME") from error

    def create(self) -> None:
        """Make the folder and the parts hooks and the fold need; harmless if they are there.

        Raises:
            Unavailable: it cannot be made.
        """
        for path in (
            self.root,
            self.inbox,
            self.sessions,
            self.blocked,
            self.asks,
            self.queue,
            self.compiled,
            self.log,
        ):
            try:
                path.mkdir(mode=0o700, parents=True, exist_ok=True)
            except OSError as error:
                raise self.unusable(error) from error

    def unusable(self, error: OSError) -> Unavailable:
        """Return what to tell a person whose state folder gave this error."""
        return Unavailable(
            f"cannot use the state folder '{self.root}': {error.strerror}",
            "make it writable and free some space, or set FLEET_HOME to another folder",
        )

    @property
    def inbox(self) -> Path:
        """Raw hook events not yet folded."""
        return self.root / "inbox"

    @property
    def sessions(self) -> Path:
        """One record a live agent."""
        return self.root / "sessions"

    @property
    def blocked(self) -> Path:
        """One empty file a session whose next tool call is news: the resumed guard."""
        return self.root / "blocked"

    @property
    def compiled(self) -> Path:
        """What `apply` and `run` derived from the layout."""
        return self.root / "compiled"

    @property
    def log(self) -> Path:
        """Log files, rotated."""
        return self.root / "log"

    @property
    def reaped(self) -> Path:
        """Empty; its time is that of the last pass of the reaper."""
        return self.log / "reaped"

    @property
    def asks(self) -> Path:
        """FIFOs of the permission hooks that wait, `<pid of the hook>.fifo`."""
        return self.root / "asks"

    @property
    def halt(self) -> Path:
        """The latch: while it stands, no hook lets a tool call through."""
        return self.root / "halt"

    @property
    def gate(self) -> Path:
        """One file a session whose dangerous calls are refused."""
        return self.root / "gate"

    @property
    def queue(self) -> Path:
        """Verbs that wait for their session, `<session id>.<pid>`, one at most for each."""
        return self.root / "queue"

    @property
    def selected(self) -> Path:
        """Which session rows 2 and 3 act on."""
        return self.root / "selected.json"

    @property
    def verbs(self) -> Path:
        """The user's own verbs; each wins over the shipped one of its name."""
        return self.root / "verbs"

    @property
    def risk(self) -> Path:
        """The user's own risk rules, which come before the shipped ones."""
        return self.root / "risk"

    @property
    def templates(self) -> Path:
        """The user's own templates, in `faces` and `hooks`; each wins over the shipped one."""
        return self.root / "templates"

    @property
    def slots(self) -> Path:
        """The public snapshot."""
        return self.root / "slots.json"

    @property
    def journal(self) -> Path:
        """The append-only journal."""
        return self.root / "events.jsonl"

    @property
    def lock(self) -> Path:
        """Held by whoever folds."""
        return self.root / "lock"

    @property
    def panel_pid(self) -> Path:
        """Held by the running panel; its text is pid and deck."""
        return self.root / "panel.pid"

    @property
    def control(self) -> Path:
        """The panel's control socket."""
        return self.root / "control.sock"

    @property
    def local(self) -> Path:
        """This machine's own configuration."""
        return self.root / "local.yaml"
