"""Brings iTerm2 sessions forward: its Python API first, AppleScript where that is off.

The API sees every window, hotkey windows too, and needs the automation permission
once a connection instead of once a press; so one connection is kept, in a thread
with an event loop of its own. The package is imported when it is first needed:
it takes longer to load than all else a press does. Knows nothing of places.

Source: iTerm2's api.proto (ActivateRequest, ListSessionsRequest, VariableRequest);
sverrirsig/claude-control#53 (hotkey windows).
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any

from flightdeck.errors import Gone, Unavailable
from flightdeck.hosts.applescript import AppleScript
from flightdeck.system.clock import monotonic

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator

    from flightdeck.model.place import Place
    from flightdeck.ports import Runner

logger = logging.getLogger(__name__)

_WAIT_S = 2.0
_REST_S = 30.0


def api_socket() -> Path:
    """Return where iTerm2 listens while its Python API is switched on."""
    suite = os.environ.get("IT2_SUITE", "iTerm2")
    return Path("~/Library/Application Support").expanduser() / suite / "private" / "socket"


class Iterm2:
    """Focuses iTerm2 sessions by their UUID, their device, or the tmux pane they show."""

    def __init__(self, run: Runner, *, wait_s: float = _WAIT_S) -> None:
        """`wait_s` is how long the API may take, in seconds."""
        self._api = Api(wait_s)
        self._script = AppleScript(run)

    def focus(self, place: Place) -> None:
        """Bring the session whose UUID is `place.window` forward.

        Raises:
            Unavailable: it is gone, iTerm2 is not running or may not be asked.
        """
        try:
            found = self._api.by_id(place.window)
        except Unavailable as why:
            logger.debug("asking by AppleScript: %s", why.message)
            self._script.by_id(place.window)
            return
        _must_be(found)

    def focus_tty(self, tty: str) -> None:
        """Bring the session forward that draws on the device `tty`.

        Raises:
            Unavailable: as `focus`.
        """
        try:
            found = self._api.by_variable("tty", tty)
        except Unavailable as why:
            logger.debug("asking by AppleScript: %s", why.message)
            self._script.by_tty(tty)
            return
        _must_be(found)

    def focus_tmux_pane(self, pane: str) -> None:
        """Bring the native window forward that shows tmux pane `%3` in control mode.

        Raises:
            Unavailable: no session, or more than one, shows a pane of this number,
                or the API is off; AppleScript knows nothing of tmux.
        """
        _must_be(self._api.by_variable("tmuxWindowPane", int(pane.removeprefix("%"))))

    def close(self) -> None:
        """Let the kept connection go; never raises, may be called twice."""
        self._api.close()


def _must_be(found: bool) -> None:  # noqa: FBT001 - the answer itself, not a switch
    if not found:
        raise Gone("window is gone")


class Api:
    """iTerm2's Python API over one kept connection.

    Every method waits `wait_s` seconds at most and raises Unavailable where the
    API is off or broken. After a silence it is left alone for 30 s, so that one
    stuck dialog does not slow every press down.
    """

    def __init__(self, wait_s: float) -> None:
        self._wait_s = wait_s
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._wire: Wire | None = None
        self._rest_until = 0.0

    def by_id(self, uuid: str) -> bool:
        """Bring a session forward by its UUID; say whether there is one."""
        return self._call(lambda wire: wire.activate(uuid))

    def by_variable(self, name: str, value: str | int) -> bool:
        """Bring the one session forward whose variable has this value; say whether there is one."""
        return self._call(lambda wire: wire.activate_by(name, value))

    def close(self) -> None:
        """Close the connection and end the thread."""
        loop, thread = self._loop, self._thread
        self._loop = self._thread = None
        if loop is None or thread is None:
            return
        asyncio.run_coroutine_threadsafe(self._hang_up(loop), loop)
        thread.join(self._wait_s)

    async def _hang_up(self, loop: asyncio.AbstractEventLoop) -> None:
        try:
            await self._drop()
        finally:
            loop.stop()

    def _call(self, question: Callable[[Wire], Awaitable[bool]]) -> bool:
        if not api_socket().exists():
            raise Unavailable("iTerm2's Python API is off")
        if monotonic() < self._rest_until:
            raise Unavailable("iTerm2's Python API gave no answer lately")
        answer = asyncio.run_coroutine_threadsafe(self._ask(question), self._running_loop())
        try:
            return answer.result(self._wait_s)
        except TimeoutError as silence:
            answer.cancel()
            self._rest_until = monotonic() + _REST_S
            raise Unavailable("iTerm2's Python API gives no answer") from silence
        except Exception as error:  # whatever the package, websockets or protobuf raise
            raise Unavailable(f"iTerm2's Python API failed: {type(error).__name__}") from error

    def _running_loop(self) -> asyncio.AbstractEventLoop:
        if self._loop is None:
            self._loop = asyncio.new_event_loop()
            self._thread = threading.Thread(
                target=_turn, args=(self._loop,), name="iterm2", daemon=True
            )
            self._thread.start()
        return self._loop

    async def _ask(self, question: Callable[[Wire], Awaitable[bool]]) -> bool:
        """Ask over the kept connection; where iTerm2 has let it go, over a new one."""
        if self._wire is not None:
            try:
                return await question(self._wire)
            except Exception as error:
                logger.debug("connecting to iTerm2 again: %s", type(error).__name__)
                await self._drop()
        try:
            self._wire = await Wire.connect()
            return await question(self._wire)
        except BaseException:  # cancelled too: half an answer may still be on its way
            await self._drop()
            raise

    async def _drop(self) -> None:
        wire, self._wire = self._wire, None
        if wire is not None:
            await wire.close()


def _turn(loop: asyncio.AbstractEventLoop) -> None:
    loop.run_forever()
    loop.close()


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

    async def activate_by(self, name: str, value: str | int) -> bool:
        """Activate the one session whose variable has this value."""
        from iterm2 import rpc  # noqa: PLC0415, TID251 - loaded with the connection

        wire: Any = self
        listed = await rpc.async_list_sessions(wire)
        found = []
        for uuid in _session_ids(listed.list_sessions_response):
            answer = await rpc.async_variable(wire, uuid, gets=[name])
            values = answer.variable_response.values
            if values and json.loads(values[0]) == value:
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
