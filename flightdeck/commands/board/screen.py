"""A person's terminal, borrowed: as it was again afterwards, however the board ends.

It keeps to the second screen of the terminal, reads single keys, and knows nothing of
what is shown. A window that changes its size is noticed at the next look.

Source: termios(3); xterm's control sequences (1049, 25, 7, 2004).
"""

from __future__ import annotations

import os
import select
import signal
import sys
import termios
import tty
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from flightdeck.commands.board.charset import Charset
from flightdeck.commands.board.keys import Keyboard

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from types import FrameType

# The second screen, no cursor, no wrapping, and pasted text marked as such.
_BORROW = "\x1b[?1049h\x1b[?25l\x1b[?7l\x1b[?2004h"
# A terminal without a second screen is left empty instead of with half a board on it.
_RETURN = "\x1b[H\x1b[J\x1b[?2004l\x1b[?7h\x1b[?25h\x1b[?1049l"
_ENDING = {signal.SIGINT, signal.SIGTERM, signal.SIGHUP}
_SMALLEST, _USUAL = (20, 4), (80, 24)
# The rest of an arrow key follows its Escape sooner than this, over most lines.
_ESCAPE_S = 0.1


class HungUp(Exception):
    """Nobody is at the terminal any more."""


class Screen:
    """A terminal that is read from and written to; `charset` is what it can show."""

    def __init__(self, reads: int, writes: int, charset: Charset) -> None:
        self.charset = charset
        self._in, self._out = reads, writes
        self._before = termios.tcgetattr(self._in)
        self._keyboard = Keyboard()
        self._shown: tuple[object, os.terminal_size] | None = None

    @classmethod
    def here(cls) -> Screen:
        """Return the terminal at standard input and output."""
        charset = Charset.of(os.environ, sys.stdout.encoding)
        return cls(sys.stdin.fileno(), sys.stdout.fileno(), charset)

    def size(self) -> os.terminal_size:
        """Return columns and lines, never less than a frame needs."""
        try:
            size = os.get_terminal_size(self._out)
        except OSError:
            size = os.terminal_size((0, 0))
        if not (size.columns and size.lines):  # a line that was never told its size
            return os.terminal_size(_USUAL)
        return os.terminal_size(max(pair) for pair in zip(size, _SMALLEST, strict=True))

    def show(self, what: object, drawn: Callable[[os.terminal_size], Sequence[str]]) -> None:
        """Put the lines `what` is drawn as on the screen, unless it stands there already.

        Raises:
            HungUp: the terminal has gone.
        """
        size = self.size()
        if self._shown == (what, size):
            return
        # Each line clears what is left of the old one, so nothing flickers. The last column
        # stays free: from there a terminal would clear the character that stands in it.
        room = os.terminal_size((size.columns - 1, size.lines))
        lines = "\r\n".join(f"{line}\x1b[K" for line in drawn(room))
        self._write(f"\x1b[H{lines}\x1b[J")
        self._shown = (what, size)

    def keys(self, timeout_s: float) -> list[str]:
        """Return what is typed within so many seconds, as soon as something is.

        Raises:
            HungUp: the terminal has gone.
        """
        if self._keyboard.unsure:
            timeout_s = min(timeout_s, _ESCAPE_S)
        if not select.select([self._in], [], [], timeout_s)[0]:
            return self._keyboard.silence()
        try:
            data = os.read(self._in, 1024)
        except BlockingIOError:  # somebody else has read it
            return []
        except OSError as error:
            raise HungUp from error
        if not data:
            raise HungUp
        return self._keyboard.typed(data)

    def forget_typed(self) -> None:
        """Drop what was typed and not yet read: it was meant for an older frame."""
        with suppress(OSError, termios.error):
            termios.tcflush(self._in, termios.TCIFLUSH)

    def borrow(self) -> None:
        """Take the terminal over."""
        tty.setcbreak(self._in)
        self._shown = None
        self._write(_BORROW)

    def give_back(self) -> None:
        """Leave it as it was; nothing that was typed reaches the shell."""
        with suppress(HungUp):
            self._write(_RETURN)
        with suppress(OSError, termios.error):
            termios.tcsetattr(self._in, termios.TCSAFLUSH, self._before)

    def suspend(self, number: int, frame: FrameType | None) -> None:
        """Let the shell have it until the board is brought back to the foreground."""
        self.give_back()
        handler = signal.signal(signal.SIGTSTP, signal.SIG_DFL)
        os.kill(os.getpid(), signal.SIGTSTP)
        signal.signal(signal.SIGTSTP, handler)
        self.borrow()

    def _write(self, text: str) -> None:
        data = text.encode(self.charset.encoding, "replace")
        while data:
            try:
                data = data[os.write(self._out, data) :]
            except BlockingIOError:  # another program has made the line one that never waits
                select.select([], [self._out], [])
            except OSError as error:
                raise HungUp from error


@contextmanager
def borrowed(screen: Screen) -> Iterator[Screen]:
    """Take a terminal for as long as this is entered; ^Z gives it back for a while.

    Raises:
        HungUp: it has gone.
    """
    before = signal.getsignal(signal.SIGTSTP)
    try:
        signal.signal(signal.SIGTSTP, screen.suspend)
        screen.borrow()
        yield screen
    finally:
        # A second signal must not end us half-way through putting things back.
        mask = signal.pthread_sigmask(signal.SIG_BLOCK, _ENDING)
        signal.signal(signal.SIGTSTP, before)
        screen.give_back()
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
