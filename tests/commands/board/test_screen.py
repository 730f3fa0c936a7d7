"""A terminal is borrowed: a real pseudo-terminal, with the board's half of it in this process."""

from __future__ import annotations

import fcntl
import os
import select
import signal
import struct
import termios
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pytest

from flightdeck.commands.board.charset import Charset
from flightdeck.commands.board.screen import HungUp, Screen, borrowed
from tests.fold.world import DEADLINE_S

if TYPE_CHECKING:
    from collections.abc import Iterator

BORROWED = b"\x1b[?1049h\x1b[?25l\x1b[?7l\x1b[?2004h"
GIVEN_BACK = b"\x1b[H\x1b[J\x1b[?2004l\x1b[?7h\x1b[?25h\x1b[?1049l"


@dataclass
class Line:
    """A pseudo-terminal; `near` is what the board has, `far` the person's."""

    near: int
    far: int
    open: set[int] = field(default_factory=set)

    def board(self, charset: Charset = Charset()) -> Screen:  # noqa: B008 - it is frozen
        """Return the board's half of it."""
        return Screen(self.near, self.near, charset)

    def resize(self, columns: int, lines: int) -> None:
        fcntl.ioctl(self.far, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))

    def types(self, data: bytes) -> None:
        os.write(self.far, data)

    def shown(self) -> bytes:
        """Return what was written to it since."""
        data = b""
        while select.select([self.far], [], [], 0)[0]:
            data += os.read(self.far, 65536)
        return data

    def modes(self) -> list[Any]:
        return termios.tcgetattr(self.near)

    def hangs_up(self) -> None:
        os.close(self.far)
        self.open.discard(self.far)


@pytest.fixture
def line() -> Iterator[Line]:
    far, near = os.openpty()
    line = Line(near, far, {near, far})
    line.resize(80, 24)
    yield line
    for end in line.open:
        os.close(end)


def test_terminal_is_taken_and_given_back_as_it_was(line: Line) -> None:
    before = line.modes()
    with borrowed(line.board()):
        assert line.shown() == BORROWED
        assert not line.modes()[3] & termios.ECHO
    assert line.shown() == GIVEN_BACK
    assert line.modes() == before


@pytest.mark.parametrize("error", [ZeroDivisionError, KeyboardInterrupt, HungUp])
def test_terminal_is_given_back_however_it_ends(line: Line, error: type[BaseException]) -> None:
    before, handler = line.modes(), signal.getsignal(signal.SIGTSTP)
    with pytest.raises(error), borrowed(line.board()):
        raise error
    assert line.shown().endswith(GIVEN_BACK)
    assert line.modes() == before
    assert signal.getsignal(signal.SIGTSTP) == handler


def test_what_was_typed_meanwhile_does_not_reach_the_shell(line: Line) -> None:
    with borrowed(line.board()):
        line.types(b"rm -rf\n")
    assert not select.select([line.near], [], [], 0)[0]


def test_frame_is_written_once_and_again_when_it_or_the_window_changes(line: Line) -> None:
    terminal = line.board()
    for what in ("one", "one", "two"):
        terminal.show(what, lambda size: ["columns", str(size.columns)])
    # The line itself makes another \r of each \n.
    assert line.shown() == b"\x1b[Hcolumns\x1b[K\r\r\n79\x1b[K\x1b[J" * 2
    line.resize(100, 30)
    terminal.show("two", lambda size: [str(size.columns)])
    assert line.shown() == b"\x1b[H99\x1b[K\x1b[J"


@pytest.mark.parametrize(
    ("told", "size"), [((0, 0), (80, 24)), ((5, 2), (20, 4)), ((132, 50), (132, 50))]
)
def test_size_is_one_a_frame_fits_in(
    line: Line, told: tuple[int, int], size: tuple[int, int]
) -> None:
    line.resize(*told)
    assert tuple(line.board().size()) == size


def test_size_of_what_has_none_is_the_usual_one(line: Line) -> None:
    read, write = os.pipe()
    line.open |= {read, write}
    assert tuple(Screen(line.near, write, Charset()).size()) == (80, 24)


