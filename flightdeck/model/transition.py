"""What a hook's signal does to a session: the story it tells and the requests that wait.

Every pair of state and signal has an answer: hooks come late, twice or out of order,
and a rule that raised would lose somebody's key. No clock, no files.

A state is never inferred from silence; only `witness.py` may overrule the story. Which
requests a signal settles is told in `settling.py`.

Source: README.md, "The state table"; how the client really behaves: its hooks, section
"PermissionRequest", and the public reports named in the tests.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from flightdeck.model import failing, settling, staged, tally
from flightdeck.model.lifecycle import Reason, State
from flightdeck.model.session import Request, Story
from flightdeck.model.signal import Kind

if TYPE_CHECKING:
    from collections.abc import Callable

    from flightdeck.model.session import Session
    from flightdeck.model.signal import Signal

# A notification speaks of a dialog that opened six seconds before it, so it says
# nothing new to a session that was seen at work more recently than this.
NUDGE_LAG_S = 5.0


def apply(session: Session, signal: Signal) -> Session:
    """Return the session after `signal`; its `shown` state is not touched."""
    session = failing.gone_on(_with_facts(session, signal), signal)
    return _RULES[signal.kind](session, signal)


def _with_facts(session: Session, signal: Signal) -> Session:
    if _late(session, signal):  # its facts are of the conversation before
        return replace(session, announced=True)
    facts = signal.facts
    # A sub-agent may work in a folder of its own, which is not where its session is.
    cwd = session.cwd if signal.thread and session.cwd else facts.cwd
    return replace(
        session,
        announced=True,
        session_id=facts.session_id or session.session_id,
        cwd=cwd or session.cwd,
        title=session.title if facts.title is None else facts.title,
        permission_mode=facts.permission_mode or session.permission_mode,
        transcript=facts.transcript or session.transcript,
        entrypoint=facts.entrypoint or session.entrypoint,
        place=facts.place or session.place,
        stale=False if facts.place not in {None, session.place} else session.stale,
    )


def _late(session: Session, signal: Signal) -> bool:
    return signal.at < session.story.at


def _in_turn(session: Session) -> bool:
    story = session.story
    return story.state is State.WORKING and story.reason is not Reason.BACKGROUND


def _tell(session: Session, story: Story) -> Session:
    """Return the session with `story` told, unless what happened since stands."""
    told = session.story
    if story.at < told.at:
        return session
    # Whatever was seen of the state before, nobody has seen this one.
    return replace(session, story=story, seen=session.seen and story.state is told.state)


def _started(session: Session, signal: Signal) -> Session:
    """A new conversation in this process: nothing of the old one waits any more."""
    settled = settling.without(session, signal, settling.anyone)
    if _late(session, signal):
        return settled
    fresh = replace(settled, closed=False, title=signal.facts.title or "", tally=())
    return _tell(fresh, Story(State.IDLE, at=signal.at))


def _prompted(session: Session, signal: Signal) -> Session:
    """A typed prompt: nobody can type past a dialog of the main thread, so none is open."""
    settled = settling.without(session, signal, settling.main_thread)
    arrived = staged.remembered(settled.arrived, signal.token)
    settled = replace(settled, arrived=arrived)
    if not _late(session, signal):
        settled = replace(settled, tally=())
    return _woken(settled, signal)


def _woken(session: Session, signal: Signal) -> Session:
    """Background work woke the agent by itself; a dialog may still be open."""
    awake = replace(session, closed=session.closed and _late(session, signal))
    story = session.story
    queued = story.queued if story.at == signal.at else _in_turn(session)
    return _tell(awake, Story(State.WORKING, Reason.TURN, signal.at, queued=queued))


def _tool_started(session: Session, signal: Signal) -> Session:
    return _at_work(settling.by_progress(session, signal), signal)


def _tool_ended(session: Session, signal: Signal) -> Session:
    return _at_work(settling.by_result(session, signal), signal)


def _at_work(session: Session, signal: Signal) -> Session:
    """A tool runs: the main thread is in a turn, a sub-agent is background work."""
    session = replace(session, tool_at=max(session.tool_at, signal.at))
    if signal.thread:
        return _in_background(session, signal)
    if _in_turn(session) and session.story.reason is Reason.TURN:
        return session
    return _working(session, Reason.TURN, signal)


def _working(session: Session, reason: Reason, signal: Signal) -> Session:
    """It works; told once more at its very moment, the story keeps what it knew."""
    queued = session.story.queued and session.story.at == signal.at
    return _tell(session, Story(State.WORKING, reason, signal.at, queued=queued))


def _in_background(session: Session, signal: Signal) -> Session:
    """A sub-agent lives: that neither ends a turn nor mends one that failed."""
    if session.story.state in {State.WORKING, State.FAILED}:
        return session
    return _working(session, Reason.BACKGROUND, signal)


def _asked(session: Session, signal: Signal) -> Session:
    over = session.closed if signal.thread else not _in_turn(session)
    if over and _late(session, signal):
        return session  # the turn or the client that asked it has ended since
    request = Request(
        request_id=signal.request_id,
        reason=signal.reason or Reason.PERMISSION,
        since=signal.at,
        tool=signal.tool,
        thread=signal.thread,
        fingerprint=signal.fingerprint,
        alone=signal.alone,
        tier=signal.tier,
        rule=signal.rule,
        suggestions=signal.suggestions,
        waits=signal.waits,
    )
    if not any(settling.twins(r, request) for r in session.requests):
        session = _with_request(session, request)
    if signal.thread:
        return _in_background(session, signal)
    if _in_turn(session):
        return session
    return _working(session, Reason.TURN, signal)


def _with_request(session: Session, request: Request) -> Session:
    """Add it: it says more than the nudge before it that stood in for it."""
    counts, repeats = tally.counted(session.tally, request)
    known = tuple(r for r in session.requests if r.how == "hook" or r.since > request.since)
    requests = (*known, replace(request, repeats=repeats))
    return replace(session, requests=requests, tally=counts, closed=False, seen=False)


def _answered(session: Session, signal: Signal) -> Session:
    """An MCP server's question was answered, by whatever means."""
    settled = settling.without(
        session, signal, lambda r: r.tool == signal.tool and r.thread == signal.thread
    )
    return _at_work(settled, signal)


