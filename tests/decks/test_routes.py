"""The browser deck's answers, asked by hand: presses, pictures, and everything turned away."""

from __future__ import annotations

import collections
import socket
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flightdeck.decks import routes
from flightdeck.decks.browser import Browser
from flightdeck.decks.routes import PAGE_HEADER, TOKEN_HEADER
from flightdeck.model.decks import MODELS
from tests.decks.heard import Heard
from tests.decks.visitor import Visitor

if TYPE_CHECKING:
    from collections.abc import Iterator

STRANGE = "http://evil.example"


@pytest.fixture(scope="module")
def shared() -> Iterator[Browser]:
    """One deck for all examples of a property."""
    it = Browser(MODELS["stream-deck-xl"])
    it.open(Heard())
    yield it
    it.close()


@pytest.fixture
def visitor(deck: Browser) -> Iterator[Visitor]:
    with Visitor(deck.where) as it:
        it.join()
        yield it


def raw(port: int, request: bytes) -> bytes:
    """Send bytes as they are and return everything that comes back."""
    with socket.create_connection(("127.0.0.1", port), timeout=10) as connection:
        connection.sendall(request)
        connection.shutdown(socket.SHUT_WR)
        answer = b""
        while more := connection.recv(65536):
            answer += more
        return answer


def test_page_comes_with_a_strict_policy_and_no_referrer(visitor: Visitor) -> None:
    answer = visitor.ask("GET", f"/?token={visitor.token}", {TOKEN_HEADER: ""})
    policy = answer.headers["Content-Security-Policy"]
    assert answer.status == 200
    assert "default-src 'none'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy
    assert answer.headers["Referrer-Policy"] == "no-referrer"
    assert answer.headers["Set-Cookie"] is None


def test_page_loads_nothing_from_elsewhere(visitor: Visitor) -> None:
    text = visitor.ask("GET", f"/?token={visitor.token}").text.decode()  # type: ignore[attr-defined]
    assert "https://" not in text
    assert text.count("http://") == text.count("http://www.w3.org/2000/svg")


def test_each_page_has_a_nonce_of_its_own(visitor: Visitor) -> None:
    path = f"/?token={visitor.token}"
    first, second = (visitor.ask("GET", path).headers["Content-Security-Policy"] for _ in range(2))
    assert first != second


@pytest.mark.parametrize(
    "headers",
    [
        {TOKEN_HEADER: ""},
        {TOKEN_HEADER: "guess"},
        {"Host": "rebound.example"},
        {"Origin": STRANGE},
        {"Origin": "null"},
    ],
    ids=str,
)
@pytest.mark.parametrize(
    ("method", "path"), [("GET", "/events"), ("GET", "/key/0"), ("POST", "/key/0/down")]
)
def test_stranger_gets_403_and_not_a_word(
    visitor: Visitor, heard: Heard, method: str, path: str, headers: dict[str, str]
) -> None:
    answer = visitor.ask(method, path, headers)
    assert (answer.status, answer.text) == (403, b"")  # type: ignore[attr-defined]
    assert "Server" not in answer.headers
    assert heard.wait(0) == []


@pytest.mark.parametrize("path", ["/", "/?token=", "/?token=guess", "/?nothing=1"])
def test_page_without_its_token_is_403(visitor: Visitor, path: str) -> None:
    assert visitor.ask("GET", path).status == 403


def test_press_without_an_origin_is_403(visitor: Visitor, heard: Heard) -> None:
    request = (
        f"POST /key/0/down HTTP/1.1\r\nHost: 127.0.0.1:{visitor.port}\r\n"
        f"{TOKEN_HEADER}: {visitor.token}\r\n{PAGE_HEADER}: {visitor.page}\r\n\r\n"
    )
    assert raw(visitor.port, request.encode()).startswith(b"HTTP/1.1 403 ")
    assert heard.wait(0) == []


@pytest.mark.parametrize(
    "request_line",
    [b"OPTIONS / HTTP/1.1", b"HEAD / HTTP/1.1", b"PUT /key/0 HTTP/1.1", b"GET http://[ HTTP/1.1"],
)
def test_any_other_request_is_403(visitor: Visitor, request_line: bytes) -> None:
    answer = raw(visitor.port, request_line + b"\r\nHost: x\r\n\r\n")
    assert answer.startswith(b"HTTP/1.1 403 ")
    assert answer.endswith(b"\r\n\r\n")


@pytest.mark.parametrize(
    "request_bytes",
    [
        b"GET /" + 70_000 * b"a" + b" HTTP/1.1\r\n\r\n",
        b"GET / HTTP/1.1\r\n" + 200 * b"a: b\r\n" + b"\r\n",
        b"\x00\xff\xfe\r\n\r\n",
    ],
    ids=["long line", "many headers", "noise"],
)
def test_oversized_or_malformed_request_is_dropped(visitor: Visitor, request_bytes: bytes) -> None:
    try:
        answer = raw(visitor.port, request_bytes)
    except ConnectionError:  # closed while we still spoke
        answer = b""
    assert answer == b"" or b" 403 " in answer.split(b"\r\n")[0]


