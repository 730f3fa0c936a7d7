"""`flightdeck demo`: a living panel with nothing installed."""

from __future__ import annotations

import argparse
import json
import re
from typing import TYPE_CHECKING

import pytest

from flightdeck.cli import main
from flightdeck.commands import demo
from flightdeck.errors import Refused, Unavailable
from flightdeck.model.layout import UrlTarget

if TYPE_CHECKING:
    from pathlib import Path


def test_recorder_keeps_every_face_however_short_the_time_and_a_contact_sheet(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    frames = home / "frames"
    assert main(["demo", "--deck", "recorder", "--seconds", "0.001", "--record", str(frames)]) == 0
    said = capsys.readouterr().out
    assert said == f"panel on the recorder deck: {frames}\nthe demo has ended\n"
    lines = (frames / "frames.jsonl").read_text(encoding="utf-8").splitlines()
    assert len({(row["row"], row["column"]) for row in map(json.loads, lines)}) == 32
    assert (frames / "contact-sheet.png").read_bytes().startswith(b"\x89PNG")


def test_nothing_is_written_into_the_state_folder(home: Path) -> None:
    assert main(["demo", "--deck", "recorder", "--seconds", "0.1"]) == 0
    assert not (home / ".fleet").exists()


def test_layout_of_ones_own_is_shown(home: Path) -> None:
    frames, layout = home / "frames", home / "mine.yaml"
    layout.write_text(
        "device: stream-deck-mini\nrows:\n  - fill: slot\n  - keys:\n      2: verb test\n",
        encoding="utf-8",
    )
    words = ["--deck", "recorder", "--seconds", "0.001", "--record", str(frames)]
    assert main(["demo", "--layout", str(layout), *words]) == 0
    lines = (frames / "frames.jsonl").read_text(encoding="utf-8").splitlines()
    names = {(row["row"], row["column"]): row["name"] for row in map(json.loads, lines)}
    assert len(names) == 6
    assert "TEST" in names[2, 2].upper()


def test_layout_nobody_knows_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["demo", "--layout", "no-such"]) == 1
    assert "no-such" in capsys.readouterr().err


def test_browser_deck_says_its_address(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["demo", "--seconds", "0.2", "--no-open"]) == 0
    first = capsys.readouterr().out.splitlines()[0]
    assert re.match(r"panel on the browser deck: http://127\.0\.0\.1:\d+/", first)


ASKED = argparse.Namespace(deck="browser", no_open=False)


class OnScreen:
    """A deck with an address."""

    name, where = "browser", "http://127.0.0.1:1/"


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)


@pytest.mark.usefixtures("terminal")
def test_browser_is_opened_from_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[object] = []
    monkeypatch.setattr(demo, "open_target", lambda target, *_: opened.append(target))
    demo._opened(OnScreen(), ASKED, lambda _: None)  # type: ignore[arg-type]
    assert opened == [UrlTarget("http://127.0.0.1:1/")]


@pytest.mark.usefixtures("terminal")
def test_browser_that_cannot_be_opened_leaves_it_to_the_person(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    said: list[str] = []

    def none(*_: object) -> None:
        raise Unavailable("no browser")

    monkeypatch.setattr(demo, "open_target", none)
    demo._opened(OnScreen(), ASKED, said.append)  # type: ignore[arg-type]
    assert said[1:] == ["open that address in a browser"]


@pytest.mark.usefixtures("terminal")
def test_browser_is_left_alone_where_it_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[object] = []
    monkeypatch.setattr(demo, "open_target", lambda target, *_: opened.append(target))
    quiet = argparse.Namespace(deck="browser", no_open=True)
    demo._opened(OnScreen(), quiet, lambda _: None)  # type: ignore[arg-type]
    assert opened == []


def test_deck_taken_for_want_of_hardware_is_said_to_be(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["demo", "--deck", "auto", "--seconds", "0.2", "--no-open"]) == 0
    first = capsys.readouterr().out.splitlines()[0]
    assert first.startswith("no Stream Deck that fits is attached; panel on the browser deck: ")


def test_keys_that_would_start_something_refuse() -> None:
    with pytest.raises(Refused, match="only a demo"):
        demo._nothing_here("anything")


def test_folder_that_cannot_be_recorded_into_is_told(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (home / "file").touch()
    words = ["--deck", "recorder", "--record", str(home / "file" / "x")]
    assert main(["demo", *words]) == 1
    assert "cannot record into" in capsys.readouterr().err


@pytest.mark.parametrize("words", [["--deck", "toaster"], ["--seconds", "x"], ["more"]])
def test_wrong_usage(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["demo", *words]) == 2
    assert "usage: flightdeck demo" in capsys.readouterr().err
