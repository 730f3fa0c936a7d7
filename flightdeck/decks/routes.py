"""What a browser may ask of the deck, and the answers.

    GET  /?token=T          the page
    GET  /events            keys as they change, as server-sent events
    GET  /key/N?v=V         the picture of key N as it stands
    POST /key/N/down, /up   a thumb; names the page's own event stream
        ?v=V&said=NAME      the face that was in sight there

The token comes in the query of the page and in a header of everything else. Anything
not let in gets 403 and not a word more. A press is timed when it arrives, and dropped
if its page had not yet shown the face the key has by then. A page whose stream ends has
let go of every key.

Source: README.md, "The browser deck"; WHATWG HTML, server-sent events.
"""

from __future__ import annotations

import json
import re
import secrets
import selectors
import socket
from contextlib import suppress
from http.server import BaseHTTPRequestHandler
from typing import TYPE_CHECKING, cast
from urllib.parse import SplitResult, parse_qs, urlsplit

from flightdeck.decks.guard import Caller
from flightdeck.system import clock
from flightdeck.templating import render_markup

if TYPE_CHECKING:
    from http import HTTPStatus

    from flightdeck.decks.board import Board, Page
    from flightdeck.decks.guard import Guard
    from flightdeck.decks.presses import Presses
    from flightdeck.decks.server import PanelServer
    from flightdeck.model.deck import DeckModel

HEARTBEAT_S = 15.0
# A page that has heard nothing for so long takes the panel for hung.
SILENCE_MS = 35_000
TOKEN_HEADER = "X-Flightdeck-Token"  # noqa: S105 - its name, not its value
PAGE_HEADER = "X-Flightdeck-Page"

_PICTURE = re.compile(r"/key/(\d{1,3})")
_PRESS = re.compile(r"/key/(\d{1,3})/(down|up)")


class Routes:
    """All a request needs: the keys, the thumbs, and who is let in."""

    def __init__(self, model: DeckModel, board: Board, presses: Presses, guard: Guard) -> None:
        self.model = model
        self.board = board
        self.presses = presses
        self.guard = guard


