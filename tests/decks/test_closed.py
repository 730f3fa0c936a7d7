"""The hint a person gets when a deck is there and will not open."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flightdeck.decks.closed import UDEV_FILE, UDEV_RULE, holders, why_closed
from flightdeck.errors import Unavailable
from flightdeck.system.run import Completed

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path


class Ps:
    """Answers for /bin/ps with the process names it was given."""

    def __init__(self, *names: str) -> None:
        self._names = names

    def __call__(
        self, argv: Sequence[str], *, timeout_s: float, stdin: str = "", cwd: str | None = None
    ) -> Completed:
        assert argv[0] == "/bin/ps"
        return Completed(0, "\n".join(self._names), "")


def no_ps(
    argv: Sequence[str], *, timeout_s: float, stdin: str = "", cwd: str | None = None
) -> Completed:
    raise Unavailable(f"cannot run '{argv[0]}'")


def kernel_with_deck(root: Path, *, writable: bool) -> Path:
    """Lay out what the kernel shows of one deck on bus 1, device 4."""
    device = root / "sys/bus/usb/devices/1-2"
    device.mkdir(parents=True)
    (device / "idVendor").write_text("0fd9\n")
    (device / "busnum").write_text("1\n")
    (device / "devnum").write_text("4\n")
    (root / "sys/bus/usb/devices/1-2:1.0").mkdir()
    node = root / "dev/bus/usb/001/004"
    node.parent.mkdir(parents=True)
    if writable:
        node.touch()
    return root


def test_on_a_mac_the_makers_app_is_named_when_it_runs() -> None:
    app = "/Applications/Elgato Stream Deck.app/Contents/MacOS/Stream Deck"
    assert "Elgato" in why_closed("darwin", Ps("/sbin/launchd", app))


def test_on_a_mac_without_that_app_another_program_is_suspected() -> None:
    assert "another program" in why_closed("darwin", Ps("/sbin/launchd"))


def test_on_a_mac_where_ps_fails_another_program_is_suspected() -> None:
    assert "another program" in why_closed("darwin", no_ps)


def test_on_linux_a_missing_permission_gives_the_udev_rule(tmp_path: Path) -> None:
    hint = why_closed("linux", Ps(), kernel_with_deck(tmp_path, writable=False))
    assert UDEV_RULE in hint
    assert UDEV_FILE in hint


def test_on_linux_with_permission_another_program_is_suspected(tmp_path: Path) -> None:
    hint = why_closed("linux", Ps(), kernel_with_deck(tmp_path, writable=True))
    assert "another program" in hint


def test_on_linux_without_usb_another_program_is_suspected(tmp_path: Path) -> None:
    assert "another program" in why_closed("linux", Ps(), tmp_path)


def process(root: Path, pid: int, name: str, *opened: str) -> None:
    """Lay out what the kernel shows of a process."""
    handles = root / f"proc/{pid}/fd"
    handles.mkdir(parents=True)
    (handles.parent / "comm").write_text(f"{name}\n")
    for number, path in enumerate(opened):
        (handles / str(number)).symlink_to(path)


def test_program_that_has_a_deck_open_is_told(tmp_path: Path) -> None:
    root = kernel_with_deck(tmp_path, writable=True)
    for name, vendor in (("hidraw3", "0FD9"), ("hidraw4", "046D")):
        device = root / "sys/class/hidraw" / name / "device"
        device.mkdir(parents=True)
        (device / "uevent").write_text(f"DRIVER=x\nHID_ID=0003:0000{vendor}:0000006C\n")
    (root / "sys/class/hidraw/hidraw5").mkdir()
    process(root, 11, "other-app", "/dev/null", "/dev/bus/usb/001/004")
    process(root, 12, "raw app", "/dev/hidraw3")
    process(root, 13, "mouse", "/dev/hidraw4", "/dev/bus/usb/001/009")
    (root / "proc/14").mkdir()
    found = sorted((one.pid, one.name) for one in holders("linux", root))
    assert found == [(11, "other-app"), (12, "raw app")]


def test_holders_are_not_known_elsewhere(tmp_path: Path) -> None:
    assert holders("darwin", tmp_path) == []
