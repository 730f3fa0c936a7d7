"""Stop the fleet: no new tool call of any agent runs until --off.

What runs already goes on, unless the Esc that goes to every working agent lands. Works
with or without a running panel.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from flightdeck.commands.panel_door import ask_panel
from flightdeck.commands.plain import plain
from flightdeck.commands.result import Result
from flightdeck.errors import FlightdeckError
from flightdeck.fold.opening import fold_once, open_fold
from flightdeck.hosts.catalogue import Hosts
from flightdeck.model.halt import RUNS_ON, STOPS_S, at_work, runs_on, who
from flightdeck.store import latch
from flightdeck.store.paths import StateFolder
from flightdeck.system import clock

if TYPE_CHECKING:
    import argparse

    from flightdeck.commands.result import Say
    from flightdeck.fold.folding import Fold
    from flightdeck.model.session import Session

_EVERY_S = 0.05

EXAMPLES = """examples:
  flightdeck halt
  flightdeck halt --off        from a terminal it lifts the latch at once"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Take --off."""
    parser.add_argument("--off", action="store_true", help="lift the latch")


def run(arguments: argparse.Namespace, say: Say) -> Result:
    """Set the latch before anything else, or lift it; return what is true now.

    Raises:
        Refused: what stands in the latch's place cannot be taken away.
        Unavailable: the latch can be neither set nor lifted; all is as it was.
    """
    folder = StateFolder.from_environment()
    return _lift(folder) if arguments.off else halt(folder)


def halt(folder: StateFolder) -> Result:
    """Set the latch before anything else, and return what was done to whom.

    Raises:
        Unavailable: the latch cannot be set.
    """
    newly = latch.put(folder)
    done, notes = _seen_to(folder, newly=newly)
    first = "HALTED" if newly else "HALTED already"
    line = f"{first}: no new tool call runs{done}{_beyond_reach(folder)}"
    return Result((line,), tuple(notes))


def _seen_to(folder: StateFolder, *, newly: bool) -> tuple[str, list[str]]:
    """Have who waits refused and who works interrupted; say how many, and who was not."""
    try:
        told = ask_panel(folder, {"do": "halt", "newly": newly})
        counted = _counted(int(told["refused"]), int(told["interrupted"]))
        return counted, [plain(f"not interrupted: {fault}") for fault in told["faults"]]
    except FlightdeckError as error:
        if isinstance(error.__cause__, TimeoutError):
            # It was told and may do so yet; Esc from here could be the second one.
            return "", [f"nobody can tell who was interrupted: {error.message}"]
    return _alone(folder, newly=newly)


def _alone(folder: StateFolder, *, newly: bool) -> tuple[str, list[str]]:
    """Interrupt who works; nobody waits for an answer from a panel that does not run."""
    if not newly:  # a second Esc would open a menu in the agent
        return "", []
    try:
        fold = open_fold(folder)
        fold_once(fold)
    except FlightdeckError as error:
        return "", [f"nobody was interrupted: {error.message}"]
    sent, faults = _interrupt(at_work(fold.sessions()))
    lost = _lost(fold, sent)
    faults += [f"{who(session)}: {RUNS_ON}" for session in lost]
    told = [plain(f"not interrupted: {fault}") for fault in faults]
    return _counted(0, len(sent) - len(lost)), told


def _interrupt(sessions: tuple[Session, ...]) -> tuple[list[Session], list[str]]:
    """Send each an Esc; return who was sent one, and why others could not be."""
    hosts, sent, faults = Hosts(), [], []
    try:
        for session in sessions:
            try:
                hosts.interrupt(session.place)
            except FlightdeckError as error:
                faults.append(f"{who(session)}: {error.message}")
            else:
                sent.append(session)
    finally:
        hosts.close()
    return sent, faults


def _lost(fold: Fold, sent: list[Session]) -> list[Session]:
    """Wait until every turn is over, for a moment at most; return whose runs on."""
    end = clock.monotonic() + STOPS_S
    while True:
        known = {session.key: session for session in fold.sessions()}
        lost = [one for one in sent if runs_on(known.get(one.key), one.record)]
        if not lost or clock.monotonic() >= end:
            return lost
        clock.pause(_EVERY_S)
        fold_once(fold)


def _counted(refused: int, interrupted: int) -> str:
    told = ((refused, "refused what it asked"), (interrupted, "interrupted"))
    return "".join(f", {number} {what}" for number, what in told if number)


def _beyond_reach(folder: StateFolder) -> str:
    """Say how many agents no hook of ours runs in: the latch is nothing to them."""
    try:
        fold = open_fold(folder)
        untracked = fold_once(fold)[0].fleet.untracked
    except FlightdeckError as error:
        return f"; who is out of reach is not known: {error.message}"
    return f"; {untracked} untracked, out of its reach" if untracked else ""


def _lift(folder: StateFolder) -> Result:
    was = latch.lift(folder)
    try:
        ask_panel(folder, {"do": "lifted"})
    except FlightdeckError:
        fold_once(open_fold(folder))  # the snapshot says so too
    return Result(("tool calls run again" if was else "the fleet was not halted",))
