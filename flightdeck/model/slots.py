"""Which key a session has: the lowest free one, and then that one until its process ends.

A key that moves under a thumb is useless even when what it shows is right.

Source: README.md, "Slots".
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from flightdeck.model.session import Session


def assign(
    sessions: Iterable[Session], slots: Sequence[int], remembered: Mapping[str, int]
) -> list[Session]:
    """Give every live session a slot while there are any; those left over have None.

    `slots` are the places sessions may take, pinned ones left out; `remembered` maps
    a session's key to the slot the last snapshot showed it on, for a session whose
    own record was lost.
    """
    ordered = sorted(sessions, key=lambda s: (s.first_seen, s.key))
    taken: set[int] = set()
    placed: dict[str, Session] = {}
    for session in ordered:
        keeps = session.slot
        if session.closed or keeps is None or keeps not in slots or keeps in taken:
            continue
        taken.add(keeps)
        placed[session.key] = session
    for session in ordered:
        if session.key in placed:
            continue
        slot = None if session.closed else _next(slots, taken, remembered.get(session.key))
        if slot is not None:
            taken.add(slot)
        placed[session.key] = session if session.slot == slot else replace(session, slot=slot)
    return [placed[s.key] for s in ordered]


def _next(slots: Sequence[int], taken: set[int], wanted: int | None) -> int | None:
    free = [slot for slot in slots if slot not in taken]
    if wanted in free:
        return wanted
    return min(free, default=None)
