"""The real parts tests need: a missing one is a failure, unless it may be missing here.

FLIGHTDECK_TESTS_WITHOUT lists, separated by commas, the parts a machine does without;
whoever sets it says so knowingly, so that nothing is skipped in silence.
"""

from __future__ import annotations

import ctypes
import ctypes.util
import os
import shutil
from typing import TYPE_CHECKING

import pytest

from tests.real import client
from tests.real.lab import can_isolate

if TYPE_CHECKING:
    from collections.abc import Callable


def _program(*names: str) -> Callable[[], str]:
    return lambda: next(filter(None, map(shutil.which, names)), "")


def _library(name: str) -> Callable[[], str]:
    def find() -> str:
        found = ctypes.util.find_library(name) or ""
        try:
            ctypes.CDLL(found)
        except OSError:  # listed, and yet not to be loaded
            return ""
        return found

    return find


def _user_manager() -> str:
    """A `systemd --user` needs control groups of its own, which root alone can have anywhere."""
    if os.geteuid() != 0 or not can_isolate() or not shutil.which("nsenter"):
        return ""
    return shutil.which("systemd", path="/usr/bin:/lib/systemd:/usr/lib/systemd") or ""


_PARTS: dict[str, Callable[[], str]] = {
    "chromium": _program("chromium", "chromium-browser", "google-chrome"),
    "tmux": _program("tmux"),
    "claude": lambda: str(client.find() or ""),
    "namespaces": lambda: shutil.which("unshare") or "" if can_isolate() else "",
    "cairo": _library("cairo"),
    "dash": _program("dash"),
    "zsh": _program("zsh"),
    "fish": _program("fish"),
    "systemd": _program("systemd-analyze"),
    "user-manager": _user_manager,
}


def require(part: str) -> str:
    """Return where `part` is; skip where it may be missing, fail where it may not."""
    found = _PARTS[part]()
    if found:
        return found
    if part in os.environ.get("FLIGHTDECK_TESTS_WITHOUT", "").replace(" ", "").split(","):
        pytest.skip(f"this machine does without {part}")
    pytest.fail(f"{part} is not here; install it, or set FLIGHTDECK_TESTS_WITHOUT={part}")


def missing() -> list[str]:
    """Return the parts this machine does not have."""
    return [part for part, find in _PARTS.items() if not find()]


if __name__ == "__main__":
    import sys

    sys.stdout.write(",".join(missing()) + "\n")