@settings(max_examples=200, deadline=None)
@given(
    noise=st.binary(max_size=300)
    | st.from_regex(
        rb"(GET|POST) /[a-z0-9/?=]{0,20} HTTP/1.[01]\r\n([A-Za-z-]{1,9}: .{0,9}\r\n){0,4}\r\n"
    )
)
def test_no_noise_gets_an_answer_or_ends_the_server(shared: Browser, noise: bytes) -> None:
    port = Visitor(shared.where).port
    try:
        answer = raw(port, noise)
    except ConnectionError:  # closed while we still spoke
        answer = b""
    assert answer == b"" or answer.startswith(b"HTTP/1.1 403 ")
    assert Visitor(shared.where).ask("GET", "/nowhere").status == 404


def test_press_with_a_body_is_turned_away(visitor: Visitor, heard: Heard) -> None:
    assert visitor.ask("POST", "/key/0/down", body="x" * 10).status == 403
    assert heard.wait(0) == []


@pytest.mark.parametrize("path", ["/key/32/down", "/key/0/sideways", "/key/-1/up", "/nowhere"])
def test_press_on_what_is_not_there_is_404(visitor: Visitor, path: str) -> None:
    assert visitor.ask("POST", path).status == 404


@pytest.mark.parametrize("path", ["/key/0", "/key/31?v=4", "/nowhere"])
def test_picture_that_is_not_there_is_404(visitor: Visitor, path: str) -> None:
    assert visitor.ask("GET", path).status == 404


def test_press_of_a_page_without_a_stream_is_409(deck: Browser, heard: Heard) -> None:
    visitor = Visitor(deck.where)
    visitor.page = "unheard-of"
    assert visitor.press(0, "down") == 409
    assert heard.wait(0) == []


def test_stream_tells_of_every_key_then_of_changes(deck: Browser, visitor: Visitor) -> None:
    assert visitor.hear() == {"keys": []}
    deck.write_key(4, b"picture", "slot 5, blocked")
    assert visitor.hear() == {"keys": [[4, 1, "slot 5, blocked"]]}


def test_key_held_by_a_page_that_vanishes_comes_up(visitor: Visitor, heard: Heard) -> None:
    visitor.press(3, "down")
    visitor.leave()
    assert heard.wait(2) == [(3, True), (3, False)]


def test_key_held_in_one_tab_survives_another_tab_leaving(
    deck: Browser, visitor: Visitor, heard: Heard
) -> None:
    with Visitor(deck.where) as other:
        other.join()
        visitor.press(3, "down")
        other.press(4, "down")
    assert heard.wait(3) == [(3, True), (4, True), (4, False)]


def test_key_held_when_the_deck_closes_comes_up(
    deck: Browser, visitor: Visitor, heard: Heard
) -> None:
    visitor.press(3, "down")
    deck.close()
    assert heard.wait(2) == [(3, True), (3, False)]


def test_press_that_races_with_its_page_leaving_does_not_stick(
    deck: Browser, heard: Heard, monkeypatch: pytest.MonkeyPatch
) -> None:
    visitor = Visitor(deck.where)
    visitor.page = "leaving"
    answers = iter([True, False])
    monkeypatch.setattr(deck._board, "watches", lambda _page: next(answers))
    assert visitor.press(3, "down") == 204
    assert heard.wait(2) == [(3, True), (3, False)]


def test_quiet_stream_carries_a_heartbeat_comment(
    deck: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(routes, "HEARTBEAT_S", 0.01)
    with Visitor(deck.where) as visitor:
        visitor.join()
        visitor.hear()
        assert visitor._read_to(b"\n\n") == b":"


def test_stream_ends_when_the_deck_closes(deck: Browser, visitor: Visitor) -> None:
    visitor.hear()
    deck.close()
    with pytest.raises((EOFError, ConnectionError)):
        collections.deque(iter(visitor.hear, None), maxlen=0)


def test_stream_beyond_the_most_pages_is_503(deck: Browser) -> None:
    visitors = [Visitor(deck.where) for _ in range(16)]
    for one in visitors:
        one.join()
    assert visitors[0].ask("GET", "/events").status == 503
    for one in visitors:
        one.leave()


def test_reader_that_stops_reading_is_dropped(
    deck: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(routes.Handler, "timeout", 1.0)
    with Visitor(deck.where) as visitor:
        visitor.join()
        count = 0
        while deck._board.watches(visitor.page) and count < 500_000:
            count += 1
            deck.write_key(count % 32, b"%d" % count, 2000 * "long name ")
        assert not deck._board.watches(visitor.page)
