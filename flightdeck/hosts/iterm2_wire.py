"""What is said to iTerm2 over its Python API, and how its answers are read.

The only module that imports the package, and not before a connection is made.

Source: iTerm2's api.proto (ActivateRequest, ListSessionsRequest, VariableRequest,
SendTextRequest, GetBufferRequest).
"""

from __future__ import annotations

import asyncio
import json
import logging
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

logger = logging.getLogger(__name__)


class Wire:
    """What the package's calls need of a connection, reading its own answers.

    The package's reader prints a traceback when iTerm2 quits and leaves whoever
    waits for an answer waiting; read here, a lost connection is an exception.
    """

    def __init__(self, websocket: Any) -> None:
        self._websocket = websocket

    @classmethod
    async def connect(cls) -> Wire:
        """Connect and authenticate, by AppleScript where no cookie is in the environment."""
        import iterm2  # noqa: PLC0415, TID251 - late, and this module is its door

        before = asyncio.all_tasks()
        try:
            connection = await iterm2.Connection.async_create()
        except SystemExit as refused:  # how the package says it is too old for this iTerm2
            raise ConnectionError from refused
        for task in asyncio.all_tasks() - before:
            if getattr(task.get_coro(), "__name__", "") == "_async_dispatch_forever":
                task.cancel()
        return cls(connection.websocket)

    async def activate(self, uuid: str) -> bool:
        """Select a session, its tab and its window, then the application."""
        from iterm2 import rpc  # noqa: PLC0415, TID251 - loaded with the connection

        wire: Any = self
        shown = await rpc.async_activate(
            wire, select_session=True, select_tab=True, order_window_front=True, session_id=uuid
        )
        if shown.activate_response.status:
            return False
        await rpc.async_activate(
            wire,
            select_session=False,
            select_tab=False,
            order_window_front=False,
            activate_app_opts=[],
        )
        return True

    async def send(self, uuid: str, keys: str) -> bool:
        """Type into one session, once, also where input is broadcast to others.

        A lost connection shows in the question before, which may be asked again.
        """
        from iterm2 import rpc  # noqa: PLC0415, TID251 - loaded with the connection

        wire: Any = self
        known = await rpc.async_variable(wire, uuid, gets=["id"])
        if known.variable_response.status:
            return False
        try:
            sent = await rpc.async_send_text(wire, uuid, keys, suppress_broadcast=True)
        except Exception as error:
            logger.warning("nobody knows whether iTerm2 took the keys: %s", type(error).__name__)
            return True
        return not sent.send_text_response.status

    async def value(self, uuid: str, name: str) -> object:
        """Return a variable of a session; None if it has none, or there is no such session."""
        from iterm2 import rpc  # noqa: PLC0415, TID251 - loaded with the connection

        wire: Any = self
        answer = await rpc.async_variable(wire, uuid, gets=[name])
        values = answer.variable_response.values
        return json.loads(values[0]) if values else None

    async def rows(self, uuid: str) -> list[str] | None:
        """Return the rows a session shows, the topmost first; None if there is none."""
        from iterm2 import rpc  # noqa: PLC0415, TID251 - loaded with the connection

        wire: Any = self
        answer = await rpc.async_get_screen_contents(wire, uuid)
        shown = answer.get_buffer_response
        if shown.status:
            return None
        # A cell nothing was ever written to is NUL.
        return [line.text.replace("\0", " ") for line in shown.contents]

    async def activate_by(self, name: str, value: str | int) -> bool:
        """Activate the one session whose variable has this value."""
        from iterm2 import rpc  # noqa: PLC0415, TID251 - loaded with the connection

        wire: Any = self
        listed = await rpc.async_list_sessions(wire)
        found = []
        for uuid in _session_ids(listed.list_sessions_response):
            if await self.value(uuid, name) == value:
                found.append(uuid)
        # Two servers may number their panes alike, a restored session may tell an
        # old device: of two candidates either could be the wrong window.
        return len(found) == 1 and await self.activate(found[0])

    async def close(self) -> None:
        """Close the connection; one that is lost already is closed."""
        await self._websocket.close()

    async def async_send_message(self, message: Any) -> None:
        """Send a request; called by the package."""
        await self._websocket.send(message.SerializeToString())

    async def async_dispatch_until_id(self, request: int) -> Any:
        """Return the answer to a request; called by the package."""
        from iterm2 import api_pb2  # noqa: PLC0415, TID251 - loaded with the connection

        while True:
            answer = api_pb2.ServerOriginatedMessage()
            answer.ParseFromString(await self._websocket.recv())
            # The package's first request has id 0, as has whatever carries no id at all.
            if answer.HasField("id") and answer.id == request:
                return answer


def _session_ids(listed: Any) -> Iterator[str]:
    for window in listed.windows:
        for tab in window.tabs:
            yield from _leaves(tab.root)
            yield from (session.unique_identifier for session in tab.minimized_sessions)
    yield from (session.unique_identifier for session in listed.buried_sessions)


def _leaves(node: Any) -> Iterator[str]:
    for link in node.links:
        if link.HasField("session"):
            yield link.session.unique_identifier
        else:
            yield from _leaves(link.node)
