"""Why a deck that is there cannot be opened, as far as this machine tells: a hint for a person.

Knows no device library.

Source: python-elgato-streamdeck #12, #37, #94 (on macOS the maker's own app holds
the deck); systemd's uaccess rules, which must sort before 73-seat-late.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from flightdeck.errors import Unavailable
from flightdeck.system import run

if TYPE_CHECKING:
    from collections.abc import Iterator

    from flightdeck.ports import Runner

UDEV_FILE = "/etc/udev/rules.d/70-streamdeck.rules"
UDEV_RULE = 'SUBSYSTEMS=="usb", ATTRS{idVendor}=="0fd9", TAG+="uaccess"'

_ELGATO = "0fd9"
_ANOTHER = "another program may hold it: quit other deck software, or replug the deck"


def why_closed(
    platform: str = sys.platform, runner: Runner = run.run, root: Path = Path("/")
) -> str:
    """Return what to do about it: quit the app that holds it, allow access, or replug."""
    return hindrance(platform, runner, root) or _ANOTHER


def hindrance(
    platform: str = sys.platform, runner: Runner = run.run, root: Path = Path("/")
) -> str:
    """Return what to do about what is known to keep a deck closed; "" where nothing is."""
    if platform == "darwin":
        return _mac(runner)
    if platform == "linux" and any(not os.access(node, os.W_OK) for node in _nodes(root)):
        return (
            f"you may not use the device: put the line {UDEV_RULE} into {UDEV_FILE}, "
            "run `sudo udevadm control --reload`, then replug the deck"
        )
    return ""


def _mac(runner: Runner) -> str:
    try:
        processes = runner(["/bin/ps", "-axo", "comm="], timeout_s=2).out.splitlines()
    except Unavailable:
        return ""
    if any(p.strip().endswith(("/Stream Deck", "/Elgato Stream Deck")) for p in processes):
        return "Elgato's Stream Deck app holds it: quit it from its menu bar icon"
    return ""


def _nodes(root: Path) -> Iterator[Path]:
    """Yield the device node of every deck the kernel sees."""
    for device in sorted((root / "sys/bus/usb/devices").glob("*")):
        try:
            if (device / "idVendor").read_text().strip() == _ELGATO:
                bus = int((device / "busnum").read_text())
                number = int((device / "devnum").read_text())
                yield root / f"dev/bus/usb/{bus:03}/{number:03}"
        except (OSError, ValueError):  # an interface, a hub, or a deck pulled this moment
            continue
