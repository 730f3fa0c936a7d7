"""Which characters a terminal can show: what its locale was named as decides."""

from __future__ import annotations

import pytest

from flightdeck.commands.board.charset import Charset


@pytest.mark.parametrize(
    "environment",
    [
        {"LANG": "C"},
        {"LANG": "POSIX"},
        {"LC_ALL": "C", "LANG": "de_DE.UTF-8"},
        {"LC_CTYPE": "C", "LANG": "de_DE.UTF-8"},
        {"LANG": "C", "LC_CTYPE": "C.UTF-8"},  # as Python makes it of LANG=C
    ],
)
def test_locale_that_was_named_as_c_is_believed(environment: dict[str, str]) -> None:
    assert Charset.of(environment, "utf-8") == Charset("ascii", shapes=False)


@pytest.mark.parametrize(
    "environment",
    [
        {},
        {"LANG": "de_DE.UTF-8"},
        {"LC_CTYPE": "C.UTF-8"},
        {"LC_ALL": "C.UTF-8", "LANG": "C"},
        {"LC_CTYPE": "de_DE.UTF-8", "LANG": "C"},
    ],
)
def test_any_other_terminal_shows_what_python_thinks(environment: dict[str, str]) -> None:
    assert Charset.of(environment, "utf-8") == Charset("utf-8", shapes=True)


@pytest.mark.parametrize("encoding", ["latin-1", "ascii", "no-such"])
def test_encoding_without_our_shapes_has_none(encoding: str) -> None:
    assert Charset.of({"LANG": "de_DE"}, encoding) == Charset(encoding, shapes=False)


def test_text_console_has_letters_and_no_shapes() -> None:
    told = Charset.of({"LANG": "de_DE.UTF-8", "TERM": "linux"}, "utf-8")
    assert told == Charset("utf-8", shapes=False)
