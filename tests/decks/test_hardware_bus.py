"""Which of the decks on the bus is taken, and which are left alone."""

from __future__ import annotations

import inspect
from typing import Any

import pytest
from StreamDeck import DeviceManager
from StreamDeck.Devices.StreamDeck import StreamDeck

from flightdeck.decks import hardware
from flightdeck.decks.hardware import Hardware, UsbTransport, attached, model_of
from flightdeck.errors import Refused, Unavailable
from flightdeck.model.decks import MODELS
from tests.decks import fake_hid
from tests.decks.fake_hid import FakeBus, FakeDevice, NoBus
from tests.decks.heard import Heard

XL = MODELS["stream-deck-xl"]
CLASSES: list[Any] = [
    kind
    for _, kind in inspect.getmembers(DeviceManager, inspect.isclass)
    if issubclass(kind, StreamDeck) and kind is not StreamDeck
]


@pytest.mark.parametrize("name", MODELS)
def test_every_model_is_the_shape_of_one_device_class(name: str) -> None:
    found = [kind for kind in CLASSES if model_of(kind(FakeDevice())) == MODELS[name]]
    assert len(found) == 1


def test_deck_held_by_another_program_is_unavailable_with_a_hint() -> None:
    deck = Hardware.find(XL, transport=FakeBus(FakeDevice(locked=True)))
    with pytest.raises(Unavailable, match="Stream Deck XL cannot be opened") as refusal:
        deck.open(Heard())
    assert refusal.value.hint
    assert not deck.alive()


def test_no_deck_is_unavailable() -> None:
    with pytest.raises(Unavailable, match="no deck is attached"):
        Hardware.find(XL, transport=FakeBus())


def test_no_hid_library_is_unavailable() -> None:
    with pytest.raises(Unavailable, match="no HID library"):
        Hardware.find(XL, transport=NoBus())


@pytest.mark.parametrize(
    ("product", "shape"),
    [(fake_hid.MK2, "5 x 3"), (fake_hid.PLUS_XL, "9 x 4")],
)
def test_deck_of_another_shape_is_refused_and_left_as_found(product: int, shape: str) -> None:
    """DK-09: keys drawn by index would stand in wrong places."""
    other = FakeDevice(product)
    with pytest.raises(Refused, match=f"{shape} keys, the layout is for 8 x 4"):
        Hardware.find(XL, transport=FakeBus(other))
    assert not other.calls


def test_fitting_deck_is_taken_among_others() -> None:
    """DK-09: with an XL attached as well, the XL is used."""
    bus = FakeBus(FakeDevice(fake_hid.MK2), FakeDevice(serial="XL7"), FakeDevice(fake_hid.PLUS_XL))
    assert Hardware.find(XL, transport=bus).where.endswith("XL7")


def test_serial_number_picks_one_of_two() -> None:
    bus = FakeBus(FakeDevice(serial="ONE"), FakeDevice(serial="TWO"))
    assert Hardware.find(XL, "TWO", bus).where.endswith("TWO")


def test_looking_for_a_serial_number_draws_nothing() -> None:
    first = FakeDevice(serial="ONE")
    Hardware.find(XL, "TWO", FakeBus(first, FakeDevice(serial="TWO")))
    assert not first.reports


def test_unknown_serial_number_is_unavailable() -> None:
    bus = FakeBus(FakeDevice(serial="ONE"), FakeDevice(serial="TWO", locked=True))
    with pytest.raises(Unavailable, match="'TWO'"):
        Hardware.find(XL, "TWO", bus)


def test_attached_names_each_deck_with_a_screen_once() -> None:
    bus = FakeBus(
        FakeDevice(),
        FakeDevice(fake_hid.TWICE_LISTED),
        FakeDevice(fake_hid.PEDAL),
        FakeDevice(fake_hid.PLUS_XL),
    )
    assert sorted((d.title, d.model.name if d.model else "") for d in attached(bus)) == [
        ("Stream Deck + XL", ""),
        ("Stream Deck Original", "stream-deck-mk2"),
        ("Stream Deck XL", "stream-deck-xl"),
    ]


def test_nothing_is_attached_where_no_hid_library_loads() -> None:
    assert attached(NoBus()) == []


def test_hid_library_of_the_wheel_loads_and_finds_the_bus() -> None:
    assert UsbTransport().enumerate(0xFFFF, 0xFFFF) == []


def test_homebrew_is_found_without_starting_it(monkeypatch: pytest.MonkeyPatch) -> None:
    library = hardware._Library()
    monkeypatch.setattr(library, "platform_name", "Darwin")
    monkeypatch.setenv("HOMEBREW_PREFIX", "/somewhere")
    assert library._get_homebrew_path() == "/somewhere"
    monkeypatch.delenv("HOMEBREW_PREFIX")
    assert library._get_homebrew_path() in {"/opt/homebrew", "/usr/local"}
