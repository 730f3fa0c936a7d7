"""The panel's control socket: one JSON line in, one JSON line out, this user only.

`flightdeck press` speaks through it, so a terminal does exactly what a thumb does.
"""

from __future__ import annotations

import contextlib
import json
import logging
import os
import socket
import tempfile
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any

from flightdeck.errors import Unavailable
from flightdeck.system import clock

if TYPE_CHECKING:
    from collections.abc import Callable

_LOG = logging.getLogger(__name__)
_LONGEST_PATH = 100  # sun_path holds 104 bytes on macOS, 108 on Linux
_LONGEST_LINE = 64 * 1024
_CALLER_S = 2.0
_RETRY_S = 0.5
# A caller may hold a key for a minute: the next one does not wait for that.
_MOST_CALLERS = 8

Answer = dict[str, Any]


class ControlSocket:
    """Listens at `path`, or beside the temporary files where that is too long a name."""

    def __init__(self, path: Path, answer: Callable[[Answer], Answer]) -> None:
        """`answer` is called from a thread of each caller's own, of several side by side.

        Raises:
            OSError: no socket can be made there; nothing is left behind.
        """
        self._answer = answer
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        if len(os.fsencode(path)) > _LONGEST_PATH:
            self._folder = tempfile.TemporaryDirectory(prefix="flightdeck-")
            path = Path(self._folder.name) / "control.sock"
        self.path = path
        with contextlib.suppress(OSError):
            path.unlink()
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            self._socket.bind(str(path))
            path.chmod(0o600)
            self._inode = path.stat().st_ino
            self._socket.listen(16)
        except OSError:
            self._socket.close()
            raise
        self._closed = False
        self._room = threading.BoundedSemaphore(_MOST_CALLERS)
        self._thread = threading.Thread(target=self._run, name="control", daemon=True)

    def start(self) -> None:
        """Begin to listen."""
        self._thread.start()

    def stands(self) -> bool:
        """Say whether others can still find it: somebody may have removed its folder."""
        try:
            return self.path.stat().st_ino == self._inode
        except OSError:
            return False

    def close(self) -> None:
        """Stop and leave no socket behind."""
        self._closed = True
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()
        if self.stands():
            with contextlib.suppress(OSError):
                self.path.unlink()
        if self._folder is not None:
            self._folder.cleanup()

    def _run(self) -> None:
        while not self._closed:
            try:
                caller, _ = self._socket.accept()
            except OSError as error:  # closed, or out of file handles for a while
                if not self._closed:
                    _LOG.warning("control socket: %s", error)
                    clock.pause(_RETRY_S)
                continue
            self._room.acquire()  # beyond that many, callers wait to be heard
            self._begin(caller)

    def _begin(self, caller: socket.socket) -> None:
        try:
            threading.Thread(
                target=self._serve, args=(caller,), name="control caller", daemon=True
            ).start()
        except RuntimeError as error:  # the system gives no more threads
            _LOG.warning("control socket: %s", error)
            caller.close()
            self._room.release()

    def _serve(self, caller: socket.socket) -> None:
        try:
            with caller:
                self._talk(caller)
        finally:
            self._room.release()

    def _talk(self, caller: socket.socket) -> None:
        caller.settimeout(_CALLER_S)
        try:
            request = json.loads(_line(caller))
            reply = self._answer(request if isinstance(request, dict) else {})
            caller.sendall(json.dumps(reply).encode() + b"\n")
        except (OSError, ValueError, RecursionError) as error:
            _LOG.info("control request dropped: %s", error)
        except Exception:  # one request's bug must not leave the panel deaf
            _LOG.exception("control request failed")


def ask(path: str, request: Answer, timeout_s: float) -> Answer:
    """Send one request to the panel and return its answer.

    Raises:
        Unavailable: no panel listens there, or it does not answer in time.
    """
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as line:
        line.settimeout(timeout_s)
        try:
            line.connect(path)
            line.sendall(json.dumps(request).encode() + b"\n")
            answer = json.loads(_line(line))
        except (OSError, ValueError) as error:
            raise Unavailable(
                f"the panel does not answer: {error}", "`flightdeck doctor` looks at it"
            ) from error
    return answer if isinstance(answer, dict) else {}


def _line(end: socket.socket) -> bytes:
    data = b""
    while not data.endswith(b"\n") and len(data) < _LONGEST_LINE:
        chunk = end.recv(4096)
        if not chunk:
            break
        data += chunk
    return data
