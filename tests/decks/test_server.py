"""The browser deck's server: loopback, bounded, silent at rest, gone when it is closed."""

from __future__ import annotations

import socket
import threading
from typing import TYPE_CHECKING

import pytest

from flightdeck.decks import server
from flightdeck.decks.browser import Browser
from flightdeck.errors import Unavailable
from flightdeck.model.decks import MODELS
from tests.decks.heard import Heard
from tests.decks.visitor import Visitor

if TYPE_CHECKING:
    from collections.abc import Iterator

NEO = MODELS["stream-deck-neo"]


@pytest.fixture
def deck() -> Iterator[Browser]:
    it = Browser(NEO)
    it.open(Heard())
    yield it
    it.close()


def test_it_listens_on_loopback_only(deck: Browser) -> None:
    assert deck._server
    assert deck._server.socket.getsockname()[0] == "127.0.0.1"


def test_port_that_is_taken_is_unavailable(deck: Browser) -> None:
    other = Browser(NEO, Visitor(deck.where).port)
    with pytest.raises(Unavailable, match="cannot be used") as fault:
        other.open(Heard())
    assert "--port" in fault.value.hint


def test_port_that_is_no_port_is_unavailable() -> None:
    with pytest.raises(Unavailable, match="port 70000"):
        Browser(NEO, 70_000).open(Heard())


def test_reopened_deck_keeps_its_address(deck: Browser) -> None:
    before = deck.where
    deck.close()
    deck.open(Heard())
    assert deck.where == before


def test_each_run_has_a_token_of_its_own() -> None:
    assert Visitor(Browser(NEO, 1).where).token != Visitor(Browser(NEO, 1).where).token


def test_connection_beyond_the_bound_is_closed_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(server, "_MOST_CONNECTIONS", 1)
    deck = Browser(NEO)
    deck.open(Heard())
    with Visitor(deck.where) as visitor:
        visitor.join()
        with socket.create_connection(("127.0.0.1", visitor.port), timeout=10) as second:
            assert second.recv(1) == b""
    deck.close()


def test_no_thread_left_on_the_machine_sheds_the_connection(
    deck: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_thread(_self: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    port = Visitor(deck.where).port
    with monkeypatch.context() as patch:
        patch.setattr(threading.Thread, "start", no_thread)
        with socket.create_connection(("127.0.0.1", port), timeout=10) as connection:
            assert connection.recv(1) == b""
    assert Visitor(deck.where).ask("GET", "/nowhere").status == 404


def test_closed_deck_refuses_connections_and_leaves_no_thread(deck: Browser) -> None:
    assert deck._server
    port, thread = deck._server.port, deck._server._accepting
    deck.close()
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", port), timeout=10)
    assert not thread.is_alive()