class Handler(BaseHTTPRequestHandler):
    """One connection, one request after another."""

    protocol_version = "HTTP/1.1"
    timeout = 10  # seconds without a byte, or for a whole answer: then the connection goes

    @property
    def _routes(self) -> Routes:
        return cast("PanelServer", self.server).routes

    def do_GET(self) -> None:
        """Answer with the page, a picture, or the stream."""
        url = _url(self.path)
        if not self._let_in(_token_in(url.query) if url.path == "/" else self._token()):
            self._answer(403)
        elif url.path == "/":
            self._page()
        elif url.path == "/events":
            self._events()
        elif match := _PICTURE.fullmatch(url.path):
            self._picture(int(match[1]))
        else:
            self._answer(404)

    def do_POST(self) -> None:
        """Take a press."""
        at = clock.monotonic()
        url = _url(self.path)
        match = _PRESS.fullmatch(url.path)
        page = self.headers.get(PAGE_HEADER, "")
        if not self._let_in(self._token()):
            self._answer(403)
        elif not match or int(match[1]) >= self._routes.model.grid.keys:
            self._answer(404)
        elif not self._routes.board.watches(page):
            self._answer(409)
        else:
            down = match[2] == "down"
            if not down or self._in_sight(int(match[1]), url.query):
                self._press(int(match[1]), page, at, down=down)
            self._answer(204)

    def send_error(
        self, code: int | HTTPStatus, message: str | None = None, explain: str | None = None
    ) -> None:
        """Answer malformed and unknown requests like any stranger: not a word."""
        self._answer(403)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - its name there
        """Keep no access log: paths hold the token."""

    def _token(self) -> str:
        return str(self.headers.get(TOKEN_HEADER, ""))

    def _let_in(self, token: str) -> bool:
        """Say whether the caller is our page and sent no body; nothing here takes one."""
        header = self.headers.get
        empty = header("Content-Length", "0") == "0" and not header("Transfer-Encoding")
        caller = Caller(self.command, header("Host", ""), header("Origin", ""), token)
        return empty and self._routes.guard.lets_in(caller)

    def _in_sight(self, index: int, query: str) -> bool:
        """Say whether the page showed what the key shows; one that does not say is believed."""
        told = parse_qs(query, keep_blank_values=True)
        if "v" not in told:
            return True
        return self._routes.board.shows(index, told["v"][0], told.get("said", [""])[0])

    def _press(self, index: int, page: str, at: float, *, down: bool) -> None:
        presses = self._routes.presses
        if not down:
            presses.up(index, page, at)
            return
        presses.down(index, page, at)
        # The page may have left since it was looked up, and its keys come up only once.
        if not self._routes.board.watches(page):
            presses.gone(page, at)

    def _page(self) -> None:
        nonce, model = secrets.token_urlsafe(16), self._routes.model
        values = {
            "grid": model.grid,
            "title": model.title,
            "nonce": nonce,
            "silence_ms": SILENCE_MS,
        }
        policy = (
            f"default-src 'none'; script-src 'nonce-{nonce}'; style-src 'nonce-{nonce}'; "
            "img-src blob: data:; connect-src 'self'; base-uri 'none'; form-action 'none'; "
            "frame-ancestors 'none'"
        )
        body = render_markup("browser/panel.html.j2", values).encode()
        self._answer(200, body, "text/html; charset=utf-8", {"Content-Security-Policy": policy})

    def _picture(self, index: int) -> None:
        shown = self._routes.board.at(index)
        if shown is None:
            self._answer(404)
        else:
            self._answer(200, shown.image, "image/png", {"X-Version": str(shown.version)})

    def _events(self) -> None:
        board, self.close_connection = self._routes.board, True
        # A page that stopped reading is noticed within some hundred events, not thousands.
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 16_384)
        page = board.join()
        if page is None:
            self._answer(503)
            return
        try:
            self._head(200, {"Content-Type": "text/event-stream", "Connection": "close"})
            self._say({"page": page.id})
            self._stream(page)
        except OSError:  # gone, or too slow to be worth waiting for
            pass
        finally:
            # First the page is unknown, then its keys come up: no press can slip between.
            board.leave(page)
            self._routes.presses.gone(page.id, clock.monotonic())

    def _stream(self, page: Page) -> None:
        """Tell the page what changes until it goes away or the deck closes."""
        with selectors.DefaultSelector() as waiting:
            waiting.register(page, selectors.EVENT_READ)
            waiting.register(self.connection, selectors.EVENT_READ)
            while not page.ended:
                ready = [key.fileobj for key, _ in waiting.select(HEARTBEAT_S)]
                if self.connection in ready:  # a page never speaks here: this is its goodbye
                    return
                if page in ready:
                    self._say({"keys": self._routes.board.news(page)})
                else:
                    self.wfile.write(b":\n\n")

    def _say(self, message: dict[str, object]) -> None:
        self.wfile.write(b"data: " + json.dumps(message).encode() + b"\n\n")

    def _answer(
        self, code: int, body: bytes = b"", kind: str = "", more: dict[str, str] | None = None
    ) -> None:
        refused = code not in (200, 204)
        headers = {"Content-Type": kind} if kind else {}
        if code != 204:
            headers["Content-Length"] = str(len(body))
        if refused:  # whatever else is in the pipe is not worth reading
            headers["Connection"] = "close"
            self.close_connection = True
        with suppress(OSError):
            self._head(code, headers | (more or {}))
            self.wfile.write(body)

    def _head(self, code: int, headers: dict[str, str]) -> None:
        self.send_response_only(code)
        always = {
            "Cache-Control": "no-store",
            "Referrer-Policy": "no-referrer",
            "X-Content-Type-Options": "nosniff",
            "Cross-Origin-Resource-Policy": "same-origin",
            "Cross-Origin-Opener-Policy": "same-origin",
        }
        for name, value in (always | headers).items():
            self.send_header(name, value)
        self.end_headers()


def _url(target: str) -> SplitResult:
    try:
        return urlsplit(target)
    except ValueError:  # half an IPv6 address, say: nothing we serve
        return urlsplit("")


def _token_in(query: str) -> str:
    return parse_qs(query).get("token", [""])[0]
