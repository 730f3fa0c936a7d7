"""Which session ids can be part of a file name: anything else a client tells is no name here.

Stricter than the hooks, which only have to make sure that they stay in their folder.
"""

from __future__ import annotations

import re

_ID = re.compile(r"[0-9A-Za-z_][0-9A-Za-z._-]{0,127}")


def is_file_name(session_id: str) -> bool:
    """Say whether an id may stand in a file name as it is."""
    return _ID.fullmatch(session_id) is not None
