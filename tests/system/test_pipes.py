"""The write end of a FIFO: a reader that goes is told of, and nothing else wakes anybody."""

from __future__ import annotations

import os
import threading
from typing import TYPE_CHECKING

import pytest

from flightdeck.system import pipes
from flightdeck.system.pipes import Readers

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture
def readers() -> Iterator[Readers]:
    readers = Readers()
    yield readers
    readers.close()


@pytest.fixture
def pipe() -> Iterator[tuple[int, int]]:
    reader, writer = os.pipe()
    os.set_blocking(reader, False)
    yield reader, writer
    os.close(writer)


def test_write_end_whose_reader_goes_is_told_of(readers: Readers, pipe: tuple[int, int]) -> None:
    reader, writer = pipe
    readers.add(writer)
    threading.Timer(0.01, os.close, (reader,)).start()
    assert readers.wait(30) == {writer}
    assert readers.gone(writer)
    readers.remove(writer)


def test_reader_that_stays_wakes_nobody(readers: Readers, pipe: tuple[int, int]) -> None:
    reader, writer = pipe
    readers.add(writer)
    os.write(writer, b"unread")
    assert readers.wait(0.02) == set()
    assert not readers.gone(writer)
    os.close(reader)


def test_write_end_that_was_removed_is_not_told_of(readers: Readers, pipe: tuple[int, int]) -> None:
    reader, writer = pipe
    readers.add(writer)
    readers.remove(writer)
    os.close(reader)
    assert readers.wait(0.02) == set()


def test_wait_ends_when_it_is_woken_before_or_meanwhile(readers: Readers) -> None:
    readers.wake()
    assert readers.wait(None) == set()
    threading.Timer(0.01, readers.wake).start()
    assert readers.wait(None) == set()


def test_waking_often_wakes_once(readers: Readers) -> None:
    for _ in range(100_000):
        readers.wake()
    assert readers.wait(None) == set()
    assert readers.wait(0.02) == set()


def test_what_stands_unread_is_counted_and_drained(pipe: tuple[int, int]) -> None:
    reader, writer = pipe
    os.write(writer, b"x" * 5000)
    assert pipes.unread(writer) == 5000
    assert pipes.drained(reader) == b"x" * 5000
    assert pipes.unread(writer) == 0
    assert pipes.drained(reader) == b""
    os.close(reader)


def test_what_cannot_be_asked_has_nothing_unread() -> None:
    assert pipes.unread(1_000_000) == 0


def test_pipe_takes_as_much_at_once_as_it_says(pipe: tuple[int, int]) -> None:
    reader, writer = pipe
    os.set_blocking(writer, False)
    room = pipes.capacity(writer)
    assert os.write(writer, b"x" * room) == room
    with pytest.raises(BlockingIOError):
        os.write(writer, b"x")
    os.close(reader)
