"""The client: whether there is one, which, and where it keeps its settings.

Source: Claude Code's settings reference, "CLAUDE_CONFIG_DIR".
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

from flightdeck.install import client, desired
from flightdeck.model.finding import Finding, Known, ok, warning

if TYPE_CHECKING:
    from collections.abc import Iterator

    from flightdeck.doctor.machine import Machine


def look(machine: Machine) -> Iterator[Finding]:
    """Say which client a person would start."""
    for doubt in client.folder_doubts(machine.environ):
        hint = "set CLAUDE_CONFIG_DIR to a whole path, or unset it"
        yield warning("{doubt}", hint, doubt=doubt)
    found = machine.client
    if found is None:
        yield warning("no claude is installed here", "install Claude Code")
        return
    others = _others(machine, found.path)
    if others:
        what = "{path} is started, and there is another at {other}: their versions may differ"
        yield warning(
            what, "remove the one you do not mean: {other}", path=found.path, other=others[0]
        )
    doubts = desired.doubts(found.version)
    for doubt in doubts:
        hint = "see what it says: {path} --version" if found.version is None else "claude update"
        yield warning("{doubt}", hint, doubt=Known(doubt), path=found.path)
    if not doubts and not others:
        version = Known(".".join(map(str, found.version or ())))
        yield ok("claude {version} at {path}", version=version, path=found.path)


def _others(machine: Machine, started: Path) -> list[Path]:
    """Return the further clients on PATH that are not the same file by another name."""
    real = os.path.realpath(started)
    folders = machine.environ.get("PATH", "").split(os.pathsep)
    found = [shutil.which("claude", path=folder) for folder in folders if folder]
    return [Path(path) for path in dict.fromkeys(found) if path and os.path.realpath(path) != real]
