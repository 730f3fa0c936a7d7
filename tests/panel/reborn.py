"""A process under a pid of one's choice, where the kernel lets us: Linux, as root.

Elsewhere a pid comes round again when the kernel likes, and nobody can wait for that.

Source: clone3(2), `set_tid`.
"""

from __future__ import annotations

import ctypes
import os
import platform
import signal
import socket
import struct
import time
from contextlib import suppress
from dataclasses import dataclass

_CLONE3 = 435
_DEADLINE_S = 10.0


@dataclass(frozen=True)
class Reborn:
    """What of `subprocess.Popen` a test needs of such a process."""

    pid: int

    def kill(self) -> None:
        with suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGKILL)

    def wait(self) -> None:
        end = time.monotonic() + _DEADLINE_S
        with suppress(ProcessLookupError):
            while True:
                os.kill(self.pid, 0)
                assert time.monotonic() < end, "it outlives a SIGKILL"
                time.sleep(0.001)


class Midwife:
    """Starts them, from a process that has no second thread and is asked over a socket."""

    def __init__(self) -> None:
        """Fork it; this must have no second thread yet either."""
        self._line, theirs = socket.socketpair()
        if os.fork() == 0:
            try:
                self._line.close()
                _serve(theirs)
            finally:
                os._exit(0)
        theirs.close()

    def reborn(self, pid: int) -> Reborn | None:
        """Start a `sleep` under a pid nobody has, None where that is not to be had."""
        self._line.sendall(struct.pack("i", pid))
        (child,) = struct.unpack("i", self._line.recv(4))
        return Reborn(child) if child > 0 else None


def _serve(line: socket.socket) -> None:
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    while asked := line.recv(4):
        child = _started(struct.unpack("i", asked)[0]) if platform.system() == "Linux" else -1
        line.sendall(struct.pack("i", child))


def _started(pid: int) -> int:
    pids = (ctypes.c_int32 * 1)(pid)
    fields = (0, 0, 0, 0, signal.SIGCHLD, 0, 0, 0, ctypes.addressof(pids), 1, 0)
    arguments = ctypes.create_string_buffer(struct.pack("11Q", *fields), 88)
    child = ctypes.CDLL(None, use_errno=True).syscall(_CLONE3, arguments, 88)
    if child == 0:
        os.execve("/bin/sleep", ["sleep", "600"], {})
    return int(child)
