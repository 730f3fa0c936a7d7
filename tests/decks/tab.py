"""A tab of a real browser with the deck in it: how to start one, and what is in sight there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.decks.pictures import plain

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from flightdeck.decks.browser import Browser

# Without the last of these Chromium looks for a network that tests do not have.
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
LIVE, STOPPED = '#panel[data-live="true"]', '#panel[data-live="false"]'
COLOUR = """index => {
  const image = document.querySelectorAll("button")[index].firstElementChild;
  const canvas = new OffscreenCanvas(1, 1).getContext("2d");
  if (image.naturalWidth) canvas.drawImage(image, 0, 0, 1, 1);
  return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3);
}"""


def paint(deck: Browser, index: int, colour: tuple[int, int, int], name: str = "") -> None:
    deck.write_key(index, plain(deck.model.key, colour), name)


def wait_colour(page: Page, index: int, colour: tuple[int, int, int]) -> None:
    """Wait until the key in sight has this colour."""
    page.wait_for_function(f"([i, c]) => String(({COLOUR})(i)) === c", arg=[index, _text(colour)])


def _text(colour: tuple[int, int, int]) -> str:
    return ",".join(map(str, colour))
