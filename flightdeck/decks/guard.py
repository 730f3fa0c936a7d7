"""Who may talk to the browser deck: a web page must never be able to press APPROVE.

A request has to name our own address as its Host (a page that points its own name
at 127.0.0.1 does not), carry the token of this run, and, where it presses, come
from our own page. There is no cookie: browsers send a cookie to every port of the
same machine, so a dev server on another port would be handed ours.

Pure: no socket, no clock.

Source: README.md, "The browser deck"; DNS rebinding and CSRF as web security literature knows them.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Caller:
    """What a request says of itself; absent headers are empty."""

    method: str
    host: str
    origin: str
    token: str


class Guard:
    """The one rule for every request, whatever it asks for."""

    def __init__(self, token: str, port: int) -> None:
        self._token = token.encode()
        self._hosts = frozenset(f"{name}:{port}" for name in ("127.0.0.1", "localhost", "[::1]"))

    def lets_in(self, caller: Caller) -> bool:
        """Say whether this caller is our own page, in every respect."""
        at_home = caller.host in self._hosts
        ours = f"http://{caller.host}"
        # A browser may leave Origin out of a GET from our own page, never out of a POST.
        from_home = caller.origin == ours or (caller.method == "GET" and not caller.origin)
        knows = secrets.compare_digest(caller.token.encode(), self._token)
        return at_home and from_home and knows
