"""A state folder nobody uses, in which a hook is run as an agent would run it.

Nothing of the real one is within its reach: other paths, another environment, no PATH.

Source: templates/hooks/README.md.
"""

from __future__ import annotations

import contextlib
import os
import shutil
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from flightdeck.errors import Unavailable
from flightdeck.model.event import NAMES
from flightdeck.store import inbox
from flightdeck.system import clock
from flightdeck.system.run import capture

if TYPE_CHECKING:
    from collections.abc import Iterator

    from flightdeck.install.snippets import Site
    from flightdeck.model.event import Event

SESSION = "00000000-0000-4000-8000-000000000000"
PID = 4242
SECRET = "not-for-the-inbox"  # noqa: S105 - it is here to be found where it must not be
PAYLOAD = b'{"session_id": "' + SESSION.encode() + b'", "filler": "' + b"x" * 200_000 + b'"}\n'

# Far beyond what any hook takes on a busy machine: it only ends one that would never end.
_DEADLINE_S = 15.0
_LONGEST_ANSWER = 1 << 20
# Feeds the hook through a pipe and notes whether all of the payload was taken.
_FED = '{ "$1" -n 9999999 "$2"; echo $? >"$3"; } | { shift 3; exec "$@"; }'

# What a client's environment holds for a hook, and something it holds for nobody.
VALUES = {name: f"value of {name}" for name in NAMES}
_ENVIRON = {
    **VALUES,
    "PATH": "",
    "CLAUDE_PID": str(PID),
    "CLAUDE_CODE_SESSION_ID": SESSION,
    "SOME_TOKEN": SECRET,
}


@dataclass(frozen=True, slots=True)
class Ended:
    """How a hook ended; `fed` says whether it took all of its payload."""

    code: int
    out: bytes
    err: str
    fed: bool

    @property
    def quiet(self) -> bool:
        """Whether it went well and said nothing."""
        return (self.code, self.out, self.err) == (0, b"", "")


class Scratch:
    """A state folder as `apply` makes one, and the shell hooks are run in."""

    def __init__(self, folder: Path, site: Site, shell: tuple[str, ...]) -> None:
        self.root = folder / "it's a .fleet"
        self.executable = folder / "flight deck"
        self.shell = shell
        self.site = replace(site, executable=self.executable, root=self.root)
        self._folder = folder
        for name in ("inbox", "blocked"):
            (self.root / name).mkdir(parents=True, mode=0o700)
        self.program("exit 0")
        (folder / "payload").write_bytes(PAYLOAD)

    def program(self, script: str) -> None:
        """Put `script` in the place of flightdeck itself."""
        self.executable.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
        self.executable.chmod(0o700)

    def events(self) -> list[Event]:
        """Return what was spooled and can be read."""
        return list(inbox.read(self.root / "inbox", clock.now()).events)

    def spooled(self) -> list[Path]:
        """Return all there is in the inbox."""
        return list((self.root / "inbox").iterdir())

    def run(self, command: str) -> Ended:
        """Run a hook to its end.

        Raises:
            Unavailable: it would not end.
        """
        took = self._folder / "took"
        words = (self.site.head, str(self._folder / "payload"), str(took), *self.shell)
        done = capture(
            ["/bin/sh", "-c", _FED, "sh", *words, "-c", command],
            timeout_s=_DEADLINE_S,
            limit=_LONGEST_ANSWER,
            env=_ENVIRON,
            cwd=str(self._folder),
        )
        return Ended(done.code, done.out, done.err, fed=took.read_text().strip() == "0")


@contextlib.contextmanager
def scratch(site: Site, shell: tuple[str, ...]) -> Iterator[Scratch]:
    """Give a state folder for one try."""
    with TemporaryDirectory(prefix="flightdeck-trial-") as folder:
        yield Scratch(Path(folder), site, shell)


def shells() -> list[tuple[str, ...]]:
    """Return what may be called `sh` where an agent runs: each of this machine's, once."""
    found = {os.path.realpath(path): (path,) for path in ("/bin/sh", "/bin/dash") if _there(path)}
    bash = shutil.which("bash", path="/bin:/usr/bin:/usr/local/bin")
    return [*found.values(), *([(bash, "--posix")] if bash else [])]


def complaint(command: str, shell: tuple[str, ...]) -> str:
    """Return what a shell has against a command it only reads, one line; empty for nothing."""
    try:
        done = capture(
            [*shell, "-n", "-c", command], timeout_s=_DEADLINE_S, limit=_LONGEST_ANSWER, env={}
        )
    except Unavailable as error:
        return error.message
    said = done.err.strip().splitlines() or [f"exit {done.code}"]
    return said[0] if done.code else ""


def _there(path: str) -> bool:
    return os.access(path, os.X_OK)
