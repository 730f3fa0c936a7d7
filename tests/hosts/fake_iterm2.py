"""An iTerm2 that speaks the real protocol on the real socket, with no window behind it."""

from __future__ import annotations

import asyncio
import json
import threading
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

from iterm2 import api_pb2
from websockets.asyncio.server import ServerConnection, unix_serve
from websockets.exceptions import ConnectionClosed

if TYPE_CHECKING:
    from pathlib import Path

    from websockets.http11 import Request, Response

WAIT_S = 10.0


class FakeIterm2:
    """Its sessions are `variables` by UUID; `activated` is what it was told to show.

    `typed` is what it was told to type: where, what, and whether to nobody else. It hangs
    up in the place of an answer to a request of the kind `hangs_up_after`.

    `rows` is what a session shows, by UUID.

    `silent` gives no answers, `chatty` says something else before each, `refusal` is
    the HTTP status connections are turned away with.
    """

    def __init__(self, socket: Path) -> None:
        self.variables: dict[str, dict[str, Any]] = {}
        self.asked: list[str] = []
        self.activated: list[str] = []
        self.typed: list[tuple[str, str, bool]] = []
        self.rows: dict[str, list[str]] = {}
        self.hangs_up_after = ""
        self.connections = 0
        self.silent = False
        self.chatty = False
        self.refusal = 0
        self._socket = socket
        self._loop = asyncio.new_event_loop()
        self._live: set[ServerConnection] = set()
        self._ready = threading.Event()
        self._end: asyncio.Event | None = None
        self._thread = threading.Thread(target=self._turn, daemon=True)

    def start(self) -> None:
        """Listen, in a thread."""
        self._socket.parent.mkdir(parents=True)
        self._thread.start()
        assert self._ready.wait(WAIT_S)

    def hang_up(self) -> None:
        """Drop every connection, as iTerm2 does when it starts again."""
        asyncio.run_coroutine_threadsafe(self._drop(), self._loop).result(WAIT_S)

    def stop(self) -> None:
        """Stop listening."""
        assert self._end is not None
        self._loop.call_soon_threadsafe(self._end.set)
        self._thread.join(WAIT_S)
        self._loop.close()

    def _turn(self) -> None:
        self._loop.run_until_complete(self._serve())

    async def _serve(self) -> None:
        self._end = asyncio.Event()
        protocol: Any = ["api.iterm2.com"]
        path = str(self._socket)
        async with unix_serve(self._hear, path, subprotocols=protocol, process_request=self._greet):
            self._ready.set()
            await self._end.wait()

    def _greet(self, connection: ServerConnection, _: Request) -> Response | None:
        return connection.respond(HTTPStatus(self.refusal), "no") if self.refusal else None

    async def _drop(self) -> None:
        for connection in list(self._live):
            await connection.close()

    async def _hear(self, connection: ServerConnection) -> None:
        self.connections += 1
        self._live.add(connection)
        try:
            async for data in connection:
                request = api_pb2.ClientOriginatedMessage()
                request.ParseFromString(bytes(data))  # type: ignore[arg-type]
                self.asked.append(str(request.WhichOneof("submessage")))
                if self.chatty:
                    await connection.send(api_pb2.ServerOriginatedMessage().SerializeToString())
                answer = self._answer(request)
                if self.asked[-1] == self.hangs_up_after:
                    await connection.close()
                elif not self.silent:
                    await connection.send(answer.SerializeToString())
        except ConnectionClosed:
            pass
        finally:
            self._live.discard(connection)

    def _answer(self, request: Any) -> Any:
        answer = api_pb2.ServerOriginatedMessage()
        answer.id = request.id
        kind = request.WhichOneof("submessage")
        getattr(self, f"_{kind}")(getattr(request, kind), answer)
        return answer

    def _activate_request(self, asked: Any, answer: Any) -> None:
        response = answer.activate_response
        if asked.HasField("session_id") and asked.session_id not in self.variables:
            response.status = api_pb2.ActivateResponse.Status.Value("BAD_IDENTIFIER")
            return
        response.status = api_pb2.ActivateResponse.Status.Value("OK")
        parts = {"session": asked.select_session, "tab": asked.select_tab}
        parts |= {"window": asked.order_window_front, "app": asked.HasField("activate_app")}
        self.activated += [f"{part} {asked.session_id}".strip() for part, on in parts.items() if on]

    def _list_sessions_request(self, _: Any, answer: Any) -> None:
        """Show each session another way: a pane, a pane of a pane, minimised, buried."""
        listed = answer.list_sessions_response
        tab = listed.windows.add().tabs.add()
        nested = tab.root.links.add().node
        shelves = [
            lambda: tab.root.links.add().session,
            lambda: nested.links.add().session,
            tab.minimized_sessions.add,
            listed.buried_sessions.add,
        ]
        for number, uuid in enumerate(self.variables):
            shelves[number % len(shelves)]().unique_identifier = uuid

    def _send_text_request(self, asked: Any, answer: Any) -> None:
        self.typed.append((asked.session, asked.text, asked.suppress_broadcast))
        answer.send_text_response.status = 0

    def _variable_request(self, asked: Any, answer: Any) -> None:
        if asked.session_id not in self.variables:
            answer.variable_response.status = 1
            return
        values = self.variables[asked.session_id]
        answer.variable_response.status = 0
        answer.variable_response.values.extend(json.dumps(values.get(name)) for name in asked.get)

    def _get_buffer_request(self, asked: Any, answer: Any) -> None:
        response = answer.get_buffer_response
        if asked.session not in self.rows or not asked.line_range.screen_contents_only:
            response.status = api_pb2.GetBufferResponse.Status.Value("SESSION_NOT_FOUND")
            return
        response.status = api_pb2.GetBufferResponse.Status.Value("OK")
        for row in self.rows[asked.session]:
            response.contents.add().text = row
