"""iTerm2's Python API over one kept connection, for callers that wait.

The API sees every window, hotkey windows too, and needs the automation permission
once a connection instead of once a press; so one connection is kept, in a thread
with an event loop of its own. The package is imported when it is first needed:
it takes longer to load than all else a press does. What is said over the
connection is in `iterm2_wire`.

Source: iTerm2's documentation, "Python API", its socket and its settings;
sverrirsig/claude-control#53 (hotkey windows).
"""

from __future__ import annotations

import asyncio
import logging
import os
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from flightdeck.errors import Unavailable
from flightdeck.hosts.iterm2_wire import Wire
from flightdeck.system.clock import monotonic

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

logger = logging.getLogger(__name__)

_REST_S = 30.0
_T = TypeVar("_T")


def api_socket() -> Path:
    """Return where iTerm2 listens while its Python API is switched on."""
    suite = os.environ.get("IT2_SUITE", "iTerm2")
    return Path("~/Library/Application Support").expanduser() / suite / "private" / "socket"


class Unconnected(Unavailable):
    """There was no connection, so nothing was sent."""


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

    def send(self, uuid: str, keys: str) -> bool:
        """Type into a session as its keyboard would; say whether there is one."""
        return self._call(lambda wire: wire.send(uuid, keys))

    def value(self, uuid: str, name: str) -> object:
        """Return a variable of a session; None if it has none, or there is no such session."""
        return self._call(lambda wire: wire.value(uuid, name))

    def rows(self, uuid: str) -> list[str] | None:
        """Return the rows a session shows; None if there is none."""
        return self._call(lambda wire: wire.rows(uuid))

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
            await _ended(asyncio.all_tasks() - {asyncio.current_task()}, self._wait_s / 2)
            loop.stop()

    def _call(self, question: Callable[[Wire], Awaitable[_T]]) -> _T:
        if not api_socket().exists():
            raise Unconnected("iTerm2's Python API is off")
        if monotonic() < self._rest_until:
            raise Unconnected("iTerm2's Python API gave no answer lately")
        answer = asyncio.run_coroutine_threadsafe(self._ask(question), self._running_loop())
        try:
            return answer.result(self._wait_s)
        except TimeoutError as silence:
            answer.cancel()
            self._rest_until = monotonic() + _REST_S
            raise Unavailable("iTerm2's Python API gives no answer") from silence
        except Unconnected:
            raise
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

    async def _ask(self, question: Callable[[Wire], Awaitable[_T]]) -> _T:
        """Ask over the kept connection; where iTerm2 has let it go, over a new one."""
        if self._wire is not None:
            try:
                return await question(self._wire)
            except Exception as error:
                logger.debug("connecting to iTerm2 again: %s", type(error).__name__)
                await self._drop()
        self._wire = await _connect()
        try:
            return await question(self._wire)
        except BaseException:  # cancelled too: half an answer may still be on its way
            await self._drop()
            raise

    async def _drop(self) -> None:
        wire, self._wire = self._wire, None
        if wire is not None:
            await wire.close()


async def _connect() -> Wire:
    try:
        return await Wire.connect()
    except Exception as error:  # whatever the package, websockets or osascript raise
        why = f"iTerm2's Python API takes no connection: {type(error).__name__}"
        raise Unconnected(why) from error


async def _ended(tasks: set[asyncio.Task[Any]], wait_s: float) -> None:
    """End what still waits for an answer that never came."""
    for task in tasks:
        task.cancel()
    if tasks:
        await asyncio.wait(tasks, timeout=wait_s)


def _turn(loop: asyncio.AbstractEventLoop) -> None:
    loop.run_forever()
    loop.close()
