"""Whether the client here may be given a deep link.

It is asked at each press and not where the link is read: a client is updated, or put back,
while a panel runs, and `validate` in CI has none.

Source: layouts/README.md, "Deep links"; the advisory on Claude Code of 2026-05-12.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from flightdeck.errors import Refused
from flightdeck.install.client import find_client

if TYPE_CHECKING:
    from collections.abc import Mapping

    from flightdeck.install.desired import Version

# Before this one words of a link's prompt were taken for options, of which one can bring hooks.
SAFE: Version = (2, 1, 118)


def must_be_safe(environ: Mapping[str, str]) -> None:
    """Return if the client a person would start is known to read a deep link as text.

    Raises:
        Refused: it is an older one, or nobody can tell.
    """
    client = find_client(environ)
    version = client.version if client else None
    if version is None or version < SAFE:
        found = ".".join(map(str, version)) if version else "unknown"
        needed = ".".join(map(str, SAFE))
        told = f"its version is {found}; before {needed} a deep link could bring options"
        raise Refused("update Claude Code", told)
