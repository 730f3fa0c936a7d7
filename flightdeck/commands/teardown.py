"""End a session and remove its worktree, if every check proves that nothing would be lost.

The agent is asked to end only when a first look proves it, and git removes the worktree
only when a second look proves it again. The branch always stays. Against the checks there
is --force, at a terminal, with the worktree's name typed by hand.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any

from flightdeck.commands.plain import plain
from flightdeck.commands.result import Exit, Result
from flightdeck.commands.slot_argument import add_slot, occupied
from flightdeck.errors import FlightdeckError, Refused
from flightdeck.fold.opening import fold_once, open_fold
from flightdeck.model.ending import has_ended
from flightdeck.model.teardown import Check, Finding, Outcome, Stage
from flightdeck.panel import claims
from flightdeck.panel.teardown import Subject, force_down, look, subject_of, tear_down
from flightdeck.store.paths import StateFolder

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable

    from flightdeck.commands.result import Say
    from flightdeck.fold.folding import Fold
    from flightdeck.model.teardown import Inspection, Losses

EXAMPLES = """examples:
  flightdeck teardown 3 --dry-run        every check with its verdict, nothing changed
  flightdeck teardown 3 --dry-run --json | jq '.checks[] | select(.verdict != "proven")'
  flightdeck teardown 3"""

SCHEMA = "flightdeck.teardown/1"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Take the slot, --dry-run or --force, and --json."""
    add_slot(parser)
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--dry-run", action="store_true", help="show every check, change nothing")
    how.add_argument(
        "--force", action="store_true", help="remove it anyway: asks, at a terminal only"
    )
    parser.add_argument("--json", action="store_true", help=f"one object, {SCHEMA}")


def run(arguments: argparse.Namespace, say: Say) -> Result:
    """Tear the session in the slot down, or return why not.

    Raises:
        FlightdeckError: nobody is in the slot.
        Refused: --force away from a terminal, or the name typed is not the worktree's.
    """
    if arguments.force and (arguments.json or not _at_a_terminal()):
        raise Refused(
            "--force asks before it destroys: it needs a real terminal, and no --json",
            f"see what stands against it: flightdeck teardown {arguments.slot} --dry-run",
        )
    fold = open_fold(StateFolder.from_environment())
    outcome, _ = fold_once(fold)
    view = occupied(outcome.fleet, arguments.slot)
    subject = subject_of(fold.session(view.key), fold.sessions())
    told = {"schema": SCHEMA, "slot": view.slot, "session_id": view.session_id or None}
    if arguments.dry_run:
        return _looked(look(subject), told, as_json=arguments.json)
    alone = partial(_alone, fold, view.key)
    done = _forced(subject, say, alone) if arguments.force else alone(lambda: tear_down(subject))
    return _done(done, told, as_json=arguments.json)


def _alone(fold: Fold, key: str, deed: Callable[[], Outcome]) -> Outcome:
    """Do it as the only one, and leave what came of it on the key, which nobody may see here.

    Raises:
        Refused: somebody else is at it.
    """
    fold_once(fold, claims.claim(key))
    if not claims.is_ours(key, fold.sessions()):
        raise Refused(
            "it is being torn down already", "`flightdeck status` shows when that is over"
        )
    fact = claims.given_up(key)
    try:
        outcome = deed()
        # Why an agent that runs was left alone is told here and now, and to nobody else.
        if outcome.stage is not Stage.FIRST_LOOK or has_ended(fold.session(key)):
            fact = claims.came_of(key, outcome)
    finally:
        # Were this to fail, the next fold sees that nobody is at it any more.
        with suppress(FlightdeckError):
            fold_once(fold, fact)
    return outcome


def _at_a_terminal() -> bool:
    return sys.stdin.isatty() and sys.stdout.isatty()


