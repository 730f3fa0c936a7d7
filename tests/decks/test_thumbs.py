"""The page in a real browser: every way to press a key there, and the ways that must not work."""

from __future__ import annotations

import http.server
import threading
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.decks.pictures import AMBER, BLUE
from tests.decks.tab import LIVE, paint, wait_colour
from tests.decks.visitor import Visitor

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Page

    from flightdeck.decks.browser import Browser
    from tests.decks.heard import Heard


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


def test_press_on_a_face_the_key_has_no_more_is_dropped(
    deck: Browser, page: Page, heard: Heard
) -> None:
    """A tab may lag behind the deck: what it does not show yet, nobody there has decided."""
    paint(deck, 9, AMBER, "APPROVE, Bash of api")
    wait_colour(page, 9, AMBER)
    page.get_by_role("button", name="APPROVE, Bash of api").wait_for()
    page.route("**/key/9?*", lambda _: None)  # the next picture is on its way for ever
    paint(deck, 9, BLUE, "APPROVE, Bash of web")
    paint(deck, 10, AMBER)
    wait_colour(page, 10, AMBER)
    page.locator("button").nth(9).click()
    page.locator("button").nth(10).click()
    assert heard.wait(2) == [(10, True), (10, False)]


def test_press_is_dropped_while_the_key_that_says_what_is_asked_is_not_in_sight(
    deck: Browser, page: Page, heard: Heard
) -> None:
    for index, name in ((8, "DETAIL, Bash of api"), (9, "APPROVE, Bash of api")):
        paint(deck, index, AMBER, name)
        page.get_by_role("button", name=name).wait_for()
    page.route("**/key/8?*", lambda _: None)
    paint(deck, 8, BLUE, "DETAIL, Bash of web")
    paint(deck, 9, AMBER, "APPROVE, Bash of web")
    paint(deck, 10, AMBER)
    wait_colour(page, 10, AMBER)
    page.locator("button").nth(9).click()
    page.locator("button").nth(10).click()
    assert heard.wait(2) == [(10, True), (10, False)]


def test_press_tells_a_new_meaning_from_the_old_where_the_picture_is_the_same(
    deck: Browser, heard: Heard
) -> None:
    paint(deck, 9, AMBER, "APPROVE, Bash of api")
    paint(deck, 9, AMBER, "APPROVE, Bash of web")
    with Visitor(deck.where) as visitor:
        visitor.join()
        visitor.ask("POST", "/key/9/down?v=1&said=APPROVE%2C+Bash+of+api")
        visitor.ask("POST", "/key/9/up")
        assert heard.wait(0) == []
        visitor.ask("POST", "/key/9/down?v=1&said=APPROVE%2C+Bash+of+web")
        assert heard.wait(1) == [(9, True)]


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
