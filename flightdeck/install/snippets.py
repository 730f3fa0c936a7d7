"""The hook snippets as one line of POSIX sh each, and the mark that says a command is ours.

Everything a snippet needs is written into it here; it knows nothing of us when it runs.
Knows no settings file and no agent.

Source: templates/hooks/README.md.
"""

from __future__ import annotations

import enum
import re
import shlex
from dataclasses import dataclass
from typing import TYPE_CHECKING

from flightdeck.errors import FlightdeckError
from flightdeck.model.event import NAMES
from flightdeck.templating import render_text

if TYPE_CHECKING:
    from pathlib import Path

# How many events wait at most when nobody folds.
BOUND = 400

_VERSION = 1
# Any version is ours: an older entry has to be recognised to be replaced.
_MARK = re.compile(r"# flightdeck:[0-9]+:([a-z]+)\s*\Z")


class Kind(enum.Enum):
    """What a hook does; the value stands in its mark."""

    SPOOL = "spool"
    GUARD = "guard"
    WAIT = "wait"
    BRAKES = "brakes"
    DRAIN = "drain"


@dataclass(frozen=True, slots=True)
class Site:
    """What is written into every hook of this machine, as absolute paths."""

    executable: Path
    root: Path
    head: str = "/usr/bin/head"
    rm: str = "/bin/rm"
    mkfifo: str = "/usr/bin/mkfifo"
    mv: str = "/bin/mv"


def render_hook(kind: Kind, event: str, site: Site) -> str:
    """Return the command for `event`: one line of sh that ends with our mark.

    Raises:
        FlightdeckError: a path cannot stand in a line of UTF-8 text.
    """
    template = render_text(
        f"hooks/{kind.value}.sh.j2",
        {
            "event": event,
            "names": NAMES,
            "bound": BOUND,
            "executable": _quoted(str(site.executable)),
            "root": _quoted(str(site.root)),
            "halt": _quoted(str(site.root / "halt")),
            "gate": _quoted(str(site.root / "gate")),
            "inbox": _quoted(str(site.root / "inbox")),
            "blocked": _quoted(str(site.root / "blocked")),
            "asks": _quoted(str(site.root / "asks")),
            "queue": _quoted(str(site.root / "queue")),
            "panel": _quoted(str(site.root / "panel.pid")),
            "head": _quoted(site.head),
            "rm": _quoted(site.rm),
            "mkfifo": _quoted(site.mkfifo),
            "mv": _quoted(site.mv),
        },
    )
    lines = (line.strip() for line in template.splitlines())
    return f"{' '.join(line for line in lines if line)} # flightdeck:{_VERSION}:{kind.value}"


def is_ours(command: object) -> bool:
    """Say whether a hook's `command` carries our mark, of this version or another."""
    return isinstance(command, str) and _MARK.search(command) is not None


def waits(command: str) -> bool:
    """Say whether a command of ours waits for the panel, by its mark."""
    return _is(command, Kind.WAIT)


def drains(command: str) -> bool:
    """Say whether a command of ours delivers the verb that waits for its session, by its mark."""
    return _is(command, Kind.DRAIN)


def brakes(command: str) -> bool:
    """Say whether a command of ours may refuse a tool call, by its mark."""
    return _is(command, Kind.BRAKES)


def _is(command: str, kind: Kind) -> bool:
    found = _MARK.search(command)
    return found is not None and found[1] == kind.value


def _quoted(path: str) -> str:
    if not path.isprintable():
        raise FlightdeckError(
            f"the path {path!r} cannot be written into a hook",
            "use a folder whose name has no control characters and is valid UTF-8",
        )
    return shlex.quote(path)
