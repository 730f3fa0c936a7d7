"""The page in a real browser: what a person sees, clicks, types and hears of the deck."""

from __future__ import annotations

import http.server
import threading
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect, sync_playwright

from flightdeck.decks import routes
from flightdeck.decks.browser import Browser
from flightdeck.model.decks import MODELS
from tests.decks.heard import Heard
from tests.decks.pictures import AMBER, BLUE, plain
from tests.decks.visitor import Visitor
from tests.requirements import require

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import BrowserContext, Page

# The rest keeps it from looking for a network that tests do not have.
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


def paint(deck: Browser, index: int, colour: tuple[int, int, int], name: str = "") -> None:
    deck.write_key(index, plain(deck.model.key, colour), name)


def wait_colour(page: Page, index: int, colour: tuple[int, int, int]) -> None:
    """Wait until the key in sight has this colour."""
    page.wait_for_function(f"([i, c]) => String(({COLOUR})(i)) === c", arg=[index, _text(colour)])


def _text(colour: tuple[int, int, int]) -> str:
    return ",".join(map(str, colour))


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


def test_click_is_a_press_and_a_release(page: Page, heard: Heard) -> None:
    page.locator("button").nth(11).click()
    assert heard.wait(2) == [(11, True), (11, False)]


def test_clicks_in_a_row_stay_in_order(page: Page, heard: Heard) -> None:
    for index in (1, 2, 3):
        page.locator("button").nth(index).click()
    expected = [(i, down) for i in (1, 2, 3) for down in (True, False)]
    assert heard.wait(6) == expected


def test_held_key_is_down_for_as_long_as_the_thumb_is(page: Page, heard: Heard) -> None:
    page.locator("button").nth(9).hover()
    page.mouse.down()
    heard.wait(1)
    page.wait_for_timeout(900)  # the hold itself is what is measured
    page.mouse.up()
    assert heard.wait(2) == [(9, True), (9, False)]
    down, up = heard.times()
    assert up - down >= 0.8


def test_thumb_that_slides_off_the_key_still_releases_it(page: Page, heard: Heard) -> None:
    page.locator("button").nth(9).hover()
    page.mouse.down()
    page.mouse.move(5, 5)
    page.mouse.up()
    assert heard.wait(2) == [(9, True), (9, False)]


def test_other_mouse_buttons_do_not_press(page: Page, heard: Heard) -> None:
    page.locator("button").nth(9).click(button="right")
    page.locator("button").nth(10).click()
    assert heard.wait(2) == [(10, True), (10, False)]


@pytest.mark.parametrize("key", ["Space", "Enter"])
def test_focused_key_is_pressed_from_the_keyboard(page: Page, heard: Heard, key: str) -> None:
    page.locator("button").nth(10).focus()
    page.keyboard.down(key)
    page.keyboard.down(key)  # the system repeats a held key
    page.keyboard.up(key)
    page.keyboard.press("Digit1")
    assert heard.wait(4) == [(10, True), (10, False), (0, True), (0, False)]


@pytest.mark.parametrize(("digit", "index"), [("1", 0), ("8", 7)])
def test_digit_presses_a_key_of_the_top_row(
    page: Page, heard: Heard, digit: str, index: int
) -> None:
    page.keyboard.press(f"Digit{digit}")
    assert heard.wait(2) == [(index, True), (index, False)]


def test_digit_beyond_the_row_and_shortcuts_press_nothing(page: Page, heard: Heard) -> None:
    page.keyboard.press("Digit9")
    page.keyboard.press("Control+Digit2")
    page.keyboard.press("Digit3")
    assert heard.wait(2) == [(2, True), (2, False)]


