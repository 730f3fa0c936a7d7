"""A Stream Deck on USB; the only place that knows the StreamDeck library.

What the library does not do for us, measured on 0.10: its writes take no lock; its
bounds check is off by one; an exception in a key callback ends its reader while
the deck still counts as open; a deck with two product ids is listed twice.

Source: python-elgato-streamdeck 0.10 and its issues #25, #78, #154, #170.
"""

from __future__ import annotations

import contextlib
import importlib.util
import logging
import os
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from StreamDeck.DeviceManager import DeviceManager  # noqa: TID251 - this module is its door
from StreamDeck.Transport.LibUSBHIDAPI import LibUSBHIDAPI  # noqa: TID251 - the same
from StreamDeck.Transport.Transport import TransportError  # noqa: TID251 - the same

from flightdeck.decks.closed import why_closed
from flightdeck.decks.presses import Presses
from flightdeck.errors import Refused, Unavailable
from flightdeck.model.deck import Codec, Grid, KeyFormat
from flightdeck.model.decks import MODELS
from flightdeck.system import clock

if TYPE_CHECKING:
    from collections.abc import Callable

    from flightdeck.model.deck import DeckModel
    from flightdeck.ports import OnKey

# Press to callback: 36 ms at the library's 20 Hz, 6 ms at 100 Hz for 0.5 % of a core.
_POLL_HZ = 100
_HOLDER = "deck"
_log = logging.getLogger(__name__)


class _Library(LibUSBHIDAPI.Library):  # type: ignore[misc]  # the library is untyped
    """The HID library out of the `hidapi` wheel, else the one the system has."""

    def _load_hidapi_library(self, names: list[str]) -> Any:
        spec = importlib.util.find_spec("hid")
        wheel = [spec.origin] if spec and spec.origin else []
        return super()._load_hidapi_library([*wheel, *names])

    def _get_homebrew_path(self) -> str | None:
        """Return where Homebrew lives without starting `brew`, which the library would."""
        if self.platform_name != "Darwin":
            return None
        arm = "/opt/homebrew"
        return os.environ.get("HOMEBREW_PREFIX") or (arm if Path(arm).is_dir() else "/usr/local")


class UsbTransport(LibUSBHIDAPI):  # type: ignore[misc]  # the library is untyped
    """The library's own transport on whichever HID library could be loaded, for one look round.

    The library asks for each of its eighteen products in turn; the bus is read once.
    """

    def __init__(self) -> None:
        self._found: dict[int, list[dict[str, Any]]] = {}

    def enumerate(self, vid: int, pid: int) -> list[Any]:
        """Return the devices with these ids; raises TransportError without a HID library."""
        library = _Library()
        if vid not in self._found:
            self._found[vid] = library.enumerate(vid)
        devices = [found for found in self._found[vid] if found["product_id"] == pid]
        return [LibUSBHIDAPI.Device(library, found) for found in devices]


@dataclass(frozen=True, slots=True)
class Attached:
    """A deck on the bus: its make, its bus path, its keys, and its model if we know its shape."""

    title: str
    path: str
    grid: Grid
    model: DeckModel | None


def attached(transport: Any = None) -> list[Attached]:
    """Return the decks with screens on the bus; none where no HID library can be loaded."""
    try:
        found = _enumerate(transport)
    except TransportError as error:
        _log.debug("no decks can be seen: %s", error)
        return []
    return [Attached(d.deck_type(), d.id(), _grid_of(d), model_of(d)) for d in found]


def model_of(deck: Any) -> DeckModel | None:
    """Return the model whose grid and key format this deck itself declares, if we know one."""
    shape = (_grid_of(deck), _format_of(deck))
    return next((m for m in MODELS.values() if (m.grid, m.key) == shape), None)


