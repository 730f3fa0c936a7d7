"""Which deck a choice gives, and what a recording beside it keeps."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from flightdeck.decks import hardware
from flightdeck.decks.catalogue import CHOICES, make_deck
from flightdeck.errors import FlightdeckError, Refused, Unavailable
from flightdeck.model.decks import MODELS
from tests.decks import fake_hid
from tests.decks.fake_hid import FakeBus, FakeDevice
from tests.decks.heard import Heard
from tests.decks.pictures import AMBER, decode, plain

if TYPE_CHECKING:
    from pathlib import Path

    from flightdeck.ports import Deck

XL = MODELS["stream-deck-xl"]


def plug_in(monkeypatch: pytest.MonkeyPatch, *devices: FakeDevice) -> None:
    """Put these devices on the machine's bus."""
    monkeypatch.setattr(hardware, "UsbTransport", lambda: FakeBus(*devices))


def choose(choice: str, record: Path | None = None) -> Deck:
    return make_deck(choice, XL, record=record, port=0)


def test_choices_are_those_of_the_command_line() -> None:
    assert CHOICES == ("auto", "hardware", "browser", "recorder")


@pytest.mark.parametrize("choice", ["browser", "recorder"])
def test_deck_without_hardware_is_made_by_name(choice: str) -> None:
    assert choose(choice).name == choice


def test_hardware_is_made_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    plug_in(monkeypatch, FakeDevice())
    assert choose("hardware").name == "Stream Deck XL"


def test_unknown_choice_names_those_there_are() -> None:
    with pytest.raises(FlightdeckError, match="unknown deck 'gramophone'") as fault:
        choose("gramophone")
    assert "recorder" in fault.value.hint


def test_auto_takes_an_attached_deck_that_fits(monkeypatch: pytest.MonkeyPatch) -> None:
    plug_in(monkeypatch, FakeDevice())
    assert choose("auto").name == "Stream Deck XL"


def test_auto_takes_the_browser_where_nothing_is_attached(monkeypatch: pytest.MonkeyPatch) -> None:
    plug_in(monkeypatch)
    assert choose("auto").name == "browser"


def test_auto_leaves_a_deck_that_does_not_fit_and_says_so(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    plug_in(monkeypatch, FakeDevice(fake_hid.MK2))
    assert choose("auto").name == "browser"
    assert "has 5 x 3 keys, the layout is for 8 x 4" in caplog.text


def test_hardware_asked_for_is_refused_when_it_does_not_fit(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    plug_in(monkeypatch, FakeDevice(fake_hid.MK2))
    with pytest.raises(Refused, match="5 x 3 keys, the layout is for 8 x 4"):
        choose("hardware")


def test_hardware_asked_for_is_unavailable_when_there_is_none(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    plug_in(monkeypatch)
    with pytest.raises(Unavailable, match="no deck is attached"):
        choose("hardware")


def test_recording_beside_a_device_shows_it_upright(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    device = FakeDevice()
    plug_in(monkeypatch, device)
    deck = choose("hardware", tmp_path)
    deck.open(Heard())
    image = plain(deck.model.key, AMBER)
    deck.write_key(0, image, "slot 1")
    deck.set_brightness(30)
    shown = device.pictures[0]
    deck.close()
    deck.close()
    assert shown == image == (tmp_path / "frames/000001-r1c1.jpg").read_bytes()
    assert device.brightness == 30
    sheet = decode((tmp_path / "contact-sheet.png").read_bytes())
    assert sheet.getpixel((60, 60)) == pytest.approx(AMBER, abs=4)


def test_recording_beside_a_deck_is_called_what_the_deck_is(tmp_path: Path) -> None:
    deck = choose("browser", tmp_path)
    assert deck.name == "browser"
    assert deck.where.startswith("http://127.0.0.1:")


def test_recording_ends_where_the_deck_cannot_be_opened(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    plug_in(monkeypatch, FakeDevice(locked=True))
    with pytest.raises(Unavailable, match="cannot be opened"):
        choose("hardware", tmp_path).open(Heard())
    assert (tmp_path / "contact-sheet.png").exists()


def test_choosing_imports_no_driver_but_the_chosen_one() -> None:
    script = (
        "import sys; from flightdeck.decks import catalogue; from flightdeck.model.decks import "
        "MODELS; catalogue.make_deck('browser', MODELS['stream-deck-xl'], record=None, port=0); "
        "print(sorted(m for m in sys.modules if m in ('StreamDeck', 'PIL')))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stdout == "[]\n"