@pytest.mark.parametrize(
    ("keys", "index"),
    [
        (["ArrowRight"], 1),
        (["ArrowLeft"], 0),
        (["ArrowDown", "ArrowDown", "ArrowUp"], 8),
        (["ArrowUp"], 0),
        (["End"], 7),
        (["End", "ArrowRight"], 7),
        (["ArrowDown", "End", "Home"], 8),
        (["ArrowDown", "ArrowDown", "ArrowDown", "ArrowDown"], 24),
    ],
    ids=str,
)
def test_arrow_keys_move_the_focus_over_the_grid(page: Page, keys: list[str], index: int) -> None:
    page.locator("button").first.focus()
    for key in keys:
        page.keyboard.press(key)
    expect(page.locator("button").nth(index)).to_be_focused()
    assert page.locator("button[tabindex='0']").count() == 1


def test_click_of_assistive_technology_is_a_tap(page: Page, heard: Heard) -> None:
    page.locator("button").nth(6).evaluate("button => button.click()")
    assert heard.wait(2) == [(6, True), (6, False)]


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


@pytest.mark.parametrize("loss", ["blur", "pagehide"])
def test_key_held_when_the_tab_loses_the_thumb_comes_up(
    page: Page, heard: Heard, loss: str
) -> None:
    page.locator("button").nth(9).hover()
    page.mouse.down()
    heard.wait(1)
    page.evaluate("loss => { window.dispatchEvent(new Event(loss)); }", loss)
    assert heard.wait(2) == [(9, True), (9, False)]


def test_cancelled_pointer_releases_the_key(page: Page, heard: Heard) -> None:
    button = page.locator("button").nth(9)
    button.hover()
    page.mouse.down()
    heard.wait(1)
    button.dispatch_event("pointercancel", {"pointerId": 1})
    assert heard.wait(2) == [(9, True), (9, False)]


def test_key_held_when_the_tab_is_closed_comes_up(
    deck: Browser, chromium: BrowserContext, heard: Heard
) -> None:
    tab = chromium.new_page()
    tab.goto(deck.where)
    tab.wait_for_selector(LIVE)
    tab.locator("button").nth(9).hover()
    tab.mouse.down()
    heard.wait(1)
    tab.close()
    assert heard.wait(2) == [(9, True), (9, False)]


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


def test_page_of_another_origin_cannot_press(
    deck: Browser, page: Page, chromium: BrowserContext, heard: Heard
) -> None:
    """Even one that somehow knows the token, by a fetch, a form, a frame or a picture."""
    token, port = Visitor(deck.where).token, Visitor(deck.where).port
    attack = f"""async ([home, token]) => {{
      const headers = {{ "X-Flightdeck-Token": token }};
      for (const options of [{{ mode: "no-cors" }}, {{ headers }}]) {{
        await fetch(`${{home}}/key/0/down`, {{ method: "POST", ...options }}).catch(() => 0);
      }}
      const frame = document.createElement("iframe");
      frame.name = "f";
      document.body.append(frame);
      const form = document.createElement("form");
      Object.assign(form, {{ method: "post", action: `${{home}}/key/0/down`, target: "f" }});
      document.body.append(form);
      form.submit();
      await new Promise((done) => {{ frame.onload = done; }});
      frame.src = `${{home}}/?token={token}`;
      await new Promise((done) => {{ frame.onload = done; }});
      return frame.contentDocument === null;
    }}"""
    with StrangeSite() as strange:
        tab = chromium.new_page()
        tab.goto(strange)
        blocked = tab.evaluate(attack, [f"http://127.0.0.1:{port}", token])
        tab.close()
    page.keyboard.press("Digit5")
    assert heard.wait(2) == [(4, True), (4, False)]
    assert blocked


class StrangeSite:
    """A page on another port of this machine: same site, another origin."""

    def __enter__(self) -> str:
        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), _Blank)
        self._thread = threading.Thread(target=self._server.serve_forever)
        self._thread.start()
        return f"http://127.0.0.1:{self._server.server_port}/"

    def __exit__(self, *_error: object) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()


class _Blank(http.server.BaseHTTPRequestHandler):
    """An empty page for whoever asks."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(b"<!doctype html><title>strange</title><body>")

    def log_message(self, *_words: object) -> None:
        """Keep the test's output clean."""


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
