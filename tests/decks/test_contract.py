"""What every deck owes the panel, whatever it is made of: one suite over all three."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import pytest

from flightdeck.decks.browser import Browser
from flightdeck.decks.hardware import Hardware
from flightdeck.decks.recorder import Recorder
from flightdeck.errors import Unavailable
from flightdeck.model.decks import MODELS
from flightdeck.system import clock
from tests.decks.fake_hid import FakeBus, FakeDevice
from tests.decks.heard import Heard
from tests.decks.pictures import AMBER, BLUE, plain
from tests.decks.visitor import Visitor

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from flightdeck.ports import Deck, OnKey

WANTED = MODELS["stream-deck-xl"]


class Bench(Protocol):
    """A deck, and the person in front of it."""

    deck: Deck

    def open(self, on_key: OnKey) -> None:
        """Open the deck and sit down."""

    def thumb(self, index: int, *, down: bool) -> None:
        """Press a key or let it go."""

    def seen(self, index: int) -> bytes:
        """Return the bytes the key shows."""


class RecorderBench:
    """The recorder plays its own thumb."""

    def __init__(self, folder: Path) -> None:
        self.deck = Recorder(WANTED, folder)

    def open(self, on_key: OnKey) -> None:
        self.deck.open(on_key)

    def thumb(self, index: int, *, down: bool) -> None:
        (self.deck.press if down else self.deck.release)(index)

    def seen(self, index: int) -> bytes:
        return self.deck.current(index)


class HardwareBench:
    """The library's StreamDeckXL on a fake USB device."""

    def __init__(self, _folder: Path) -> None:
        self._device = FakeDevice()
        self.deck = Hardware.find(WANTED, transport=FakeBus(self._device))

    def open(self, on_key: OnKey) -> None:
        self.deck.open(on_key)

    def thumb(self, index: int, *, down: bool) -> None:
        self._device.press(index, down=down)

    def seen(self, index: int) -> bytes:
        return self._device.pictures[index]


class BrowserBench:
    """A page spoken to by hand; the one in a real browser has tests of its own."""

    def __init__(self, _folder: Path) -> None:
        self.deck = Browser(WANTED)
        self.visitor: Visitor | None = None

    def open(self, on_key: OnKey) -> None:
        self.deck.open(on_key)
        if self.visitor:
            self.visitor.leave()
        self.visitor = Visitor(self.deck.where)
        self.visitor.join()

    def thumb(self, index: int, *, down: bool) -> None:
        assert self.visitor
        assert self.visitor.press(index, "down" if down else "up") == 204

    def seen(self, index: int) -> bytes:
        assert self.visitor
        return self.visitor.ask("GET", f"/key/{index}?v=1").text  # type: ignore[attr-defined,no-any-return]


@pytest.fixture(params=[RecorderBench, HardwareBench, BrowserBench], ids=lambda b: b.__name__)
def bench(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Bench]:
    it = request.param(tmp_path / "record")
    yield it
    it.deck.close()
    if isinstance(it, BrowserBench) and it.visitor:
        it.visitor.leave()


def test_deck_has_the_grid_of_the_layout(bench: Bench) -> None:
    assert bench.deck.model.grid == WANTED.grid


def test_written_key_shows_exactly_those_bytes(bench: Bench) -> None:
    bench.open(Heard())
    image = plain(bench.deck.model.key, AMBER)
    bench.deck.write_key(9, image, "slot 2, blocked")
    assert bench.seen(9) == image


def test_newer_picture_replaces_the_older_one(bench: Bench) -> None:
    bench.open(Heard())
    for colour in (AMBER, BLUE):
        bench.deck.write_key(31, plain(bench.deck.model.key, colour), "")
    assert bench.seen(31) == plain(bench.deck.model.key, BLUE)


def test_press_is_heard_as_one_edge_down_and_one_up(bench: Bench) -> None:
    heard = Heard()
    bench.open(heard)
    bench.thumb(9, down=True)
    bench.thumb(9, down=False)
    assert heard.wait(2) == [(9, True), (9, False)]


def test_presses_carry_the_moment_they_were_heard(bench: Bench) -> None:
    heard, before = Heard(), clock.monotonic()
    bench.open(heard)
    bench.thumb(0, down=True)
    heard.wait(1)
    assert before <= heard.times()[0] <= clock.monotonic()


def test_two_keys_may_be_held_at_once(bench: Bench) -> None:
    heard = Heard()
    bench.open(heard)
    for index, down in ((1, True), (2, True), (1, False), (2, False)):
        bench.thumb(index, down=down)
    assert heard.wait(4) == [(1, True), (2, True), (1, False), (2, False)]


def test_panel_that_raises_on_one_key_still_hears_the_next(
    bench: Bench, caplog: pytest.LogCaptureFixture
) -> None:
    """DK-03: an exception in the callback must not end the deck's own thread."""
    heard = Heard()

    def fragile(index: int, down: bool, at: float, *, lost: bool = False) -> None:
        if index == 2:
            raise RuntimeError("a fault of the panel")
        heard(index, down, at)

    bench.open(fragile)
    bench.thumb(2, down=True)
    bench.thumb(3, down=True)
    assert heard.wait(1) == [(3, True)]
    assert "key 2" in caplog.text


@pytest.mark.parametrize("index", [-1, 32])
def test_key_outside_the_deck_is_an_index_error(bench: Bench, index: int) -> None:
    bench.open(Heard())
    with pytest.raises(IndexError, match=f"no key {index}"):
        bench.deck.write_key(index, b"", "")


def test_writing_before_opening_is_unavailable(bench: Bench) -> None:
    with pytest.raises(Unavailable, match="not open"):
        bench.deck.write_key(0, b"", "")


def test_writing_after_closing_is_unavailable(bench: Bench) -> None:
    bench.open(Heard())
    bench.deck.close()
    with pytest.raises(Unavailable, match="not open"):
        bench.deck.write_key(0, b"", "")


def test_closing_twice_or_unopened_is_harmless(bench: Bench) -> None:
    bench.deck.close()
    bench.open(Heard())
    bench.deck.close()
    bench.deck.close()


def test_brightness_may_be_set_on_every_deck(bench: Bench) -> None:
    bench.open(Heard())
    bench.deck.set_brightness(40)


def test_deck_says_its_name_and_where_it_is(bench: Bench) -> None:
    bench.open(Heard())
    assert bench.deck.name
    assert bench.deck.where


def test_deck_can_be_opened_again(bench: Bench) -> None:
    heard = Heard()
    bench.open(Heard())
    bench.deck.close()
    bench.open(heard)
    bench.thumb(5, down=True)
    assert heard.wait(1) == [(5, True)]
