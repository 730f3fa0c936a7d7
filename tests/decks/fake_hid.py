"""A USB bus without USB: the library's real device classes run on it, report by report.

Nothing above the report level is faked. A device puts image reports together the
way the XL does and refuses a page out of order, as the real one would show garbage.

Source: the reports StreamDeckXL of python-elgato-streamdeck 0.10 writes and reads.
"""

from __future__ import annotations

import threading
from collections import deque
from typing import Any

from StreamDeck.ProductIDs import USBProductIDs, USBVendorIDs
from StreamDeck.Transport.Transport import Transport, TransportError

ELGATO = USBVendorIDs.USB_VID_ELGATO
XL = USBProductIDs.USB_PID_STREAMDECK_XL_V2
MK2 = USBProductIDs.USB_PID_STREAMDECK_MK2
PLUS_XL = USBProductIDs.USB_PID_STREAMDECK_PLUS_XL
PEDAL = USBProductIDs.USB_PID_STREAMDECK_PEDAL
TWICE_LISTED = USBProductIDs.USB_PID_STREAMDECK_MK2_V2

REPORT = 1024
_HEADER = 8


class FakeDevice(Transport.Device):  # type: ignore[misc]  # the library is untyped
    """One deck on the bus, and the hand that plugs, presses and looks."""

    def __init__(self, product: int = XL, serial: str = "FAKE1", *, locked: bool = False) -> None:
        self.product = product
        self.serial = serial
        self.locked = locked
        self.plugged = True
        self.calls: list[str] = []
        self.reports: list[bytes] = []
        self.pictures: dict[int, bytes] = {}
        self.brightness = -1
        self._opened = False
        self._parts: dict[int, bytearray] = {}
        self._input: deque[bytes] = deque()
        self._down = [0] * 32
        self._lock = threading.Lock()

    def open(self) -> None:
        self.calls.append("open")
        if self.locked or not self.plugged:
            raise TransportError("Could not open HID device.")
        self._opened = True

    def close(self) -> None:
        if self._opened:  # the library closes what it never opened when it forgets a deck
            self.calls.append("close")
        self._opened = False

    def is_open(self) -> bool:
        return self._opened

    def connected(self) -> bool:
        return self.plugged

    def vendor_id(self) -> int:
        return int(ELGATO)

    def product_id(self) -> int:
        return self.product

    def path(self) -> str:
        return f"fake:{self.product:04x}:{self.serial}"

    def write(self, payload: bytes) -> int:
        self._reach("write")
        report = bytes(payload)
        with self._lock:
            self.reports.append(report)
            if report[:2] == b"\x02\x07":
                self._page(report)
        return len(report)

    def write_feature(self, payload: bytes) -> int:
        self._reach("feature")
        if bytes(payload[:2]) == b"\x03\x08":
            self.brightness = payload[2]
        if bytes(payload[:2]) == b"\x03\x02":
            self.pictures.clear()
        return len(payload)

    def read_feature(self, report_id: int, length: int) -> bytes:
        self._reach("serial")
        return (bytes([report_id, 12]) + self.serial.encode()).ljust(length, b"\0")[:length]

    def read(self, length: int) -> bytes | None:
        self._reach("")
        return self._input.popleft()[:length] if self._input else None

    def _reach(self, call: str) -> None:
        if call:
            self.calls.append(call)
        if not self._opened or not self.plugged:
            raise TransportError("No HID device.")

    def _page(self, report: bytes) -> None:
        key, last = report[2], report[3]
        length = int.from_bytes(report[4:6], "little")
        page = int.from_bytes(report[6:8], "little")
        so_far = self._parts.setdefault(key, bytearray())
        if page * (REPORT - _HEADER) != len(so_far):
            raise TransportError(f"page {page} of key {key} out of order")
        so_far += report[_HEADER : _HEADER + length]
        if last:
            self.pictures[key] = bytes(self._parts.pop(key))

    def press(self, index: int, *, down: bool) -> None:
        """Move a key; a report with the state of all of them waits to be read."""
        self._down[index] = int(down)
        self._input.append(bytes([1, 0, 32, 0, *self._down]))

    def unplug(self) -> None:
        """Pull the cable."""
        self.plugged = False


class FakeBus(Transport):  # type: ignore[misc]  # the library is untyped
    """What is plugged in, in the library's own terms."""

    def __init__(self, *devices: FakeDevice) -> None:
        self._devices = devices

    @staticmethod
    def probe() -> None:
        """There is always a bus."""

    def enumerate(self, vid: int, pid: int) -> list[Any]:
        return [d for d in self._devices if d.plugged and (vid, pid) == (ELGATO, d.product)]


class NoBus(Transport):  # type: ignore[misc]  # the library is untyped
    """A machine whose HID library cannot be loaded."""

    @staticmethod
    def probe() -> None:
        """It is never asked."""

    def enumerate(self, vid: int, pid: int) -> list[Any]:
        raise TransportError(f"no library to look for {vid}:{pid} with")
