"""A small HTTP server on 127.0.0.1 for one page: nothing else on it, and bounded in everything.

Connections, open pages, header and body sizes, and the time a slow reader may take
are all limited. It waits without a timer: at rest it uses no CPU. What may be asked
is in `routes.py`.
"""

from __future__ import annotations

import contextlib
import logging
import socket
import socketserver
import threading
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from flightdeck.decks.routes import Routes

# A browser keeps six a host; this is room for several, and an end to a flood.
_MOST_CONNECTIONS = 64
_log = logging.getLogger(__name__)


class PanelServer(socketserver.ThreadingMixIn, socketserver.TCPServer):
    """Accepts on loopback; `start` returns at once, `stop` cuts every connection."""

    daemon_threads = True
    block_on_close = False
    allow_reuse_address = True
    request_queue_size = 16
    routes: Routes

    def __init__(self, port: int, handler: type[socketserver.BaseRequestHandler]) -> None:
        self._room = threading.BoundedSemaphore(_MOST_CONNECTIONS)
        self._open: set[socket.socket] = set()
        self._lock = threading.Lock()
        self._stopping = threading.Event()
        self._accepting = threading.Thread(target=self._accept, name="browser-deck", daemon=True)
        super().__init__(("127.0.0.1", port), handler)

    @property
    def port(self) -> int:
        """The port it listens on."""
        return int(self.server_address[1])

    def start(self) -> None:
        """Accept connections from now on."""
        self._accepting.start()

    def stop(self) -> None:
        """Stop accepting, cut what is open, and give the port back."""
        self._stopping.set()
        # The accepting thread waits without a timeout, so a connection has to wake it.
        with (
            contextlib.suppress(OSError),
            socket.create_connection(("127.0.0.1", self.port), timeout=1),
        ):
            self._accepting.join(timeout=2)
        self.server_close()
        with self._lock:
            for connection in self._open:
                with contextlib.suppress(OSError):
                    connection.shutdown(socket.SHUT_RDWR)

    def _accept(self) -> None:
        while not self._stopping.is_set():
            self.handle_request()

    def process_request(self, request: socket.socket, client_address: tuple[str, int]) -> None:  # type: ignore[override]  # always TCP here
        """Serve a connection in a thread of its own, or drop it when there are too many."""
        if self._stopping.is_set() or not self._room.acquire(blocking=False):
            super().shutdown_request(request)
            return
        with self._lock:
            self._open.add(request)
        try:
            super().process_request(request, client_address)
        except RuntimeError:  # the machine has no thread left: shed this one
            self.shutdown_request(request)

    def shutdown_request(self, request: socket.socket) -> None:  # type: ignore[override]  # always TCP here
        """Close a connection and make room for another."""
        with self._lock:
            was_open = request in self._open
            self._open.discard(request)
        super().shutdown_request(request)
        if was_open:
            self._room.release()

    def handle_error(self, request: object, client_address: object) -> None:
        """Note a fault; a browser that goes away mid-answer is none."""
        _log.debug("a browser connection ended early", exc_info=True)
