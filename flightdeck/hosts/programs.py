"""Where the programs are that hosts call.

A panel started at login has a bare PATH, without Homebrew and without what
applications carry inside them, so those places are looked into as well. Every
program can be named outright: FLIGHTDECK_TMUX, FLIGHTDECK_OSASCRIPT and so on.

Source: launchd.plist(5), which starts agents with PATH=/usr/bin:/bin:/usr/sbin:/sbin.
"""

from __future__ import annotations

import os
import shutil

_BESIDE_PATH = (
    "/opt/homebrew/bin",
    "/usr/local/bin",
    "/home/linuxbrew/.linuxbrew/bin",
    "/Applications/WezTerm.app/Contents/MacOS",
    "/Applications/kitty.app/Contents/MacOS",
)


def find(name: str) -> str:
    """Return what to run for the program `name`.

    That is what FLIGHTDECK_<NAME> says, else where it is installed, else the bare
    name, so that running it fails with a message that names it.
    """
    chosen = os.environ.get(f"FLIGHTDECK_{name.upper().replace('-', '_')}")
    return chosen or installed(name) or name


def installed(name: str) -> str:
    """Return the path of the program `name`, or "" where it is not installed."""
    places = os.pathsep.join((os.environ.get("PATH", os.defpath), *_BESIDE_PATH))
    return shutil.which(name, path=places) or ""