def test_keys_are_read_as_they_come_and_silence_is_none(line: Line) -> None:
    with borrowed(line.board()) as terminal:
        line.types(b"a\x1b[A")
        assert terminal.keys(DEADLINE_S) == ["a", "up"]
        assert terminal.keys(0) == []


def test_escape_is_a_key_once_nothing_follows_it(line: Line) -> None:
    with borrowed(line.board()) as terminal:
        line.types(b"\x1b")
        assert terminal.keys(DEADLINE_S) == []
        assert terminal.keys(DEADLINE_S) == ["escape"]


def test_what_was_typed_can_be_forgotten(line: Line) -> None:
    with borrowed(line.board()) as terminal:
        line.types(b"aaaa")
        assert select.select([line.near], [], [], DEADLINE_S)[0]
        terminal.forget_typed()
        assert terminal.keys(0) == []


def test_key_somebody_else_has_read_is_none(line: Line, monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = line.board()

    def nothing(*_: object) -> bytes:
        raise BlockingIOError

    line.types(b"\n")
    monkeypatch.setattr(os, "read", nothing)
    assert terminal.keys(DEADLINE_S) == []


def test_line_that_never_waits_is_waited_for(line: Line, monkeypatch: pytest.MonkeyPatch) -> None:
    terminal, write, full = line.board(), os.write, [True]

    def fills(descriptor: int, data: bytes) -> int:
        if full.pop():
            full.append(False)
            raise BlockingIOError
        full.append(False)
        return write(descriptor, data[:7])

    monkeypatch.setattr(os, "write", fills)
    terminal.show("frame", lambda _: ["word " * 5])
    assert line.shown() == b"\x1b[H" + b"word " * 5 + b"\x1b[K\x1b[J"


def test_terminal_that_has_gone_ends_it(line: Line) -> None:
    terminal = line.board()
    line.hangs_up()
    with pytest.raises(HungUp):
        terminal.keys(DEADLINE_S)


def test_terminal_that_goes_while_it_is_drawn_on_ends_it(line: Line) -> None:
    terminal = line.board()
    terminal.borrow()
    line.hangs_up()
    with pytest.raises(HungUp):
        terminal.show("frame", lambda _: ["word"])
    terminal.give_back()


def test_terminal_that_has_no_more_to_say_has_gone(
    line: Line, monkeypatch: pytest.MonkeyPatch
) -> None:
    terminal = line.board()
    line.types(b"\n")
    monkeypatch.setattr(os, "read", lambda *_: b"")
    with pytest.raises(HungUp):
        terminal.keys(DEADLINE_S)


def test_terminal_without_our_letters_gets_others(line: Line) -> None:
    terminal = line.board(Charset("ascii", shapes=False))
    terminal.show("frame", lambda _: ["\u00dcber"])
    assert line.shown() == b"\x1b[H?ber\x1b[K\x1b[J"


def test_stopped_board_gives_the_terminal_back_and_then_draws_all_of_it_again(
    line: Line, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, stopped = line.modes(), []

    def stop(*asked: object) -> None:
        stopped.append((asked, signal.getsignal(signal.SIGTSTP), line.modes(), line.shown()))

    with borrowed(line.board()) as terminal:
        terminal.show("frame", lambda _: ["word"])
        monkeypatch.setattr(os, "kill", stop)
        ours = signal.getsignal(signal.SIGTSTP)
        terminal.suspend(signal.SIGTSTP, None)
        assert signal.getsignal(signal.SIGTSTP) == ours
        [(asked, handler, modes, shown)] = stopped
        assert (asked, handler) == ((os.getpid(), signal.SIGTSTP), signal.SIG_DFL)
        assert modes == before
        assert shown.endswith(GIVEN_BACK)
        terminal.show("frame", lambda _: ["word"])
        assert line.shown() == BORROWED + b"\x1b[Hword\x1b[K\x1b[J"
