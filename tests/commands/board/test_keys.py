"""What was typed: a verdict is a key somebody pressed, and nothing else looks like one."""

from __future__ import annotations

import pytest

from flightdeck.commands.board.keys import Keyboard

ALL = b"\x1b[200~a\x1b[Ad\x1b[201~k\x1b[1;5Bj\x1bOA\x1bad"


@pytest.mark.parametrize(
    ("data", "keys"),
    [
        (b"a", ["a"]),
        (b"jk", ["j", "k"]),
        (b"\x7f\b", ["backspace", "backspace"]),
        (b"\x1b[A\x1b[B", ["up", "down"]),
        (b"\x1bOA\x1bOB", ["up", "down"]),
        (b"\r", ["enter"]),
        (b"\n", ["enter"]),
        (b"7", ["7"]),
    ],
)
def test_key_of_the_board_is_known(data: bytes, keys: list[str]) -> None:
    assert Keyboard().typed(data) == keys


@pytest.mark.parametrize(
    "data", [b"\x1ba", b"\x1b[D", b"\x1b[1;2A", b"\x1bOD", b"\x01", b" ", b"\x80"]
)
def test_any_other_key_is_none_of_them(data: bytes) -> None:
    assert Keyboard().typed(data) == [""]


def test_letter_beyond_ascii_is_no_key() -> None:
    assert set(Keyboard().typed("ä你".encode())) == {""}


@pytest.mark.parametrize("cut", range(1, len(ALL)))
def test_sequence_is_the_same_in_whatever_parts_it_comes(cut: int) -> None:
    keyboard = Keyboard()
    told = [*keyboard.typed(ALL[:cut]), *keyboard.typed(ALL[cut:])]
    assert told == ["", "k", "", "j", "up", "", "d"]


def test_pasted_text_is_no_key_however_long() -> None:
    keyboard = Keyboard()
    assert keyboard.typed(b"\x1b[200~") == []
    for _ in range(100):
        assert keyboard.typed(b"a\rad" * 100) == []
        keyboard.silence()
    assert keyboard.typed(b"y\x1b[20") == []
    assert keyboard.typed(b"1~d") == ["", "d"]


def test_escape_nothing_comes_after_is_a_key_and_does_not_swallow_the_next() -> None:
    keyboard = Keyboard()
    assert keyboard.typed(b"\x1b") == []
    assert keyboard.unsure
    assert keyboard.silence() == ["escape"]
    assert keyboard.typed(b"j") == ["j"]
    assert keyboard.silence() == []


def test_sequence_without_an_end_is_not_kept_for_ever() -> None:
    keyboard = Keyboard()
    for _ in range(1000):
        assert keyboard.typed(b"\x1b[" + b"0;" * 100) is not None
    assert len(keyboard._rest) <= 64