class Hardware:
    """One deck on USB. `find` picks it; nothing is sent to it before `open`."""

    def __init__(self, deck: Any, model: DeckModel) -> None:
        self._deck = deck
        self._model = model
        self._presses: Presses | None = None
        self._serial = ""

    @classmethod
    def find(cls, wanted: DeckModel, serial: str = "", transport: Any = None) -> Hardware:
        """Return the attached deck whose grid is the layout's; `serial` picks one of several.

        Raises:
            Unavailable: none is attached, none has that serial, or there is no HID library.
            Refused: those attached have other grids; the keys would stand in wrong places.
        """
        try:
            decks = _enumerate(transport)
        except TransportError as error:
            hint = "pip install hidapi, which carries it; `--deck browser` needs none"
            raise Unavailable("no HID library can be loaded", hint) from error
        if not decks:
            hint = "plug one in; `--deck browser` shows the same panel in a browser tab"
            raise Unavailable("no deck is attached", hint)
        fitting = [(d, m) for d in decks if (m := model_of(d)) and m.grid == wanted.grid]
        if not fitting:
            raise _misfit(decks[0], wanted)
        for deck, model in fitting:
            if not serial or _serial_of(deck) == serial:
                return cls(deck, model)
        raise Unavailable(f"no deck with serial number '{serial}' is attached")

    @property
    def name(self) -> str:
        """The model's title, e.g. `Stream Deck XL`."""
        return self._model.title

    @property
    def model(self) -> DeckModel:
        """Grid and key format as the device declares them."""
        return self._model

    @property
    def where(self) -> str:
        """The serial number once open, the bus path before."""
        return self._serial or str(self._deck.id())

    def open(self, on_key: OnKey) -> None:
        """Open the device and start hearing keys.

        Raises:
            Unavailable: it may not be opened; the hint says who likely holds it.
        """
        presses = Presses(on_key, self._model.grid.keys)
        # A key down when the deck was lost counts as down still; its next press would be no news.
        self._deck.last_key_states = [False] * len(self._deck.last_key_states)
        self._deck.set_poll_frequency(_POLL_HZ)
        self._deck.set_key_callback(lambda _deck, index, down: _edge(presses, index, down=down))
        try:
            self._deck.open()
            self._serial = self._deck.get_serial_number()
        except TransportError as error:
            self._shut()
            raise Unavailable(f"the {self.name} cannot be opened", why_closed()) from error
        self._presses = presses
        threading.Thread(
            target=_mourn, args=(self._deck.read_thread, presses), name="deck-lost", daemon=True
        ).start()

    def alive(self) -> bool:
        """Say whether it both shows and hears: open, and its reader still runs."""
        reader = self._deck.read_thread
        return bool(self._presses and self._deck.is_open() and reader and reader.is_alive())

    def write_key(self, index: int, image: bytes, name: str) -> None:
        """Send the picture of one key.

        Raises:
            IndexError: the deck has no such key.
            Unavailable: the deck has gone.
        """
        if not 0 <= index < self._model.grid.keys:
            raise IndexError(f"no key {index} on {self._model.title}")
        self._send(lambda: self._deck.set_key_image(index, image))

    def set_brightness(self, percent: int) -> None:
        """Set the brightness, 0 to 100.

        Raises:
            Unavailable: the deck has gone.
        """
        self._send(lambda: self._deck.set_brightness(percent))

    def close(self) -> None:
        """Stop hearing keys, blank the deck and let it go; never raises, gone or not."""
        presses, self._presses = self._presses, None
        if presses is None:
            return
        with contextlib.suppress(Exception), self._deck:  # nothing may keep a panel from ending
            self._stop_reader()
            if self._deck.is_open():
                self._deck.reset()
        with contextlib.suppress(Exception):
            self._shut()
        presses.end(clock.monotonic())

    def _send(self, report: Callable[[], None]) -> None:
        if self._presses is None:
            raise Unavailable(f"the {self.name} is not open")
        try:
            with self._deck:
                report()
        except TransportError as error:
            raise Unavailable(f"the {self.name} has gone", "plug it in again") from error

    def _stop_reader(self) -> None:
        """End the reader before the device closes, so that it never reads from a closed one."""
        self._deck.set_key_callback(None)
        self._deck.run_read_thread = False
        reader = self._deck.read_thread
        if reader and reader is not threading.current_thread():
            reader.join(timeout=1)

    def _shut(self) -> None:
        self._stop_reader()
        with contextlib.suppress(TransportError):
            self._deck.close()


def _edge(presses: Presses, index: int, *, down: bool) -> None:
    """Pass on one edge; runs on the library's reader thread, which an exception would end."""
    at = clock.monotonic()
    if down:
        presses.down(index, _HOLDER, at)
    else:
        presses.up(index, _HOLDER, at)


def _mourn(reader: threading.Thread, presses: Presses) -> None:
    """Wait, at no cost, for the reader to end, then lift every key it can no longer report."""
    reader.join()
    presses.gone(_HOLDER, clock.monotonic())


def _enumerate(transport: Any) -> list[Any]:
    bus = DeviceManager(transport="dummy")  # the dummy only gets us past its own search
    bus.transport = transport or UsbTransport()
    by_path = {deck.id(): deck for deck in bus.enumerate() if deck.is_visual()}
    return list(by_path.values())


def _grid_of(deck: Any) -> Grid:
    rows, columns = deck.key_layout()
    return Grid(columns, rows)


def _format_of(deck: Any) -> KeyFormat | None:
    told = deck.key_image_format()
    try:
        codec = Codec(told["format"].lower())
    except ValueError:
        return None
    (width, height), (horizontal, vertical) = told["size"], told["flip"]
    return KeyFormat(width, height, codec, horizontal, vertical, told["rotation"])


def _misfit(deck: Any, wanted: DeckModel) -> Refused:
    has, needs = _grid_of(deck), wanted.grid
    return Refused(
        f"the {deck.deck_type()} has {has.columns} x {has.rows} keys, "
        f"the layout is for {needs.columns} x {needs.rows} ({wanted.title})",
        "choose a layout made for it with --layout, or see this one with --deck browser",
    )


def _serial_of(deck: Any) -> str:
    """Return the serial number, "" if the deck may not be opened; its screen stays as it is."""
    try:
        deck.device.open()
        serial = str(deck.get_serial_number())
    except TransportError:
        serial = ""
    with contextlib.suppress(TransportError):
        deck.device.close()
    return serial
