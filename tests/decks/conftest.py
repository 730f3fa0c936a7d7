"""A browser deck and a tab that shows it, for the tests of the page."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import sync_playwright

from flightdeck.decks.browser import Browser
from flightdeck.model.decks import MODELS
from tests.decks.heard import Heard
from tests.decks.tab import FLAGS, LIVE
from tests.requirements import require

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import BrowserContext, Page


@pytest.fixture(scope="module")
def chromium() -> Iterator[BrowserContext]:
    program = require("chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=FLAGS)
        yield browser.new_context(viewport={"width": 1200, "height": 720})
        browser.close()


@pytest.fixture
def heard() -> Heard:
    return Heard()


@pytest.fixture
def deck(heard: Heard) -> Iterator[Browser]:
    it = Browser(MODELS["stream-deck-xl"])
    it.open(heard)
    yield it
    it.close()


@pytest.fixture
def page(chromium: BrowserContext, deck: Browser) -> Iterator[Page]:
    """A tab with the deck in it, live; nothing may fail in its console."""
    tab = chromium.new_page()
    faults: list[str] = []
    tab.on("pageerror", lambda error: faults.append(str(error)))
    tab.on("console", lambda line: faults.append(line.text) if "policy" in line.text else None)
    tab.goto(deck.where)
    tab.wait_for_selector(LIVE)
    yield tab
    tab.close()
    assert not faults
