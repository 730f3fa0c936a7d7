"""Sessions whose process has ended: gone with it, but for those a teardown keeps.

Source: README.md, "Safety".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from flightdeck.model import ending
from flightdeck.system import process

if TYPE_CHECKING:
    from collections.abc import Iterable

    from flightdeck.model.session import Session


def settle(sessions: dict[str, Session], ended: Iterable[str], now: float) -> None:
    """Take the `ended` ones away, at `now` (epoch seconds), unless a teardown stands.

    A teardown whose doer has ended over it is under way no more.
    """
    for key in ended:
        stays = ending.outlived(sessions[key], now)
        if stays is None:
            del sessions[key]
        else:
            sessions[key] = stays
    for key, session in sessions.items():
        if ending.under_way(session) and not _is_done_by_somebody(session):
            sessions[key] = ending.cut_short(session, now)


def keep(sessions: dict[str, Session]) -> None:
    """Keep the key of who said goodbye while its teardown stands."""
    for key, session in sessions.items():
        sessions[key] = ending.kept(session)


def _is_done_by_somebody(session: Session) -> bool:
    teardown = session.teardown
    return teardown is not None and process.alive(teardown.by, teardown.started)