def _decided(session: Session, signal: Signal) -> Session:
    """The panel answered this very request: no hook tells of it before its tool has run."""
    request = next((r for r in session.requests if r.request_id == signal.request_id), None)
    if request is None:
        return session
    kept = tuple(r for r in session.requests if r is not request)
    decided_at = max(session.decided_at, signal.at)
    settled = replace(session, requests=kept, decided_at=decided_at)
    if signal.interrupt and not request.thread:
        # With the turn ends whatever else its thread was asking.
        settled = settling.without(settled, signal, settling.main_thread)
        return _tell(settled, Story(State.IDLE, at=signal.at, how="deck"))
    return _at_work(settled, replace(signal, thread=request.thread))


def _nudged(session: Session, signal: Signal) -> Session:
    """The late, typed reminder of an open dialog: believed only where nothing newer speaks."""
    newest = max(session.story.at, session.tool_at)
    if session.requests or signal.at - newest < NUDGE_LAG_S or session.closed:
        return session
    request = Request(
        request_id=signal.request_id,
        reason=signal.reason or Reason.INPUT,
        since=signal.at,
        alone=True,
        how="notification",
    )
    return replace(session, requests=(request,), seen=False)


def _turn_ended(session: Session, signal: Signal) -> Session:
    """The main thread stopped; a failure it reported before outlives the end of its turn.

    A sub-agent that still asks is among what the turn left running: where nothing is,
    nobody asks any more, not even one that was killed without a word.
    """
    running = signal.running or signal.untold
    whose = settling.main_thread if running else settling.anyone
    session = settling.without(session, signal, whose)
    if session.story.state is State.FAILED:
        return session
    if not running:
        return _tell(session, Story(State.DONE, at=signal.at, queued=session.story.queued))
    return _tell(session, Story(State.WORKING, Reason.BACKGROUND, signal.at, untold=signal.untold))


def _turn_failed(session: Session, signal: Signal) -> Session:
    session = settling.without(session, signal, settling.main_thread)
    return _tell(session, Story(State.FAILED, at=signal.at, error=signal.error))


def _interrupted(session: Session, signal: Signal) -> Session:
    session = settling.without(session, signal, settling.main_thread)
    return _tell(session, Story(State.IDLE, at=signal.at, how="transcript"))


def _compacting(session: Session, signal: Signal) -> Session:
    story = session.story
    if story.reason is Reason.COMPACTING:
        return session
    back_to = (story.state, story.reason)
    compacting = Story(State.WORKING, Reason.COMPACTING, signal.at, story.error, back_to)
    return _tell(session, compacting)


def _compacted(session: Session, signal: Signal) -> Session:
    """Compaction is over: back to the turn it came in, or to the rest it was asked for in."""
    story = session.story
    if story.reason is not Reason.COMPACTING:
        return session
    state, reason = story.back_to
    return _tell(session, Story(state, reason, signal.at, story.error))


def _subagent_ended(session: Session, signal: Signal) -> Session:
    if not signal.thread:
        return session
    return settling.without(session, signal, lambda r: r.thread == signal.thread)


def _unchanged(session: Session, signal: Signal) -> Session:
    return session


def _left(session: Session, signal: Signal) -> Session:
    """The conversation was put away, the process goes on: its key stays."""
    settled = settling.without(session, signal, settling.anyone)
    title = session.title if _late(session, signal) else ""
    return _tell(replace(settled, title=title), Story(State.IDLE, at=signal.at))


def _closed(session: Session, signal: Signal) -> Session:
    settled = settling.without(session, signal, settling.anyone)
    closed = session.closed or not _late(session, signal)
    return _tell(replace(settled, closed=closed), Story(State.EMPTY, at=signal.at))


_RULES: dict[Kind, Callable[[Session, Signal], Session]] = {
    Kind.STARTED: _started,
    Kind.PROMPTED: _prompted,
    # The Stop hook had a verb: what would have been the end of the turn is a prompt.
    Kind.DELIVERED: _prompted,
    Kind.WOKEN: _woken,
    Kind.TOOL_STARTED: _tool_started,
    Kind.TOOL_ENDED: _tool_ended,
    Kind.ASKED: _asked,
    Kind.ANSWERED: _answered,
    Kind.DECIDED: _decided,
    Kind.NUDGED: _nudged,
    Kind.TURN_ENDED: _turn_ended,
    Kind.TURN_FAILED: _turn_failed,
    Kind.INTERRUPTED: _interrupted,
    Kind.COMPACTING: _compacting,
    Kind.COMPACTED: _compacted,
    Kind.SUBAGENT_ENDED: _subagent_ended,
    Kind.MOVED: _unchanged,
    Kind.LEFT: _left,
    Kind.CLOSED: _closed,
}
