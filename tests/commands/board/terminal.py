"""A terminal somebody sits at: a real pseudo-terminal, and a screen that can be looked at."""

from __future__ import annotations

import fcntl
import os
import select
import signal
import struct
import subprocess
import termios
import time
from typing import TYPE_CHECKING

import pyte

from tests.commands.running import FLIGHTDECK
from tests.fold.world import DEADLINE_S

if TYPE_CHECKING:
    from collections.abc import Callable

BOARD = (*FLIGHTDECK, "status", "--watch")
_BORROWED = b"\x1b[?1049h\x1b[?25l\x1b[?7l\x1b[?2004h"
_GIVEN_BACK = b"\x1b[?2004l\x1b[?7h\x1b[?25h\x1b[?1049l"


class Terminal:
    """`flightdeck status --watch`, or another command, in a terminal of its own."""

    def __init__(self, columns: int = 110, lines: int = 24, *argv: str, **env: str) -> None:
        """Run `argv` there, the board where none is given; `env` is added to its environment."""
        self._near, far = os.openpty()
        self._far = far
        self._screen = pyte.Screen(columns, lines)
        self._stream = pyte.ByteStream(self._screen)
        self.raw = b""
        self.resize(columns, lines)
        self.before = termios.tcgetattr(far)
        self.process = subprocess.Popen(
            argv or BOARD,
            stdin=far,
            stdout=far,
            stderr=far,
            env=os.environ | {"TERM": "xterm-256color", "COLORTERM": "truecolor"} | env,
            start_new_session=True,
            preexec_fn=_sits_down,  # noqa: PLW1509 - one ioctl, and nothing else makes it ours
        )

    def resize(self, columns: int, lines: int) -> None:
        """Make its window another size."""
        fcntl.ioctl(self._near, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
        self._screen.resize(lines, columns)

    def types(self, keys: str) -> None:
        """Press keys; several at once arrive in one piece."""
        os.write(self._near, keys.encode())

    def lines(self) -> list[str]:
        """Return what stands on it now."""
        return [line.rstrip() for line in self._screen.display]

    def colours(self, line: int) -> set[str]:
        """Return the backgrounds of a line."""
        return {self._screen.buffer[line][x].bg for x in range(self._screen.columns)}

    def shows(self, words: str) -> None:
        """Wait until it shows these words."""
        self.until(lambda: words in "\n".join(self.lines()), words)

    def until(self, true: Callable[[], object], what: str) -> None:
        """Wait for a transition, reading what comes."""
        deadline = time.monotonic() + DEADLINE_S
        while not true():
            told = "\n".join(self.lines())
            assert time.monotonic() < deadline, f"never came: {what}; it shows:\n{told}"
            self.read(0.02)

    def read(self, wait_s: float = 0.0) -> None:
        """Take in what is written to it, until nothing was for so long."""
        while select.select([self._near], [], [], wait_s)[0]:
            try:
                data = os.read(self._near, 65536)
            except OSError:  # nobody has it open any more
                return
            self.raw += data
            self._stream.feed(data)

    def ends(self) -> int:
        """Wait until the command has ended, and return how."""
        self.until(lambda: self.process.poll() is not None, "its end")
        self.read()
        return self.process.returncode

    def is_as_before(self) -> bool:
        """Say whether the modes of the line are the old ones, and the screen was given back."""
        modes = termios.tcgetattr(self._far) == self.before
        return modes and self.raw.rfind(_GIVEN_BACK) > self.raw.rfind(_BORROWED) >= 0

    def hangs_up(self) -> None:
        """Close it, as a lost connection does."""
        for end in (self._far, self._near):
            os.close(end)
        self._near = -1

    def close(self) -> None:
        """End what runs in it."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGCONT)
            self.process.kill()
        self.process.wait()
        if self._near >= 0:
            self.hangs_up()


def _sits_down() -> None:
    """Make standard input the terminal of the session that begins."""
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)
