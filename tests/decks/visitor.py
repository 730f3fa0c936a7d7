"""A browser reduced to its requests: one open event stream, pictures, presses."""

from __future__ import annotations

import http.client
import json
import socket
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, urlsplit

from flightdeck.decks.routes import PAGE_HEADER, TOKEN_HEADER

if TYPE_CHECKING:
    from types import TracebackType


class Visitor:
    """Speaks to a browser deck by hand; headers given to a call win over the proper ones."""

    def __init__(self, where: str) -> None:
        url = urlsplit(where)
        self.port = int(url.port or 0)
        self.token = parse_qs(url.query)["token"][0]
        self.page = ""
        self._stream: socket.socket | None = None
        self._rest = b""

    def __enter__(self) -> Visitor:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.leave()

    def ask(
        self, method: str, path: str, headers: dict[str, str] | None = None, body: str | None = None
    ) -> http.client.HTTPResponse:
        """Send one request and return its answer, body read."""
        proper = {TOKEN_HEADER: self.token, PAGE_HEADER: self.page}
        if method == "POST":
            proper["Origin"] = f"http://127.0.0.1:{self.port}"
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
        try:
            connection.request(method, path, body, {**proper, **(headers or {})})
            answer = connection.getresponse()
            answer.text = answer.read()  # type: ignore[attr-defined]  # for the caller, who outlives the socket
            return answer
        finally:
            connection.close()

    def press(self, index: int, edge: str) -> int:
        """Press or lift a key and return the status."""
        return self.ask("POST", f"/key/{index}/{edge}").status

    def join(self) -> None:
        """Open the event stream and learn this page's name."""
        self._stream = socket.create_connection(("127.0.0.1", self.port), timeout=10)
        lines = ["GET /events HTTP/1.1", f"Host: 127.0.0.1:{self.port}"]
        lines += [f"{TOKEN_HEADER}: {self.token}", "", ""]
        self._stream.sendall("\r\n".join(lines).encode())
        self._read_to(b"\r\n\r\n")
        self.page = str(self.hear()["page"])

    def hear(self) -> dict[str, Any]:
        """Return the next message of the stream; raises EOFError when it has ended."""
        while True:
            block = self._read_to(b"\n\n")
            if block.startswith(b"data: "):
                message: dict[str, Any] = json.loads(block[6:])
                return message

    def leave(self) -> None:
        """Drop the stream as a crashed tab would."""
        if self._stream:
            self._stream.close()
            self._stream = None

    def _read_to(self, mark: bytes) -> bytes:
        assert self._stream
        while mark not in self._rest:
            more = self._stream.recv(65536)
            if not more:
                raise EOFError
            self._rest += more
        block, self._rest = self._rest.split(mark, 1)
        return block
