"""Guard a session: its high-risk tool calls are refused, whatever its permission mode.

It holds until --off, also where the session's own settings allow everything.
"""

from __future__ import annotations

import argparse
import signal
import sys
from typing import TYPE_CHECKING

from flightdeck.commands.result import Exit, Result
from flightdeck.commands.slot_argument import add_slot, occupied
from flightdeck.store import gates
from flightdeck.store.paths import StateFolder

if TYPE_CHECKING:
    from flightdeck.commands.result import Say

EXAMPLES = """examples:
  flightdeck gate 3            from the next call on
  flightdeck gate 3 --off"""

# Below the time the client gives its hook: past it, the shell around us refuses the call.
CHECK_S = 4.0
# The one word that lets a call through; `brakes.sh.j2` takes no other.
LET_THROUGH = "pass"
_GUARDED = "flightdeck: this session is GUARDED, and"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Take the slot and --off."""
    add_slot(parser, optional=True)
    parser.add_argument("--off", action="store_true", help="let its calls through again")
    # What the hook of a gated session asks, with the call on standard input.
    parser.add_argument("--check", default="", help=argparse.SUPPRESS)


def run(arguments: argparse.Namespace, say: Say) -> Result:
    """Gate the session in the slot, or open its gate.

    Raises:
        FlightdeckError: nobody is in the slot.
        Refused: the session has no id yet.
        Unavailable: the state folder cannot be written.
    """
    folder = StateFolder.from_environment()
    if arguments.check:
        return _checked(folder, arguments.check)
    if arguments.slot is None:
        return Result((), ("flightdeck: no slot is named", "  hint: flightdeck gate 3"), Exit.USAGE)
    from flightdeck.fold.opening import fold_once, open_fold  # noqa: PLC0415 - not for a check

    fold = open_fold(folder)
    view = occupied(fold_once(fold)[0].fleet, arguments.slot)
    gates.set_to(folder, view.session_id, closed=not arguments.off)
    fold_once(fold)  # the snapshot says so too
    if arguments.off:
        return Result((f"slot {view.slot} is not gated",))
    return Result((f"slot {view.slot} is GUARDED: its high-risk calls are refused",))


def _checked(folder: StateFolder, event: str) -> Result:
    """Judge the call on standard input: one word if it may pass, else its refusal.

    The default deed of the signal ends the process even inside a parser that is stuck.
    """
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_REAL, CHECK_S)
    from flightdeck.agents.claude_code.calls import call_of, refusal  # noqa: PLC0415
    from flightdeck.fold.gating import objection  # noqa: PLC0415 - neither is for a person

    try:
        against = objection(folder, call_of(sys.stdin.buffer.readline()))
    except Exception as error:  # whatever it is, the call cannot be told to be harmless
        against = f"the call cannot be judged ({type(error).__name__})"
    if against:
        return Result((refusal(event, f"{_GUARDED} {against}."),), code=Exit.NO)
    return Result((LET_THROUGH,))
