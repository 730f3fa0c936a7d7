"""The driver on the library's own device classes: what reaches the wire, and what comes back."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

import pytest
from PIL import Image
from StreamDeck.Transport.Transport import TransportError

from flightdeck.decks.hardware import Hardware
from flightdeck.errors import Unavailable
from flightdeck.faces.cache import Faces
from flightdeck.faces.encode import encode
from flightdeck.model.decks import MODELS
from flightdeck.model.keyview import KeyView
from flightdeck.model.layout import Glyph, Shape, ShapeKind
from tests.decks import fake_hid
from tests.decks.fake_hid import FakeBus, FakeDevice
from tests.decks.heard import Heard
from tests.decks.pictures import AMBER, arrow, decode, plain

if TYPE_CHECKING:
    from collections.abc import Iterator

XL = MODELS["stream-deck-xl"]
WORKING = KeyView(
    background="#1256A3",
    ink="#ffffff",
    glyph=Glyph("triangle-right", (Shape(ShapeKind.POLYGON, (31, 12, 69, 32, 31, 52)),)),
    name="slot 1, working",
)


@pytest.fixture
def device() -> FakeDevice:
    return FakeDevice()


@pytest.fixture
def deck(device: FakeDevice) -> Iterator[Hardware]:
    it = Hardware.find(XL, transport=FakeBus(device))
    yield it
    it.close()


def reader_ended(deck: Hardware) -> bool:
    """Wait for the library's reader to notice, as the panel's supervisor would."""
    deck._deck.read_thread.join(timeout=10)
    return not deck._deck.read_thread.is_alive()


def test_model_is_what_the_device_itself_declares(deck: Hardware) -> None:
    assert deck.model == XL


def test_picture_reaches_the_device_byte_for_byte_in_reports_of_its_size(
    deck: Hardware, device: FakeDevice
) -> None:
    deck.open(Heard())
    image = encode(arrow(XL.key), XL.key)
    deck.write_key(5, image, "")
    assert device.pictures[5] == image
    assert {len(report) for report in device.reports} == {fake_hid.REPORT}


def test_picture_larger_than_a_report_is_sent_in_pages_in_order(
    deck: Hardware, device: FakeDevice
) -> None:
    deck.open(Heard())
    image = bytes(range(256)) * 40
    deck.write_key(31, image, "")
    assert device.pictures[31] == image
    pages = [int.from_bytes(r[6:8], "little") for r in device.reports if r[:2] == b"\x02\x07"]
    assert pages == list(range(11))


def test_triangle_points_right_once_the_device_has_turned_it(
    deck: Hardware, device: FakeDevice
) -> None:
    """RN-06: a second flip, or none, would mirror the glyph."""
    deck.open(Heard())
    deck.write_key(0, Faces(XL.key).native(WORKING), WORKING.name)
    upright = decode(device.pictures[0]).transpose(Image.Transpose.ROTATE_180)
    white = [
        sum(min(upright.getpixel((x, y))) > 200 for y in range(upright.height))  # type: ignore[arg-type]  # RGB
        for x in range(upright.width)
    ]
    tip = max(x for x, height in enumerate(white) if height)
    assert white.index(max(white)) < tip


def test_top_left_of_a_picture_is_top_left_on_the_device(
    deck: Hardware, device: FakeDevice
) -> None:
    deck.open(Heard())
    deck.write_key(0, encode(arrow(XL.key), XL.key), "")
    upright = decode(device.pictures[0]).transpose(Image.Transpose.ROTATE_180)
    assert upright.getpixel((4, 4)) == pytest.approx(AMBER, abs=12)


def test_black_key_is_black_in_the_devices_own_format(deck: Hardware, device: FakeDevice) -> None:
    """RN-05: JPEG has no alpha, and an empty key is black, not nearly so."""
    deck.open(Heard())
    deck.write_key(0, encode(Image.new("RGBA", (96, 96), (0, 0, 0, 255)), XL.key), "")
    picture = Image.open(io.BytesIO(device.pictures[0]))
    assert (picture.mode, picture.size) == ("RGB", (96, 96))
    assert picture.getextrema() == ((0, 0), (0, 0), (0, 0))


def test_whole_panel_is_painted_while_keys_are_pressed(deck: Hardware, device: FakeDevice) -> None:
    heard = Heard()
    deck.open(heard)
    image = plain(XL.key, AMBER)
    for index in range(32):
        device.press(index, down=True)
        deck.write_key(index, image, "")
        device.press(index, down=False)
    assert set(device.pictures.values()) == {image}
    assert len(heard.wait(64)) == 64


def test_tap_between_two_polls_is_not_lost(deck: Hardware, device: FakeDevice) -> None:
    heard = Heard()
    deck.open(heard)
    for index in (7, 8):
        device.press(index, down=True)
        device.press(index, down=False)
    assert heard.wait(4) == [(7, True), (7, False), (8, True), (8, False)]


def test_brightness_reaches_the_device(deck: Hardware, device: FakeDevice) -> None:
    deck.open(Heard())
    deck.set_brightness(40)
    assert device.brightness == 40


def test_where_is_the_serial_number_once_open(deck: Hardware) -> None:
    assert deck.where.startswith("fake:")
    deck.open(Heard())
    assert deck.where == "FAKE1"


def test_deck_is_alive_only_from_open_to_close(deck: Hardware) -> None:
    before = deck.alive()
    deck.open(Heard())
    during = deck.alive()
    deck.close()
    assert (before, during, deck.alive()) == (False, True, False)


def test_unplugged_deck_is_unavailable_and_not_alive(deck: Hardware, device: FakeDevice) -> None:
    deck.open(Heard())
    device.unplug()
    assert reader_ended(deck)
    with pytest.raises(Unavailable, match="has gone"):
        deck.write_key(0, b"x", "")
    assert not deck.alive()


def test_key_held_while_the_deck_goes_away_comes_up(deck: Hardware, device: FakeDevice) -> None:
    """DK-13: a release that never comes must not read as a hold."""
    heard = Heard()
    deck.open(heard)
    device.press(2, down=True)
    heard.wait(1)
    device.unplug()
    assert heard.wait(2) == [(2, True), (2, False)]


def test_deck_opened_again_after_a_loss_hears_the_key_that_was_down(
    deck: Hardware, device: FakeDevice
) -> None:
    """DK-13, where the same device comes back under the same path."""
    first, second = Heard(), Heard()
    deck.open(first)
    device.press(2, down=True)
    first.wait(1)
    device.unplug()
    reader_ended(deck)
    deck.close()
    device.plugged = True
    deck.open(second)
    device.press(2, down=True)
    device.press(2, down=False)
    assert second.wait(2) == [(2, True), (2, False)]


def test_replugged_deck_hears_a_short_press_as_such(deck: Hardware, device: FakeDevice) -> None:
    """DK-13: the stale press before the loss is over."""
    deck.open(Heard())
    device.press(2, down=True)
    device.unplug()
    reader_ended(deck)
    deck.close()
    again, heard = FakeDevice(), Heard()
    second = Hardware.find(XL, transport=FakeBus(again))
    second.open(heard)
    again.press(2, down=True)
    again.press(2, down=False)
    assert heard.wait(2) == [(2, True), (2, False)]
    second.close()


def test_closing_an_unplugged_deck_is_quiet_and_final(deck: Hardware, device: FakeDevice) -> None:
    """DK-10: shutdown must not stumble over a device that is gone."""
    deck.open(Heard())
    device.unplug()
    deck.close()
    calls = len(device.calls)
    deck.close()
    assert len(device.calls) == calls


@pytest.mark.parametrize("call", ["write_feature", "close"])
def test_closing_is_quiet_whatever_the_device_raises(
    deck: Hardware, device: FakeDevice, monkeypatch: pytest.MonkeyPatch, call: str
) -> None:
    """DK-10, where the handle is dead but nobody has noticed yet."""

    def raises(*_payload: object) -> int:
        raise TransportError("Failed to write feature report (-1)")

    deck.open(Heard())
    monkeypatch.setattr(device, call, raises)
    deck.close()
    assert not deck.alive()


def test_key_held_at_closing_comes_up_and_then_nothing_is_told(
    deck: Hardware, device: FakeDevice
) -> None:
    heard = Heard()
    deck.open(heard)
    device.press(2, down=True)
    heard.wait(1)
    deck.close()
    assert heard.wait(2) == [(2, True), (2, False)]


def test_closing_resets_the_screen_and_ends_the_reader(deck: Hardware, device: FakeDevice) -> None:
    deck.open(Heard())
    deck.write_key(0, b"picture", "")
    deck.close()
    assert not device.pictures
    assert not deck._deck.read_thread.is_alive()
