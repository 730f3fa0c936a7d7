"""Say why a key shows what it shows: every witness, what it said and when."""

from __future__ import annotations

from dataclasses import fields
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from flightdeck.commands.plain import plain
from flightdeck.commands.result import Result
from flightdeck.commands.slot_argument import add_slot, occupied
from flightdeck.fold.opening import fold_once, open_fold
from flightdeck.model import ending
from flightdeck.model.lifecycle import Reason, State
from flightdeck.model.sending import staged_for
from flightdeck.store.paths import StateFolder
from flightdeck.system import clock

if TYPE_CHECKING:
    import argparse

    from flightdeck.commands.result import Say
    from flightdeck.model.fleet import Fleet, SlotView
    from flightdeck.model.place import Place
    from flightdeck.model.session import Request, Session, Teardown

_WITNESS = {
    "hook": "a hook of the agent said so",
    "registry": "the agent's own registry says so; no hook spoke later, or it outlasted the hook",
    "notification": "the agent's late reminder said so; nothing newer spoke against it",
    "transcript": "the transcript says the turn was interrupted",
    "teardown": "a teardown of it is under way, or was refused",
    "reported": "the agent, or somebody for it, reported a failure: `flightdeck fail`",
    "cleared": "somebody took its failure off: `flightdeck fail --clear`",
    "deck": "it was answered from the deck",
}

EXAMPLES = """examples:
  flightdeck explain 0"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Take the slot."""
    add_slot(parser)


def run(arguments: argparse.Namespace, say: Say) -> Result:
    """Return the evidence behind one slot."""
    fold = open_fold(StateFolder.from_environment())
    outcome, panel = fold_once(fold)
    view = occupied(outcome.fleet, arguments.slot)
    session = fold.session(view.key)
    now, running = clock.now(), panel["running"]
    lines = _lines(session, view.branch, now, running=running)
    lines += _queued(outcome.fleet, view, session, now, running=running)
    lines += _braked(outcome.fleet, view)
    return Result(tuple(map(plain, lines)))


def _queued(
    fleet: Fleet, view: SlotView, session: Session, now: float, *, running: bool
) -> list[str]:
    """Return which verb waits for it, what for, and how long it will."""
    staged = staged_for(fleet, view)
    if staged is None:
        return []
    return [
        f"queued    {staged.verb}, since {_at(staged.at, now)}",
        f"  waits   {_waits_for(session, halted=fleet.halted, running=running)}",
        f"  expires {_ahead(staged.until, now) if staged.until else 'never'}",
    ]


def _waits_for(session: Session, *, halted: bool, running: bool) -> str:
    if halted:
        return "for the halt to be lifted"
    state, reason = session.shown.told
    in_turn = state is State.WORKING and reason is not Reason.BACKGROUND
    if in_turn or state is State.BLOCKED:
        return "for the end of its turn"
    if not running:
        return "for the end of its next turn: no panel runs that could wake it"
    return "until it is at rest, or for the end of its next turn where it cannot be woken"


def _braked(fleet: Fleet, view: SlotView) -> list[str]:
    """Return what holds its tool calls back; the latch is nothing to who runs without our hooks."""
    lines: list[str] = []
    if fleet.halted:
        beyond = "untracked, out of its reach" if view.untracked else "no new tool call runs"
        lines.append(f"halted    {beyond}; `flightdeck halt --off` lifts it")
    if view.gated:
        mend = f"`flightdeck gate {view.slot} --off` ends it"
        lines.append(f"gated     its high-risk calls are refused; {mend}")
    return lines


def _lines(session: Session, branch: str, now: float, *, running: bool) -> list[str]:
    shown, story, record = session.shown, session.story, session.record
    lines = [
        (
            f"shows     {_story(shown.state.value, shown.reason, shown.error)},"
            f" since {_at(shown.since, now)}"
        ),
        f"because   {_WITNESS.get(shown.how, shown.how)}",
        f"hooks     {_story(story.state.value, story.reason, story.error)}, {_at(story.at, now)}"
        if session.announced
        else "hooks     none ever spoke for this session: it is older than the install",
        f"registry  {record.status.value}, since {_at(record.at, now)}"
        if record
        else "registry  no record: hooks, process and transcript alone decide",
        f"process   pid {session.pid}, {'ended' if ending.has_ended(session) else 'alive'}",
        f"window    {_window(session.place)}",
        f"session   {session.session_id or 'unknown'} ({session.agent}) in {session.cwd or '?'}"
        + (f" on {branch}" if branch else ""),
    ]
    if session.reported:
        lines += [
            f"reported  a failure, {_at(session.reported, now)}",
            "  the next prompt takes it off, and so does `flightdeck fail --clear SLOT`",
        ]
    if session.teardown:
        lines += _torn(session.teardown, now)
    for request in session.requests:
        lines += _waiting(request, now, running=running)
    if session.stale:
        lines.append("stale     its window was gone when a press looked for it")
    return lines


def _torn(teardown: Teardown, now: float) -> list[str]:
    """Return who tears it down, or why it was refused and how to be rid of that."""
    since = f"since {_at(teardown.at, now)}"
    if teardown.by:
        return [f"teardown  under way by pid {teardown.by}, {since}"]
    return [
        f"teardown  refused, {teardown.check}: {teardown.words}, {since}",
        "  read it? a press of its key, or `flightdeck fail --clear SLOT`, takes it off the key",
    ]


def _waiting(request: Request, now: float, *, running: bool) -> list[str]:
    """Return what waits and who can answer it, then what its call was judged to be, and why.

    A panel that was killed has left the record of what it held behind: nothing is held then.
    """
    who = " (sub-agent)" if request.thread else ""
    where = "held for the deck" if running and request.held else "in terminal"
    what, since = f"{request.reason.value} {request.tool}{who}", _at(request.since, now)
    lines = [f"waiting   {what}, since {since}, {where}"]
    if request.tier:
        times = f", asked {request.repeats} times" if request.repeats > 1 else ""
        rule = f"rule {request.rule}" if request.rule else "no rule speaks of it"
        lines.append(f"  tier    {request.tier}: {rule}{times}")
    return lines


def _story(state: str, reason: object, error: str) -> str:
    why = error or getattr(reason, "value", "")
    return f"{state} ({why})" if why else state


def _window(place: Place) -> str:
    known = [f"{f.name}={getattr(place, f.name)}" for f in fields(place) if getattr(place, f.name)]
    return " ".join(known).removeprefix("kind=")


def _at(moment: float, now: float) -> str:
    clock_time = _clock_time(moment)
    if not clock_time:
        return "an unknown time"
    return f"{clock_time} ({max(0.0, now - moment):.1f} s ago)"


def _ahead(moment: float, now: float) -> str:
    return f"{_clock_time(moment) or 'some time'} (in {max(0.0, moment - now):.1f} s)"


def _clock_time(moment: float) -> str:
    """Return the local time of day, "" for a time nobody knows."""
    if not moment:
        return ""
    try:
        return f"{datetime.fromtimestamp(moment, UTC).astimezone():%H:%M:%S}"
    except (ValueError, OverflowError, OSError):  # a record somebody edited
        return ""
