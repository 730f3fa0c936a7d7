"""What a session shows, weighed from its three witnesses; the second one ends lies.

Esc, "No", a terminal "Yes" and a killed client fire no hook. The agent's own registry
record says so within milliseconds, but it can flicker, and it knows nothing of a
failed turn or of a sub-agent's request that a hook still holds. So:

- a record counts against the story only if its status began after the story's last
  change, or if it still disagrees long after it (`LAG_S`);
- an `idle` must stand (`STANDS_S`) before it ends a turn no hook has ended, unless the
  hook of an open dialog has ended with it: the client ends it at "No" and Esc;
- green needs both: a `Stop` is a hint, another hook may send the agent on;
- so must a `busy` that follows the very start or end of a conversation: a turn is told of
  by its prompt, and `/clear` is none;
- red is never inferred and never overruled by an idle record, only by a turn that
  began after the failure; one that was reported outlives turns too, see `failing`.

No clock, no files: `now` is an argument, and the answer names when to ask again.

Source: README.md, "How a key gets its colour".
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from flightdeck.model import ending, failing
from flightdeck.model.lifecycle import Reason, State
from flightdeck.model.session import Shown, Status, Story
from flightdeck.model.transition import NUDGE_LAG_S

if TYPE_CHECKING:
    from flightdeck.model.session import Record, Request, Session

STANDS_S = 0.15  # an idle of 12 ms was seen while a sub-agent ended
QUEUED_S = 0.5  # between a turn and a prompt queued behind it a busy client rests for 0.2 s
LAG_S = 2.0  # far beyond the 55 ms a record was ever seen to trail a hook
ANSWER_LAG_S = 1.0  # the record of a busy client was seen to trail by 0.7 s a tool result
DECISION_LAG_S = 2.0  # or a decision its hook took, that proves the dialog was answered
CLEARS_S = 0.5  # a client is busy for a tenth of a second after /clear has ended a conversation
FAILURE_LAG_S = 0.5  # the record of a failing turn is still busy when the failure is told
_LATER_S = 0.001  # the least `again` is ahead of now, or a rounding would spin


def weigh(session: Session, now: float) -> tuple[Session, float | None]:
    """Return the session with `shown` decided, and when to ask again (None: at the next event)."""
    session = _within(session, now)
    believed = _believed(session, now)
    session = _confirm(session, believed)
    session = _conclude(_resume(session, now), believed)
    session = ending.overtaken(session)
    shown, again = _decide(session, now)
    session = failing.asked_since(session, shown)
    shown = ending.shown(session, failing.shown(session, shown))
    if record := session.record:
        lingers = any(_over(r, record) for r in session.requests)
        again = _earlier(again, record.at + STANDS_S if lingers else None)
    before = session.shown
    same = (shown.state, shown.reason) == (before.state, before.reason)
    # A turn is told of many times over; every other state begins with what told it.
    if same and shown.state is State.WORKING:
        shown = replace(shown, since=before.since)
    seen = session.seen and shown.state is before.state
    if (shown, seen) != (session.shown, session.seen):
        session = replace(session, shown=shown, seen=seen)
    return session, None if again is None else max(again, now + _LATER_S)


def _within(session: Session, now: float) -> Session:
    """Bring back times that lie ahead: the clock was turned back, every hook would be late."""
    if max(session.story.at, session.reported) <= now + LAG_S:
        return session
    return replace(
        session,
        story=replace(session.story, at=min(session.story.at, now)),
        requests=tuple(replace(r, since=min(r.since, now)) for r in session.requests),
        tool_at=min(session.tool_at, now),
        decided_at=min(session.decided_at, now),
        reported=min(session.reported, now),
    )


def _believed(session: Session, now: float) -> float:
    """Return the time for which an idle is judged: a second witness spares it to stand."""
    record = session.record
    if record is None or record.status is not Status.IDLE:
        return now
    told = any(r.ended and not r.thread and _over(r, record) for r in session.requests)
    return max(now, record.at + STANDS_S) if told else now


def _confirm(session: Session, now: float) -> Session:
    """Mark requests whose dialog the registry confirms, drop those it says are over."""
    record = session.record
    if record is None or not session.requests:
        return session
    if record.status is Status.WAITING:
        marked = tuple(
            replace(r, seen_waiting=True)
            if record.at >= r.since or now >= r.since + ANSWER_LAG_S
            else r
            for r in session.requests
        )
        return replace(session, requests=marked)
    stood = _stood(record, now)
    kept = tuple(r for r in session.requests if not (stood and _over(r, record)))
    return replace(session, requests=kept)


def _over(request: Request, record: Record) -> bool:
    """Say whether the record, no longer waiting, proves that the request was answered.

    A sub-agent's request shows no dialog while a hook holds it, and its session is
    `busy` all the while: only a dialog that was seen can be seen to close, or the
    sub-agent be gone. A reminder speaks of a dialog that opened seconds before it.
    """
    opened = request.since - (NUDGE_LAG_S if request.how == "notification" else 0.0)
    if record.status is Status.WAITING or record.at <= opened:
        return False
    return not request.thread or request.seen_waiting or record.status is not Status.BUSY


def _resume(session: Session, now: float) -> Session:
    """Write into the story that a turn runs which no hook announced.

    Another hook refused a Stop, a queued prompt began, a failed turn was taken up
    again: without it the end of that turn would bring back what stood before it.
    """
    story, record = session.story, session.record
    if record is None or record.status is not Status.BUSY or session.closed:
        return session
    if story.state is State.WORKING or not _began_after(story, record):
        return session
    if not _stood(record, now):
        return session
    return replace(session, story=Story(State.WORKING, Reason.TURN, record.at, how="registry"))


def _conclude(session: Session, now: float) -> Session:
    """Write into the story what the record proves for good: the turn or the work is over."""
    story, record = session.story, session.record
    if record is None or record.status is not Status.IDLE or story.state is not State.WORKING:
        return session
    if session.requests or not _overrules(record, story, now) or not _stood(record, now):
        return session
    if story.reason is Reason.BACKGROUND and story.untold:
        return session
    state, reason = State.IDLE, None
    if story.reason is Reason.BACKGROUND:
        state = State.DONE
    elif story.reason is Reason.COMPACTING and story.back_to[0] is not State.WORKING:
        state, reason = story.back_to
    ended = Story(state, reason, max(record.at, story.at), error=story.error, how="registry")
    return replace(session, story=ended)


def _stood(record: Record, now: float, for_s: float = STANDS_S) -> bool:
    # Compared as it is asked for: `again` is exactly the moment this becomes true.
    return now >= record.at + for_s or record.at > now + LAG_S  # or the clock was turned back


def _began_after(story: Story, record: Record) -> bool:
    return record.at > story.at + (FAILURE_LAG_S if story.state is State.FAILED else 0.0)


def _overrules(record: Record, story: Story, now: float) -> bool:
    return record.at > story.at or now >= story.at + LAG_S


def _decide(session: Session, now: float) -> tuple[Shown, float | None]:
    story, record = session.story, session.record
    if session.closed:
        return Shown(State.EMPTY, how=story.how, since=story.at), None
    if blocking := unanswered(session):
        first = min(blocking, key=lambda r: r.since)
        return Shown(State.BLOCKED, first.reason, first.how, first.since), None
    if record is None:
        return _as_told(story), None
    if record.status is Status.WAITING:
        return _waiting(session, record, now)
    if record.status is Status.IDLE:
        return _at_rest(story, record, now)
    return _running(story, record, now)


def unanswered(session: Session) -> tuple[Request, ...]:
    """Return the requests nothing says are over; a record that does so is believed at once."""
    record = session.record
    # An idle that has not stood yet may be a flicker: the requests still count.
    if record is None or record.status is Status.IDLE:
        return session.requests
    return tuple(r for r in session.requests if not _over(r, record))


def _as_told(story: Story) -> Shown:
    error = story.error if story.state is State.FAILED else ""
    return Shown(story.state, story.reason, story.how, story.at, error)


def _clears(story: Story, record: Record) -> bool:
    """Say whether it may be busy with no more than putting a conversation away."""
    fresh = story.state is State.IDLE and story.how == "hook" and story.at > 0
    return fresh and story.at < record.at < story.at + CLEARS_S


def _not_green(story: Story, record: Record, reason: Reason) -> Shown:
    """Stop came, the client runs on: another hook blocked it, a prompt was queued."""
    if story.state is State.DONE:
        return Shown(State.WORKING, reason, "registry", max(record.at, story.at))
    return _as_told(story)


def _earlier(one: float | None, other: float | None) -> float | None:
    return min((at for at in (one, other) if at is not None), default=None)


def _at_rest(story: Story, record: Record, now: float) -> tuple[Shown, float | None]:
    """Between a turn and the prompt queued behind it the record is idle for a moment."""
    if story.state is State.DONE and story.queued and not _stood(record, now, QUEUED_S):
        return _not_green(story, record, Reason.TURN), record.at + QUEUED_S
    if not story.at:  # no hook ever told anything
        return Shown(story.state, how="registry", since=record.at), None
    return _as_told(story), _settles_at(story, record)


def _settles_at(story: Story, record: Record) -> float | None:
    """When an idle record that disagrees with a working story will have to be believed."""
    if story.state is not State.WORKING or (story.untold and story.reason is Reason.BACKGROUND):
        return None
    return record.at + STANDS_S if record.at > story.at else story.at + LAG_S


def _waiting(session: Session, record: Record, now: float) -> tuple[Shown, float | None]:
    """A dialog no request of ours stands for: the client's own, or one older than the hooks."""
    lags = {
        max(session.story.at, session.tool_at): ANSWER_LAG_S,
        session.decided_at: DECISION_LAG_S,
    }
    until = max((at + lag for at, lag in lags.items() if record.at < at), default=now)
    if now < until:
        return _not_green(session.story, record, Reason.TURN), until
    reason = record.waiting_for or Reason.INPUT
    return Shown(State.BLOCKED, reason, "registry", record.at), None


def _running(story: Story, record: Record, now: float) -> tuple[Shown, float | None]:
    """The record says busy, or that a background shell runs."""
    reason = Reason.BACKGROUND if record.status is Status.SHELL else Reason.TURN
    if story.state is State.WORKING:
        if story.reason is Reason.TURN and record.at > story.at:
            return replace(_as_told(story), reason=reason), None
        return _as_told(story), None
    again = None if _stood(record, now) else record.at + STANDS_S
    if again is not None and _clears(story, record):
        return _as_told(story), again
    if _began_after(story, record):
        return Shown(State.WORKING, reason, "registry", record.at), again
    if story.state is not State.IDLE:
        return _not_green(story, record, reason), None
    if now >= story.at + LAG_S:
        return Shown(State.WORKING, reason, "registry", story.at), None
    return _as_told(story), story.at + LAG_S
