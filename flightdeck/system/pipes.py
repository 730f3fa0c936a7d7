"""The write end of a FIFO: when its last reader has gone, and how much it takes at once.

Source: pipe(7); epoll_ctl(2), "EPOLLERR"; kqueue(2), "EVFILT_WRITE" on macOS.
"""

from __future__ import annotations

import array
import contextlib
import fcntl
import os
import select
import sys
import termios

# What a FIFO takes where the system does not tell: the smallest in use, macOS's.
_LEAST_BYTES = 8192
_READ_BYTES = 65_536


def unread(handle: int) -> int:
    """Return how many bytes nobody has read yet, by either end; 0 where that cannot be told."""
    try:
        return int(array.array("i", fcntl.ioctl(handle, termios.FIONREAD, bytes(4)))[0])
    except OSError:
        return 0


def drained(reader: int) -> bytes:
    """Return what stands unread behind the read end `reader`, which must not block."""
    parts: list[bytes] = []
    with contextlib.suppress(BlockingIOError):
        while part := os.read(reader, _READ_BYTES):
            parts.append(part)
    return b"".join(parts)


class Readers:
    """Says whose last reader has gone; sleeps until one has, or somebody wakes it.

    Write ends may be added and removed from any thread while another waits.
    """

    # How often whoever waits should look for himself, in seconds; None: never.
    look_s: float | None = None if sys.platform == "linux" else 1.0

    def __init__(self) -> None:
        self._woken, self._wake = os.pipe()
        os.set_blocking(self._woken, False)
        os.set_blocking(self._wake, False)
        self._watch = _Watch(self._woken)

    def add(self, handle: int) -> None:
        """Watch the write end `handle`, which has or had a reader."""
        self._watch.add(handle)

    def remove(self, handle: int) -> None:
        """Watch it no more; before it is closed."""
        self._watch.remove(handle)

    def wait(self, timeout_s: float | None) -> set[int]:
        """Return the write ends without a reader, none if woken or after `timeout_s`."""
        found = self._watch.wait(timeout_s)
        if self._woken in found:
            drained(self._woken)
        return found - {self._woken}

    def gone(self, handle: int) -> bool:
        """Say whether what `wait` told of `handle` is still so: numbers come round again."""
        return self._watch.gone(handle)

    def wake(self) -> None:
        """End a `wait`, the running or the next one; from any thread."""
        with contextlib.suppress(BlockingIOError):  # full: it will wake
            os.write(self._wake, b"\0")

    def close(self) -> None:
        """Give everything back; nobody may wait any more."""
        self._watch.close()
        os.close(self._woken)
        os.close(self._wake)


if sys.platform == "linux":

    def capacity(handle: int) -> int:
        """Return how many bytes an empty FIFO takes in one write that must not block."""
        return fcntl.fcntl(handle, fcntl.F_GETPIPE_SZ)

    class _Watch:
        """epoll tells of a write end without a reader although it is asked for nothing."""

        def __init__(self, woken: int) -> None:
            self._epoll = select.epoll()
            self._epoll.register(woken, select.EPOLLIN)

        def add(self, handle: int) -> None:
            self._epoll.register(handle, 0)

        def remove(self, handle: int) -> None:
            self._epoll.unregister(handle)

        def wait(self, timeout_s: float | None) -> set[int]:
            return {handle for handle, _ in self._epoll.poll(timeout_s)}

        def gone(self, handle: int) -> bool:
            poll = select.poll()
            poll.register(handle, 0)
            return bool(poll.poll(0))

        def close(self) -> None:
            self._epoll.close()

else:

    def capacity(handle: int) -> int:
        """Return how many bytes an empty FIFO takes in one write that must not block."""
        return _LEAST_BYTES

    class _Watch:
        """kqueue marks a write end without a reader with EV_EOF; EV_CLEAR: told once."""

        def __init__(self, woken: int) -> None:
            self._queue = select.kqueue()
            self._queue.control([select.kevent(woken, select.KQ_FILTER_READ)], 0)

        def add(self, handle: int) -> None:
            flags = select.KQ_EV_ADD | select.KQ_EV_CLEAR
            self._queue.control([select.kevent(handle, select.KQ_FILTER_WRITE, flags)], 0)

        def remove(self, handle: int) -> None:
            event = select.kevent(handle, select.KQ_FILTER_WRITE, select.KQ_EV_DELETE)
            self._queue.control([event], 0)

        def wait(self, timeout_s: float | None) -> set[int]:
            events = self._queue.control(None, 64, timeout_s)
            return {
                event.ident
                for event in events
                if event.filter == select.KQ_FILTER_READ or event.flags & select.KQ_EV_EOF
            }

        def gone(self, handle: int) -> bool:
            return True  # EV_CLEAR told it once; a hook too many let go is no harm

        def close(self) -> None:
            self._queue.close()
