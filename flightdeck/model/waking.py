"""Whether an agent at rest may be woken for the verb that waits for it: typed at, in its window.

What is typed answers whatever is open there, so everything must say that nothing is: the
agent's own record above all, which alone tells of dialogs no hook knows. An agent that may
not be typed at loses nothing: its own Stop hook takes the verb when its turn ends.

Source: verbs/README.md, "How a verb gets there".
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from flightdeck.model import ending, witness
from flightdeck.model.lifecycle import Reason, State
from flightdeck.model.place import TYPEABLE
from flightdeck.model.session import Status
from flightdeck.model.witness import LAG_S, STANDS_S

if TYPE_CHECKING:
    from flightdeck.model.session import Record, Session
    from flightdeck.model.staged import Staged

# A turn that ends without its Stop hook, or a client that has just begun, is let come to
# rest: it may go on by itself, and a prompt box may not take what is typed at once.
CALM_S = 1.0

# What a key says of a verb that was typed, or that nobody knows to have arrived; `GONE` is
# out of the queue, and whoever took it, a hook that was killed say, has not told.
SENT, NOT_DELIVERED, GONE = "sent", "not delivered", "gone"

NO_WINDOW, TURN, DIALOG, UNTRACKED = "no window", "end of turn", "its dialog", "untracked"
HALTED, EXPIRED, ENDING, ANOTHER, CALM = "halted", "expired", "ending", "other session", "a moment"
MOVED = "moved"
WHERE = "its conversation goes on in the background as another session: select that one"
# What a terminal is told of a verb that waits, and what for.
_TOLD = {
    TURN: "queued: it is sent when its turn ends",
    DIALOG: "queued: nothing is typed into an open dialog; it is sent when its turn ends",
    HALTED: "queued: nothing is sent while the fleet is halted",
    UNTRACKED: "queued: no hook has spoken for it yet: it is sent when its next turn ends",
    NO_WINDOW: "queued: its window cannot be typed into; it is sent when its next turn ends",
}

AT_REST = frozenset({State.IDLE, State.DONE, State.FAILED})
TAKES_LINES = frozenset({Status.IDLE, Status.SHELL})


@dataclass(frozen=True, slots=True)
class Waking:
    """Whether it may be woken now: if not, `why`, in a word for a key.

    `again` is when to ask again, epoch seconds; None: when something has happened.
    """

    why: str = ""
    again: float | None = None

    @property
    def due(self) -> bool:
        """Whether it may be woken now."""
        return not self.why

    @property
    def soon(self) -> bool:
        """Whether it may be woken now, or as soon as it has been at rest for a moment."""
        return self.due or self.again is not None


def waking(session: Session, staged: Staged, halted: bool, now: float) -> Waking:  # noqa: FBT001
    """Say whether `session` may be woken for `staged` at `now`, epoch seconds."""
    record = session.record
    if why := _never(session, staged, now) or (HALTED if halted else ""):
        return Waking(why)
    if not session.announced:
        # It would arrive, and nobody would tell: the next press would send it once more.
        return Waking(UNTRACKED)
    if session.headless or record is None or session.place.kind not in TYPEABLE:
        return Waking(NO_WINDOW)
    if record.status is Status.WAITING or witness.unanswered(session) or _blocked(session):
        return Waking(DIALOG)
    if record.session_id != staged.session_id:
        return Waking(ANOTHER)
    if not _at_rest(session, record):
        return Waking(TURN)
    calm_at = _since(session, record, now) + max(CALM_S, STANDS_S)
    return Waking() if now >= calm_at else Waking(CALM, calm_at)


def has_moved(session: Session) -> bool:
    """Say whether its conversation went on in another process: nothing reaches it here."""
    return session.record is not None and session.record.parked


def _never(session: Session, staged: Staged, now: float) -> str:
    """Return why this verb is not for this session any more, "" if it is."""
    if staged.expired(now):
        return EXPIRED
    if session.closed or ending.under_way(session) or ending.has_ended(session):
        return ENDING
    if has_moved(session):
        return MOVED
    same = (session.session_id, session.pid) == (staged.session_id, staged.pid)
    return "" if same else ANOTHER


def _blocked(session: Session) -> bool:
    return session.shown.state is State.BLOCKED


def _at_rest(session: Session, record: Record) -> bool:
    """Say whether no turn runs; work in the background leaves the prompt box free."""
    if record.status not in TAKES_LINES:
        return False
    state, reason = session.shown.told
    in_background = state is State.WORKING and reason is Reason.BACKGROUND
    return state in AT_REST or (in_background and record.status is Status.SHELL)


def _since(session: Session, record: Record, now: float) -> float:
    """Return since when nothing has happened, epoch seconds.

    What lies ahead was told before the clock was turned back: it was long ago.
    """
    told = (record.at, record.born, session.story.at, session.tool_at, session.decided_at)
    return max((at for at in told if at <= now + LAG_S), default=0.0)


def told(why: str) -> str:
    """Return what a terminal is told of a verb that waits for this reason, or after this fault."""
    return _TOLD.get(why, f"queued: {why}; it is tried again, and sent when its next turn ends")
