"""Brings iTerm2 sessions forward, or sends them Esc.

Its Python API comes first, AppleScript where that is off.

The API sees every window, hotkey windows too, and needs the automation permission
once a connection instead of once a press; so one connection is kept, in a thread
with an event loop of its own. The package is imported when it is first needed:
it takes longer to load than all else a press does. What is said over the
connection is in `iterm2_wire`.

Source: iTerm2's api.proto (ActivateRequest, ListSessionsRequest, VariableRequest);
sverrirsig/claude-control#53 (hotkey windows).
"""

from __future__ import annotations

import asyncio
import logging
import os
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any

from flightdeck.errors import Gone, Unavailable
from flightdeck.hosts.applescript import AppleScript
from flightdeck.hosts.iterm2_wire import Wire
from flightdeck.system.clock import monotonic

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from flightdeck.model.place import Place
    from flightdeck.ports import Runner

logger = logging.getLogger(__name__)

_WAIT_S = 2.0
_REST_S = 30.0
ESCAPE = "\x1b"


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

    def interrupt(self, place: Place) -> None:
        """Send one Esc to the session whose UUID is `place.window`, and to no other.

        What may have arrived is not sent again: a second Esc would open a menu.

        Raises:
            Unavailable: as `focus`.
        """
        if self._api.ready():
            _must_be(self._api.send(place.window, ESCAPE))
        else:
            self._script.interrupt(place.window)

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

    def send(self, uuid: str, keys: str) -> bool:
        """Type into a session as its keyboard would; say whether there is one."""
        return self._call(lambda wire: wire.send(uuid, keys))

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

    def ready(self) -> bool:
        """Say whether it is on, and gave an answer when it was last asked."""
        return api_socket().exists() and monotonic() >= self._rest_until

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


async def _ended(tasks: set[asyncio.Task[Any]], wait_s: float) -> None:
    """End what still waits for an answer that never came."""
    for task in tasks:
        task.cancel()
    if tasks:
        await asyncio.wait(tasks, timeout=wait_s)


def _turn(loop: asyncio.AbstractEventLoop) -> None:
    loop.run_forever()
    loop.close()
