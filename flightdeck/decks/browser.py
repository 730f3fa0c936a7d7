"""A deck in a browser tab: the same keys, served on loopback to whoever has the address.

Pictures are PNGs at twice the layout's key size, so they are crisp on dense screens.
How it is served is in `server.py` and `routes.py`, who is let in in `guard.py`.
"""

from __future__ import annotations

import secrets
from dataclasses import replace
from typing import TYPE_CHECKING

from flightdeck.decks.board import Board
from flightdeck.decks.guard import Guard
from flightdeck.decks.presses import Presses
from flightdeck.decks.routes import Handler, Routes
from flightdeck.decks.server import PanelServer
from flightdeck.errors import Unavailable
from flightdeck.model.deck import Codec, KeyFormat
from flightdeck.system import clock

if TYPE_CHECKING:
    from flightdeck.model.deck import DeckModel
    from flightdeck.ports import OnKey

# Each holds a connection for as long as it is open; hidden tabs let theirs go.
_MOST_PAGES = 16


class Browser:
    """Listens from `open` to `close`; any number of tabs may show it at once."""

    def __init__(self, model: DeckModel, port: int = 0) -> None:
        key = KeyFormat(2 * model.key.width, 2 * model.key.height, Codec.PNG)
        self._model = replace(model, key=key)
        self._port = port
        self._token = secrets.token_urlsafe(32)
        self._board = Board(_MOST_PAGES)
        self._server: PanelServer | None = None

    @property
    def name(self) -> str:
        """Return `browser`."""
        return "browser"

    @property
    def model(self) -> DeckModel:
        """The layout's deck, its pictures upright PNGs of twice the size."""
        return self._model

    @property
    def where(self) -> str:
        """The address, token included; it has its port once the deck is open."""
        return f"http://127.0.0.1:{self._port}/?token={self._token}"

    def open(self, on_key: OnKey) -> None:
        """Start listening, on the same port as before if it was open once.

        Raises:
            Unavailable: the port is taken.
        """
        try:
            server = PanelServer(self._port, Handler)
        except (OSError, OverflowError) as error:
            hint = "choose another with --port, or 0 for any free one"
            raise Unavailable(f"port {self._port} on 127.0.0.1 cannot be used", hint) from error
        self._port = server.port
        presses = Presses(on_key, self._model.grid.keys)
        guard = Guard(self._token, self._port)
        server.routes = Routes(self._model, self._board, presses, guard)
        server.start()
        self._server = server

    def write_key(self, index: int, image: bytes, name: str) -> None:
        """Show `image` on every open page, and in those that come later.

        Raises:
            IndexError: the deck has no such key.
            Unavailable: it is not open.
        """
        if not 0 <= index < self._model.grid.keys:
            raise IndexError(f"no key {index} on {self._model.title}")
        if self._server is None:
            raise Unavailable("the browser deck is not open")
        self._board.show(index, image, name)

    def set_brightness(self, percent: int) -> None:
        """Do nothing: the screen has its own."""

    def close(self) -> None:
        """Stop listening; open pages turn grey and say so. Never raises."""
        server, self._server = self._server, None
        if server is not None:
            server.routes.presses.end(clock.monotonic())
            self._board.end()
            server.stop()
