"""Words of agents, files and folders as a terminal may show them.

A title or a path may hold any character; none of them is to steer the terminal.
"""

from __future__ import annotations


def plain(text: str) -> str:
    """Return `text` with a mark in the place of every character that is not one to be seen."""
    return "".join(c if c.isprintable() else "\ufffd" for c in text)
