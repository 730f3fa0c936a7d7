"""The page in a real browser: what a person sees and is told of the deck."""

from __future__ import annotations

from typing import TYPE_CHECKING

from playwright.sync_api import expect

from flightdeck.decks import routes
from flightdeck.decks.browser import Browser
from tests.decks.heard import Heard
from tests.decks.pictures import AMBER, BLUE
from tests.decks.tab import COLOUR, LIVE, STOPPED, paint, wait_colour
from tests.decks.visitor import Visitor

if TYPE_CHECKING:
    import pytest
    from playwright.sync_api import BrowserContext, Page


def test_picture_written_to_a_key_comes_in_sight(deck: Browser, page: Page) -> None:
    paint(deck, 0, AMBER)
    wait_colour(page, 0, AMBER)
    paint(deck, 0, BLUE)
    wait_colour(page, 0, BLUE)


def test_page_opened_later_shows_the_deck_as_it_stands(
    deck: Browser, chromium: BrowserContext
) -> None:
    paint(deck, 31, AMBER)
    tab = chromium.new_page()
    tab.goto(deck.where)
    tab.wait_for_selector(LIVE)
    shown = tab.evaluate(COLOUR, 31)
    tab.close()
    assert tuple(shown) == AMBER


def test_two_tabs_show_the_same_deck(deck: Browser, page: Page, chromium: BrowserContext) -> None:
    other = chromium.new_page()
    other.goto(deck.where)
    other.wait_for_selector(LIVE)
    paint(deck, 3, AMBER)
    wait_colour(page, 3, AMBER)
    wait_colour(other, 3, AMBER)
    other.close()


def test_picture_that_cannot_be_drawn_leaves_the_rest_live(deck: Browser, page: Page) -> None:
    deck.write_key(0, b"no picture", "")
    paint(deck, 1, AMBER)
    wait_colour(page, 1, AMBER)
    assert page.is_visible(LIVE)


def test_each_key_is_a_button_in_a_grid_named_after_what_it_shows(
    deck: Browser, page: Page
) -> None:
    paint(deck, 0, AMBER, "slot 1, blocked: api, fix login")
    page.get_by_role("button", name="slot 1, blocked: api, fix login").wait_for()
    grid = page.get_by_role("grid", name="Stream Deck XL")
    assert grid.get_by_role("row").count() == 4
    assert grid.get_by_role("gridcell").count() == 32
    assert page.get_by_role("button", name="key 4.8").count() == 1


def test_key_that_becomes_blocked_is_announced_politely(deck: Browser, page: Page) -> None:
    paint(deck, 0, BLUE, "slot 1, working: api")
    page.get_by_role("button", name="slot 1, working").wait_for()
    assert page.text_content("#news") == ""
    paint(deck, 0, AMBER, "slot 1, blocked: api")
    expect(page.locator("#news[aria-live=polite]")).to_have_text("slot 1, blocked: api")


def test_hidden_tab_lets_go_of_its_connection_and_comes_back_live(
    deck: Browser, page: Page
) -> None:
    hide = """hidden => {
      Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
      document.dispatchEvent(new Event("visibilitychange"));
    }"""
    page.evaluate(hide, True)
    page.wait_for_selector(STOPPED)
    expect(page.locator("#stopped")).to_have_text("paused")
    paint(deck, 0, AMBER)
    page.evaluate(hide, False)
    page.wait_for_selector(LIVE)
    wait_colour(page, 0, AMBER)


def test_stopped_panel_is_grey_says_so_and_takes_no_press(
    deck: Browser, page: Page, heard: Heard
) -> None:
    paint(deck, 0, AMBER)
    wait_colour(page, 0, AMBER)
    deck.close()
    page.wait_for_selector(STOPPED)
    expect(page.get_by_role("alert")).to_have_text("panel stopped")
    expect(page.locator("#deck")).to_have_css("filter", "grayscale(1) brightness(0.32)")
    page.keyboard.press("Digit1")
    assert heard.wait(0) == []


def test_page_comes_back_live_with_the_newest_pictures(deck: Browser, page: Page) -> None:
    deck.close()
    page.wait_for_selector(STOPPED)
    deck.open(Heard())
    paint(deck, 0, BLUE)
    page.wait_for_selector(LIVE)
    wait_colour(page, 0, BLUE)
    expect(page.locator("#stopped")).to_have_text("")


def test_page_of_an_earlier_run_asks_for_the_new_address(
    deck: Browser, page: Page, heard: Heard
) -> None:
    deck.close()
    page.wait_for_selector(STOPPED)
    next_run = Browser(deck.model, Visitor(deck.where).port)
    next_run.open(heard)
    expect(page.locator("#state")).to_contain_text("open the address", timeout=15_000)
    next_run.close()


def test_panel_that_falls_silent_is_shown_as_stopped(
    deck: Browser, chromium: BrowserContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A hung process keeps its connections open; only its silence tells."""
    monkeypatch.setattr(routes, "SILENCE_MS", 300)
    tab = chromium.new_page()
    tab.goto(deck.where)
    tab.wait_for_selector(LIVE)
    tab.wait_for_selector(STOPPED)
    tab.close()


def test_deck_fits_a_phone(page: Page) -> None:
    page.set_viewport_size({"width": 390, "height": 760})
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    box = page.locator("button").last.bounding_box()
    assert box
    assert box["width"] >= 36
    assert box["x"] + box["width"] <= 390


def test_nothing_moves_where_less_motion_is_wished_for(page: Page) -> None:
    page.emulate_media(reduced_motion="reduce")
    moves = "e => getComputedStyle(e).transitionDuration"
    assert page.locator("img").first.evaluate(moves) == "0s"
    assert page.locator("#deck").evaluate(moves) == "0s"
