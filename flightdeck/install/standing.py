"""What a command of ours that stands in a settings or service file needs, and whether it is there.

An upgrade may take away the very command, or the interpreter of it, that was written down.

Source: templates/hooks/spool.sh.j2, which names both in its first test.
"""

from __future__ import annotations

import os
import shlex
from dataclasses import dataclass
from pathlib import Path

_SHEBANG = 512


@dataclass(frozen=True, slots=True)
class Named:
    """The paths a hook was written for: our command, and the folder its events go to."""

    executable: Path
    inbox: Path


def named(command: str) -> Named | None:
    """Return what a hook of ours names; None for one that spools nothing, or an older one.

    >>> named("{ if test -x /bin/flightdeck && cd /home/me/.fleet/inbox && set -- *.ev; fi; }")
    Named(executable=PosixPath('/bin/flightdeck'), inbox=PosixPath('/home/me/.fleet/inbox'))
    """
    try:
        words = shlex.split(command)
    except ValueError:
        return None
    for place in range(len(words) - 5):
        test, x, executable, both, cd, inbox = words[place : place + 6]
        if (test, x, both, cd) == ("test", "-x", "&&", "cd"):
            return Named(Path(executable), Path(inbox))
    return None


def missing(command: Path) -> Path | None:
    """Return what is not there of a command to be started: itself, or its interpreter."""
    if not os.access(command, os.X_OK):
        return command
    with command.open("rb") as stream:
        line = stream.readline(_SHEBANG)
    words = line[2:].split() if line.startswith(b"#!") else []
    interpreter = Path(os.fsdecode(words[0])) if words else command
    return None if os.access(interpreter, os.X_OK) else interpreter
