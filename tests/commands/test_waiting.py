"""What takes long is told while it lasts, to a person at a terminal and to nobody else."""

from __future__ import annotations

import io
import sys
import threading

import pytest

from flightdeck.commands.waiting import waiting
from tests.fold.world import until


class _Terminal(io.StringIO):
    """Standard error of somebody who sits at a terminal."""

    def isatty(self) -> bool:
        return True


def test_terminal_is_told_what_takes_long_and_it_is_wiped_out_afterwards(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    terminal = _Terminal()
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr("flightdeck.commands.waiting._PATIENCE_S", 0.0)
    monkeypatch.setattr(sys, "stderr", terminal)
    with waiting("checking"):
        until(lambda: terminal.getvalue() == "checking ...", "a word")
    assert terminal.getvalue() == "checking ...\r\x1b[K"


def test_what_is_quick_needs_no_word(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = _Terminal()
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr("flightdeck.commands.waiting._PATIENCE_S", 600.0)
    monkeypatch.setattr(sys, "stderr", terminal)
    with waiting("checking"):
        pass
    assert terminal.getvalue() == ""


@pytest.mark.parametrize(("term", "stream"), [("dumb", _Terminal()), ("xterm", io.StringIO())])
def test_no_word_is_for_a_file_or_a_terminal_that_cannot_wipe_it_out(
    monkeypatch: pytest.MonkeyPatch, term: str, stream: io.StringIO
) -> None:
    monkeypatch.setenv("TERM", term)
    monkeypatch.setattr("flightdeck.commands.waiting._PATIENCE_S", 0.0)
    monkeypatch.setattr(sys, "stderr", stream)
    before = threading.active_count()
    with waiting("checking"):
        assert threading.active_count() == before
    assert stream.getvalue() == ""


def test_what_has_no_words_is_never_told(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = _Terminal()
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(sys, "stderr", terminal)
    before = threading.active_count()
    with waiting(""):
        assert threading.active_count() == before
