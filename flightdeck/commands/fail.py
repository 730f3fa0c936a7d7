"""Report that this session has failed: its key turns red and stays so when the turn ends.

An agent calls it without any argument, and its own session is found. SLOT is for a person.
With --clear it takes a failure off: a reported one, the client's own, a refused teardown.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from flightdeck.commands.plain import plain
from flightdeck.commands.result import Result
from flightdeck.commands.slot_argument import add_slot, existing, occupied
from flightdeck.errors import FlightdeckError, Refused
from flightdeck.fold.opening import fold_once, open_fold
from flightdeck.model import ending, failing
from flightdeck.model.calling import Surroundings, caller
from flightdeck.model.lifecycle import State
from flightdeck.model.place import place_from
from flightdeck.store.paths import StateFolder
from flightdeck.system import clock, process

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Mapping

    from flightdeck.commands.result import Say
    from flightdeck.fold.folding import Fold
    from flightdeck.model.session import Session

EXAMPLES = """examples:
  flightdeck fail                 from the shell of an agent: its own session
  flightdeck fail --explain       what an agent has to know of it
  flightdeck fail --clear 3"""

# What Claude Code gives every command it runs.
SESSION_ID, CLIENT_PID = "CLAUDE_CODE_SESSION_ID", "CLAUDE_PID"
# No process has a longer number, and a text of any length is none.
_DIGITS = 10
_BY_HAND = "name the slot: `flightdeck status` shows who is where, then `flightdeck fail SLOT`"

CONTRACT = """\
flightdeck fail: tell your operator that this session has failed.

What it does  Turns your key on the operator's panel red, and keeps it red when your turn
              ends. Without it, a turn that ends in a failure looks like one that went
              well. Nothing else happens: nobody is written to, nothing is stopped.
How to call   flightdeck fail            marks your own session
              flightdeck fail --clear    takes the mark off again
              There is no slot number to give: your session is found by the process and
              the environment of the command. So run it in your own shell, in a sub-agent
              as well; not in a container, over ssh, or in a job that outlives your turn.
              It takes no reason. Say in your answer what failed and what you tried.
When to       You are about to stop, and what you were asked for is not done: the tests
              or the build still fail, the push was refused, something is missing.
When not to   You are still trying. A command failed and you mended it. You need a
              decision: ask for it. You were asked to review something, and found faults.
Twice         Marking twice is the same as once, and so is clearing.
Until when    Your operator's next prompt, a request of yours that waits for an answer, a
              new conversation, or --clear.
Exit status   0  your session is marked; with --clear, it has no failure any more
              1  nothing was done, and the message says why. Do not guess a slot number:
                 say in your answer that you could not mark it, and stop as you would have
              2  it was called wrongly
              3  a fault in flightdeck itself"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Take the slot, --clear and --explain."""
    add_slot(parser, optional=True)
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--clear", action="store_true", help="take the failure off the key")
    what.add_argument(
        "--explain", action="store_true", help="print what an agent has to know of it"
    )


def run(arguments: argparse.Namespace, say: Say) -> Result:
    """Mark the session, or clear it.

    Raises:
        FlightdeckError: nobody is in the slot, or its agent has ended.
        Refused: no slot is named, and whose command this is cannot be told.
        Unavailable: the state folder cannot be written.
    """
    if arguments.explain:
        return Result(tuple(CONTRACT.splitlines()))
    if arguments.slot is None:
        _see_the_client(os.environ)
    fold = open_fold(StateFolder.from_environment())
    fleet = fold_once(fold)[0].fleet
    if arguments.slot is None:
        session = _calling(fold, os.environ)
    elif arguments.clear and existing(fleet, arguments.slot).state is State.EMPTY:
        return Result((f"slot {arguments.slot} had no failure",))
    else:
        session = fold.session(occupied(fleet, arguments.slot).key)
    return _clear(fold, session) if arguments.clear else _mark(fold, session)


def _see_the_client(environ: Mapping[str, str]) -> None:
    """Refuse where the client's process is not to be seen, before anything is folded.

    In a sandbox with processes of its own every session would look as if it had ended.
    """
    pid = environ.get(CLIENT_PID, "")
    if pid.isdecimal() and (len(pid) > _DIGITS or process.start_of(int(pid)) is None):
        raise Refused(
            f"whose command this is cannot be told: process {plain(pid)[:20]}, which"
            f" {CLIENT_PID} names, has ended or cannot be seen from here",
            _BY_HAND,
        )


def _calling(fold: Fold, environ: Mapping[str, str]) -> Session:
    """Return the session this command was called from.

    Raises:
        Refused: that cannot be told.
    """
    around = Surroundings(
        ancestors=process.parents_of(os.getpid()),
        session_id=environ.get(SESSION_ID, ""),
        client_pid=environ.get(CLIENT_PID, ""),
        place=place_from(environ),
    )
    found = caller(around, fold.sessions())
    if found.against:
        looked_at = plain(f"looked at {', '.join(found.looked_at)}")
        raise Refused(
            plain(f"whose command this is cannot be told: {found.against}"),
            f"{looked_at}; {_BY_HAND}",
        )
    return fold.session(found.key)


def _mark(fold: Fold, session: Session) -> Result:
    """Report its failure.

    Raises:
        FlightdeckError: its agent has ended, and nobody is left to have failed.
    """
    if ending.has_ended(session):
        raise FlightdeckError(
            f"the agent of {_name(session)} has ended",
            f"`flightdeck explain {session.slot}` says why it still has its key",
        )
    now = clock.now()
    left = _written(fold, session.key, lambda one: failing.reported(one, now))
    if left is None or left.closed:
        raise FlightdeckError(f"the agent of {_name(session)} has just ended")
    if left.shown.state is State.BLOCKED:
        return Result((f"{_name(left)} is marked as failed: amber first, for it waits",))
    return Result((f"{_name(left)} is marked as failed",))


def _clear(fold: Fold, session: Session) -> Result:
    if not failing.stands(session):
        return Result((f"{_name(session)} had no failure",))
    _written(fold, session.key, failing.cleared)
    ended = ending.has_ended(session)
    left = "its agent had ended, the slot is free" if ended else "its agent runs on"
    return Result((f"{_name(session)} is cleared: {left}",))


def _written(fold: Fold, key: str, amend: Callable[[Session], Session]) -> Session | None:
    """Fold with this fact of one session, and return it as it is then, None if it has gone."""
    fold_once(fold, lambda session: amend(session) if session.key == key else session)
    return next((session for session in fold.sessions() if session.key == key), None)


def _name(session: Session) -> str:
    if session.slot is None:
        return f"the session of process {session.pid}, which has no slot,"
    return f"slot {session.slot}"
