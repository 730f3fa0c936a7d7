"""What a job is given to live on: a service manager hands out next to no environment.

Source: launchd.plist(5); `hosts.programs` for who looks on PATH.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

from flightdeck import shipped
from flightdeck.install.units import Site

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from flightdeck.store.paths import StateFolder

_SYSTEM = "/usr/local/bin", "/usr/bin", "/bin", "/usr/local/sbin", "/usr/sbin", "/sbin"
# What the panel starts. Only where they lie is written down, never the whole PATH of the
# shell `apply` runs in: that differs from one virtual environment to the next.
_STARTED = "tmux", "git", "ps", "lsof", "wezterm", "kitten", "zellij"
_FOLDERS = "FLEET_HOME", "CLAUDE_CONFIG_DIR"
_OWN = "FLIGHTDECK_RASTER", "FLIGHTDECK_OSASCRIPT", *(f"FLIGHTDECK_{n.upper()}" for n in _STARTED)


def service_site(environ: Mapping[str, str], state: StateFolder) -> Site:
    """Return what is written into each file of a job.

    Raises:
        FlightdeckError: there is no `flightdeck` executable to write into it.
    """
    folders = {name: environ[name] for name in _FOLDERS if environ.get(name, "").strip()}
    values = {
        "PATH": os.pathsep.join(dict.fromkeys((*_beside_system(environ), *_SYSTEM))),
        **{name: str(Path(value).absolute()) for name, value in folders.items()},
        **{name: environ[name] for name in _OWN if environ.get(name)},
    }
    return Site(shipped.command(), state.root, values)


def _beside_system(environ: Mapping[str, str]) -> Iterator[str]:
    for name in _STARTED:
        found = shutil.which(name, path=environ.get("PATH", os.defpath))
        if found and os.path.dirname(found) not in _SYSTEM:  # noqa: PTH120 - links stay
            yield os.path.dirname(os.path.abspath(found))  # noqa: PTH100, PTH120
