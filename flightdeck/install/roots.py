"""Which state folder our hooks in a settings file write into: it stands in each of them.

Source: templates/hooks/README.md.
"""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING

from flightdeck.errors import FlightdeckError
from flightdeck.install.claude_code import text_of
from flightdeck.install.document import read
from flightdeck.store.paths import StateFolder

if TYPE_CHECKING:
    from flightdeck.install.target import Target

# Each kind of hook names one of these by its whole path.
_PARTS = frozenset({"inbox", "halt", "blocked"})


def state_folders(target: Target) -> tuple[StateFolder, ...]:
    """Return those that any hook of ours in the file names; none where it cannot be read."""
    try:
        document = read(text_of(target.content(), target.file), str(target.file))
    except FlightdeckError:
        return ()
    found = (_root_of(entry.command) for entry in document.ours())
    return tuple(StateFolder(root) for root in dict.fromkeys(found) if root)


def _root_of(command: str) -> Path | None:
    try:
        words = map(Path, shlex.split(command))
    except ValueError:
        return None
    return next((w.parent for w in words if w.is_absolute() and w.name in _PARTS), None)
