"""What is on this machine: the Claude Code client, its settings file, and our own executable.

Looks, and changes nothing.

Source: Claude Code's settings reference, "CLAUDE_CONFIG_DIR".
"""

from __future__ import annotations

import os
import re
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from flightdeck import shipped
from flightdeck.errors import FlightdeckError, Unavailable
from flightdeck.install.snippets import Site
from flightdeck.system.run import run

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from flightdeck.install.desired import Version

# The binary unpacks itself on its first start after an update.
_VERSION_TIMEOUT_S = 10.0

# Where the client's own installers put it when it is not on PATH.
_ELSEWHERE = (".claude/local/claude", ".local/bin/claude")

_SYSTEM_BIN = ("/usr/bin", "/bin")


@dataclass(frozen=True, slots=True)
class Client:
    """A Claude Code client; `version` is None where it would not tell."""

    path: Path
    version: Version | None


def config_folder(environ: Mapping[str, str]) -> Path:
    """Return `$CLAUDE_CONFIG_DIR`, or `~/.claude` where that is unset or blank, absolute."""
    named = environ.get("CLAUDE_CONFIG_DIR", "")
    folder = Path(named) if named.strip() else _home(environ) / ".claude"
    return Path(os.path.abspath(folder))  # noqa: PTH100 - links must stay as they are


def folder_doubts(environ: Mapping[str, str]) -> list[str]:
    """Return what a person should know about where the settings are looked for."""
    named = environ.get("CLAUDE_CONFIG_DIR", "").strip()
    if not named or Path(named).is_absolute():
        return []
    what = f"CLAUDE_CONFIG_DIR is '{named}', not a whole path"
    return [f"{what}: a claude started in another folder reads other settings"]


def find_client(environ: Mapping[str, str]) -> Client | None:
    """Return the client a person would start, asked for its version, or None."""
    onpath = shutil.which("claude", path=environ.get("PATH", os.defpath))
    places = [Path(onpath)] if onpath else []
    places += [_home(environ) / place for place in _ELSEWHERE]
    for path in places:
        if os.access(path, os.X_OK) and path.is_file():
            return Client(path, _version_of(path, environ))
    return None


def parse_version(text: str) -> Version | None:
    """Return the version in the output of `claude --version`, or None.

    >>> parse_version("2.1.332 (Claude Code)")
    (2, 1, 332)
    """
    found = re.search(r"\b([0-9]{1,6})\.([0-9]{1,6})\.([0-9]{1,6})\b", text, re.ASCII)
    return (int(found[1]), int(found[2]), int(found[3])) if found else None


def find_site(root: Path) -> Site:
    """Return what hooks of this installation need, for the state folder `root`.

    Raises:
        FlightdeckError: there is no `flightdeck` executable to write into them.
    """
    return Site(
        executable=shipped.command(),
        root=Path(os.path.abspath(root)),  # noqa: PTH100 - links must stay as they are
        head=_tool("head"),
        rm=_tool("rm"),
        mkfifo=_tool("mkfifo"),
        mv=_tool("mv"),
    )


def _tool(name: str) -> str:
    found = shutil.which(name, path=os.pathsep.join(_SYSTEM_BIN)) or shutil.which(name)
    if found:
        return os.path.abspath(found)  # noqa: PTH100 - links must stay as they are
    raise FlightdeckError(
        f"there is no '{name}' on this machine", "hooks need head, mkfifo, mv and rm"
    )


def _version_of(path: Path, environ: Mapping[str, str]) -> Version | None:
    argv: Sequence[str] = [str(path), "--version"]
    try:
        done = run(argv, timeout_s=_VERSION_TIMEOUT_S, env=environ)
    except Unavailable:
        return None
    return parse_version(done.out) if done.code == 0 else None


def _home(environ: Mapping[str, str]) -> Path:
    named = environ.get("HOME", "").strip()
    return Path(named) if named else Path.home()