def _looked(found: Inspection, told: dict[str, Any], *, as_json: bool) -> Result:
    against = found.refusal
    code = Exit.NO if against else Exit.DONE
    if as_json:
        outcome = Outcome(Stage.FIRST_LOOK, "", inspection=found)
        if against:
            outcome = Outcome(Stage.FIRST_LOOK, against.sentence, against.check, inspection=found)
        return Result(data=told | {"dry_run": True} | _json(outcome), code=code)
    lines = [line for finding in found.complete for line in _lines(finding)]
    lines += [f"note: {note}" for note in found.notes]
    last = f"it would be refused: {against.check.value}" if against else "it would be removed"
    return Result(tuple(map(plain, [*lines, last])), code=code)


def _done(outcome: Outcome, told: dict[str, Any], *, as_json: bool) -> Result:
    code = Exit.DONE if outcome.removed else Exit.NO
    if as_json:
        return Result(data=told | {"dry_run": False} | _json(outcome), code=code)
    notes = tuple(plain(f"note: {note}") for note in outcome.inspection.notes)
    if outcome.removed:
        return Result((plain(outcome.words),), notes)
    now = "the agent has ended, the worktree stays" if outcome.agent_ended else "nothing was done"
    refusal = f"flightdeck: refused at the {outcome.stage.value}: {outcome.reason}"
    return Result((), (plain(refusal), f"  {now}", *notes), code)


def _forced(
    subject: Subject, say: Say, alone: Callable[[Callable[[], Outcome]], Outcome]
) -> Outcome:
    """Say what will be lost, ask for the worktree's name, and do it `alone`.

    Raises:
        Refused: what was typed is not the name, or somebody else is at it.
    """
    found = look(subject)
    if against := found.beyond_force:
        words = f"{against.sentence}; --force does not overrule that"
        return Outcome(Stage.FIRST_LOOK, words, against.check, inspection=found)
    name = os.path.basename(found.worktree)  # noqa: PTH119 - the text, not a path
    for line in (*_losses(found.losses), *_kept(found), *found.notes):
        say(plain(line))
    kept = f" (branch {found.branch} stays)" if found.branch else ""
    say(plain(f"to remove {found.worktree}{kept}, type its name, {name}:"))
    if sys.stdin.readline().rstrip("\n") != name:
        raise Refused("that is not its name; nothing was done")
    return alone(lambda: force_down(subject, found))


def _kept(found: Inspection) -> list[str]:
    """Return what no remote has but the branch, which stays, keeps."""
    ahead = next((f for f in found.complete if f.check is Check.AHEAD and f.items), None)
    return [f"stays, on the branch alone: {item}" for item in ahead.items] if ahead else []


def _losses(losses: Losses) -> list[str]:
    lines = [*_listed("files", losses.files, losses.more_files)]
    lines += _listed("commits", losses.commits, losses.more_commits)
    lines += [f"will be lost: {words}" for words in losses.operations]
    return lines or ["nothing will be lost that exists nowhere else"]


def _listed(what: str, items: tuple[str, ...], more: int) -> list[str]:
    if not items:
        return []
    rest = [f"  and {more} more"] if more else []
    return [f"will be lost, {what}:", *(f"  {item}" for item in items), *rest]


def _lines(finding: Finding) -> list[str]:
    words = f"{finding.check.value:<10}  {finding.verdict.value:<7}  {finding.told}"
    rest = [f"and {finding.more} more"] if finding.more else []
    return [words, *(f"{'':<21}{item}" for item in (*finding.items, *rest))]


def _json(outcome: Outcome) -> dict[str, Any]:
    found = outcome.inspection
    return {
        "worktree": found.worktree or None,
        "branch": found.branch or None,
        "removed": outcome.removed,
        "agent_ended": outcome.agent_ended,
        "stage": outcome.stage.value,
        "check": outcome.check.value if outcome.check else None,
        "words": outcome.words or None,
        "checks": [
            {
                "check": finding.check.value,
                "verdict": finding.verdict.value,
                "words": finding.told,
                "items": list(finding.items),
                "more": finding.more,
            }
            for finding in found.complete
        ],
        "notes": list(found.notes),
    }
