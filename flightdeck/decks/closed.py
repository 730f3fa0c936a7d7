"""Why a deck that is there cannot be opened, as far as this machine tells, and who has it open.

Knows no device library.

Source: python-elgato-streamdeck #12, #37, #94 (on macOS the maker's own app holds
the deck); systemd's uaccess rules, which must sort before 73-seat-late; proc_pid_fd(5).
"""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
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
_HID_ID = ":00000FD9:"
_ANOTHER = "another program may hold it: quit other deck software, or replug the deck"


@dataclass(frozen=True, slots=True)
class Holder:
    """A process that has a deck open."""

    pid: int
    name: str


def holders(platform: str = sys.platform, root: Path = Path("/")) -> list[Holder]:
    """Return who has a deck open; Linux only, and only those this user may look into."""
    if platform != "linux":
        return []
    nodes = {f"/{node.relative_to(root)}" for node in (*_nodes(root), *_hidraw(root))}
    found = [_holder(process, nodes) for process in (root / "proc").glob("[0-9]*")]
    return [holder for holder in found if holder]


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


def _hidraw(root: Path) -> Iterator[Path]:
    """Yield the other device node of each of them, which a program may use as well."""
    for device in sorted((root / "sys/class/hidraw").glob("*")):
        try:
            told = (device / "device/uevent").read_text()
        except OSError:
            continue
        if _HID_ID in told.upper():
            yield root / "dev" / device.name


def _holder(process: Path, nodes: set[str]) -> Holder | None:
    try:
        opened = {os.readlink(handle) for handle in (process / "fd").iterdir()}  # noqa: PTH115
        if not opened & nodes:
            return None
        return Holder(int(process.name), (process / "comm").read_text().strip())
    except (OSError, ValueError):  # it has ended, or is somebody else's
        return None
