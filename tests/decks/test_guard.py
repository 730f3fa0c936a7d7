"""Who may talk to the browser deck, case by case."""

from __future__ import annotations

import pytest

from flightdeck.decks.guard import Caller, Guard

GUARD = Guard("secret", 8123)
HOME = "http://127.0.0.1:8123"


def caller(
    method: str = "POST", host: str = "127.0.0.1:8123", origin: str = HOME, token: str = "secret"
) -> Caller:
    return Caller(method, host, origin, token)


@pytest.mark.parametrize("host", ["127.0.0.1:8123", "localhost:8123", "[::1]:8123"])
def test_our_own_page_is_let_in_by_every_name_of_this_machine(host: str) -> None:
    assert GUARD.lets_in(caller(host=host, origin=f"http://{host}"))


def test_get_needs_no_origin() -> None:
    assert GUARD.lets_in(caller("GET", origin=""))


def test_post_needs_an_origin() -> None:
    assert not GUARD.lets_in(caller(origin=""))


@pytest.mark.parametrize("method", ["GET", "POST"])
@pytest.mark.parametrize(
    "origin",
    ["null", "http://evil.example", "http://127.0.0.1:3000", "https://127.0.0.1:8123"],
)
def test_another_origin_is_kept_out(method: str, origin: str) -> None:
    assert not GUARD.lets_in(caller(method, origin=origin))


@pytest.mark.parametrize(
    "host",
    ["", "127.0.0.1", "127.0.0.1:80", "rebound.example:8123", "127.0.0.1:8123.evil.example"],
)
def test_another_host_is_kept_out(host: str) -> None:
    """A name of the attacker's that resolves to 127.0.0.1 is still not ours."""
    assert not GUARD.lets_in(caller("GET", host=host, origin=""))
    assert not GUARD.lets_in(caller(host=host, origin=f"http://{host}"))


@pytest.mark.parametrize("token", ["", "secre", "secret ", "SECRET", "sécret"])
def test_another_token_is_kept_out(token: str) -> None:
    assert not GUARD.lets_in(caller(token=token))
