"""What the browser deck shows, and the pages that watch it.

A page that reads slowly owes at most one version a key: newer ones replace older
ones, so nothing queues up behind it. Waiting pages cost nothing. Knows no HTTP.
"""

from __future__ import annotations

import secrets
import socket
import threading
from contextlib import suppress
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Shown:
    """A key as it stands; `version` grows with every new picture."""

    version: int
    image: bytes
    name: str


class Page:
    """One open page: the keys it has not heard of yet, and a bell to wake its thread."""

    def __init__(self) -> None:
        self.id = secrets.token_urlsafe(9)
        self.ended = False
        self._stale: set[int] = set()
        self._bell, self._ring = socket.socketpair()
        self._ring.settimeout(0)  # a full bell rings already

    def fileno(self) -> int:
        """Return what becomes readable when there is something to fetch."""
        return self._bell.fileno()

    def mark(self, keys: set[int]) -> None:
        """Note that these keys changed; called under the board's lock."""
        self._stale |= keys
        self.wake()

    def wake(self) -> None:
        """Ring the bell; a bell that already rings needs no second stroke."""
        with suppress(OSError):
            self._ring.send(b"!")

    def take(self) -> set[int]:
        """Return the changed keys and forget them; called under the board's lock."""
        self._bell.recv(4096)
        changed, self._stale = self._stale, set()
        return changed

    def close(self) -> None:
        """Give the bell back."""
        self._bell.close()
        self._ring.close()


class Board:
    """The keys and their watchers; every method may be called from any thread."""

    def __init__(self, most_pages: int) -> None:
        self._most_pages = most_pages
        self._keys: dict[int, Shown] = {}
        self._pages: dict[str, Page] = {}
        self._lock = threading.Lock()

    def show(self, index: int, image: bytes, name: str) -> None:
        """Put a picture on a key and ring for every page, unless nothing changed."""
        with self._lock:
            old = self._keys.get(index)
            if old and (old.image, old.name) == (image, name):
                return
            version = old.version if old else 0
            if not old or old.image != image:
                version += 1
            self._keys[index] = Shown(version, image, name)
            for page in self._pages.values():
                page.mark({index})

    def at(self, index: int) -> Shown | None:
        """Return what a key shows, or None if it was never written."""
        with self._lock:
            return self._keys.get(index)

    def shows(self, index: int, version: str, name: str) -> bool:
        """Say whether that is what a key shows now: 0 and no name if it was never written."""
        shown = self.at(index)
        now = (str(shown.version), shown.name) if shown else ("0", "")
        return (version, name) == now

    def join(self) -> Page | None:
        """Let a page watch, everything still to be told to it; None if too many watch already."""
        with self._lock:
            if len(self._pages) >= self._most_pages:
                return None
            page = Page()
            self._pages[page.id] = page
            page.mark(set(self._keys))
            return page

    def leave(self, page: Page) -> None:
        """Stop telling a page."""
        with self._lock:
            if self._pages.pop(page.id, None):
                page.close()

    def watches(self, page_id: str) -> bool:
        """Say whether that page is open: only then will its lost release be noticed."""
        with self._lock:
            return page_id in self._pages

    def news(self, page: Page) -> list[tuple[int, int, str]]:
        """Return key, version and name of everything new to a page whose bell rang."""
        with self._lock:
            return [
                (index, self._keys[index].version, self._keys[index].name)
                for index in sorted(page.take())
            ]

    def end(self) -> None:
        """Tell every page's thread to finish."""
        with self._lock:
            for page in self._pages.values():
                page.ended = True
                page.wake()
