"""Words of agents, files and folders as a terminal may show them.

A title or a path may hold any character; none of them is to steer the terminal.
"""

from __future__ import annotations

import re

_STEERS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def plain(text: str) -> str:
    """Return `text` with a mark in the place of every character that is not one to be seen."""
    return "".join(c if c.isprintable() else "\ufffd" for c in text)


def harmless(text: str) -> str:
    """Return `text`, lines and all, with what could steer a terminal as JSON writes it."""
    return _STEERS.sub(lambda found: f"\\u{ord(found[0]):04x}", text)
