"""A teardown as the fold is told of it: claimed before it begins, and what came of it.

Whoever tears down is one of several that could: a key of the panel, a terminal, another
terminal. The claim stands in the session's record, so that there is one deed at a time.

Source: README.md, "Safety".
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from flightdeck.model import ending
from flightdeck.model.teardown import Stage
from flightdeck.system import clock
from flightdeck.system.process import alive, start_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from flightdeck.model.session import Session
    from flightdeck.model.teardown import Outcome
    from flightdeck.panel.amends import Amend


def claim(key: str) -> Amend:
    """This process tears the session with `key` down, unless another does."""
    by, started, now = os.getpid(), start_of(os.getpid()) or "", clock.now()
    return _of(key, lambda session: ending.claimed(session, by, started, now))


def is_ours(key: str, sessions: Iterable[Session]) -> bool:
    """Say whether the claim stands, among `sessions` as the fold has them."""
    session = next((s for s in sessions if s.key == key), None)
    return session is not None and _mine(session)


def came_of(key: str, outcome: Outcome) -> Amend:
    """What came of it, for good: its key goes, or says what refused it."""
    if outcome.removed:
        return _of(key, ending.torn_down)
    now = clock.now()

    def refused(session: Session) -> Session:
        check, ended = check_of(outcome), outcome.agent_ended
        asked = outcome.stage is Stage.ENDING
        return ending.refused(session, check, outcome.words, now, ended=ended, asked=asked)

    return _of(key, refused)


def check_of(outcome: Outcome) -> str:
    """Return what refused it, in one word: a check, or git itself at the removal."""
    return outcome.check.value if outcome.check else outcome.stage.value


def broke_off(key: str, check: str, words: str) -> Amend:
    """It ended in a fault of its own, and nobody can tell how far it had come."""
    now = clock.now()

    def refused(session: Session) -> Session:
        ended = not alive(session.pid, session.started)
        return ending.refused(session, check, words, now, ended=ended)

    return _of(key, refused)


def given_up(key: str) -> Amend:
    """Nothing was done to the session with `key`, and whoever asked has been told why."""
    return _of(key, lambda session: ending.given_up(session) if _mine(session) else session)


def acknowledged(key: str) -> Amend:
    """Somebody has read why the session with `key` was not torn down."""
    return _of(key, ending.acknowledged)


def _of(key: str, amend: Amend) -> Amend:
    return lambda session: amend(session) if session.key == key else session


def _mine(session: Session) -> bool:
    return session.teardown is not None and session.teardown.by == os.getpid()
