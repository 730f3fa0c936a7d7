"""A verb that waits for its session: one at most for each, taken by exactly one.

Who takes it is decided by a rename in `store/queue`: the agent's own Stop hook, the panel
that wakes an agent at rest, or whoever cancels it. Knows no clock and no files.

Source: verbs/README.md, "How a verb gets there".
"""

from __future__ import annotations

from dataclasses import dataclass

# How long a verb that asks for a second press may wait: what it does to the world outside
# is to be decided again after that. In seconds.
CONFIRMED_FOR_S = 300.0
# How many that have arrived are remembered: far more than do between two looks at them.
_ARRIVED = 8
# A clock that is kept right is turned back by less than this.
_STEP_S = 2.0


@dataclass(frozen=True, slots=True)
class Staged:
    """One verb in the queue, for the process `pid` as long as it goes by `session_id`.

    `token`, 16 hexadecimal digits, is that of the press that staged it. `at` and `until` are
    seconds since the epoch; `until` 0 means that it does not expire.
    """

    verb: str
    token: str
    session_id: str
    pid: int
    at: float
    until: float = 0.0

    def expired(self, now: float) -> bool:
        """Say whether nobody may take it any more at `now`, epoch seconds.

        Where the clock was turned back since, nobody knows how long it has waited.
        """
        return bool(self.until) and not self.at - _STEP_S <= now < self.until


def remembered(arrived: tuple[str, ...], token: str) -> tuple[str, ...]:
    """Return the tokens of the last verbs that arrived, with one more; "" is none.

    An event that tells of one may be folded twice.
    """
    if not token or token in arrived:
        return arrived
    return (*arrived, token)[-_ARRIVED:]
