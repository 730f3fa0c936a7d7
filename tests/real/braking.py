"""The brakes: what HALT and GATE do to the real client, in the mode that asks for nothing too.

Source: README.md, "HALT" and "GATE".
"""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING

from tests.real.desk import LONGEST_S, Desk, deed
from tests.real.scenario import rest
from tests.real.session import BUSY, IDLE, until

if TYPE_CHECKING:
    from tests.real.session import Session

BYPASS = ("--permission-mode", "bypassPermissions")
QUIET_S = 3.0  # so long nothing more may come of a turn that was ended


@deed("halt-next-call", takes_s=16)
def next_call(desk: Desk) -> None:
    """A latch set by hand: the next call of a session that asks for nothing is refused."""
    session = _at_work(desk, "h-next")
    (desk.play.lab.fleet / "halt").touch()
    desk.results("h-next", 1)
    session.reached(IDLE)
    _nothing_more(desk, "h-next", 2)
    assert (desk.repo / "first").exists()
    assert not (desk.repo / "second").exists()
    assert "HALT is set" in session.screen()
    desk.thumb.shows("halt", "HALTED")
    desk.play.lab.run("flightdeck", "halt", "--off")
    _works_again(desk, session, "h-lifted")


@deed("halt-key", takes_s=15)
def key(desk: Desk) -> None:
    """One press: the running tool is interrupted, the model is not asked again."""
    session = _at_work(desk, "h-runs")
    pressed = time.time()
    assert desk.thumb.strike("halt") == "HALTED: no new tool call runs"
    session.reached(IDLE, 3)
    desk.measure("HALT pressed at work", "idle", pressed, session.changes[-1].at)
    _nothing_more(desk, "h-runs", 1)
    desk.thumb.shows("halt", "HALTED")
    assert desk.thumb.press("halt", "HALTED") == "armed"
    rest(0.6)
    assert desk.thumb.strike("halt") == "tool calls run again"
    desk.thumb.shows("halt", "HALT")
    _works_again(desk, session, "h-again")


@deed("halt-blocked", takes_s=13)
def blocked(desk: Desk) -> None:
    """Who waits is refused at once, its turn is over; lifted, it works again."""
    session = desk.asks("h-blocked")
    (hook,) = desk.hooks()
    desk.thumb.shows("approve", "APPROVE, Bash")
    pressed = time.time()
    assert desk.thumb.strike("halt") == "HALTED: no new tool call runs"
    desk.measure_hook("HALT with one that waits", hook, pressed)
    session.reached(IDLE, 3)
    _nothing_more(desk, "h-blocked", 1)
    assert not (desk.repo / "made").exists()
    assert "again" in desk.play.lab.run("flightdeck", "halt", "--off")
    session.type("scenario:h-unblocked")
    desk.thumb.press("approve", "APPROVE, Bash")
    desk.results("h-unblocked", 1)
    assert (desk.repo / "again").exists()


@deed("halt-slash-command", takes_s=12)
def slash_command(desk: Desk) -> None:
    """A shell line of a slash command is a call too."""
    commands = desk.repo / ".claude" / "commands"
    commands.mkdir(parents=True)
    line = "!`perl -e 'open F, q(>), q(made)'`"
    (commands / "mk.md").write_text(f"---\nallowed-tools: Bash(perl:*)\n---\n{line}\nDone.\n")
    session = _open(desk)
    assert desk.play.lab.run("flightdeck", "halt") == "HALTED: no new tool call runs\n"
    session.type("/mk")
    rest(QUIET_S)
    assert not (desk.repo / "made").exists()
    desk.play.lab.run("flightdeck", "halt", "--off")
    session.type("/mk")
    until((desk.repo / "made").exists, 10, "the shell line of the command")


@deed("gate", takes_s=14)
def gate(desk: Desk) -> None:
    """A gated session that asks for nothing: what is dangerous is refused, the rest passes."""
    (desk.repo / "old").mkdir()
    session = _open(desk)
    slot = until(lambda: desk.slot(session), LONGEST_S, "a slot")["slot"]
    desk.play.lab.run("flightdeck", "select", str(slot))
    desk.thumb.read("gate", "GATE, ")
    assert desk.thumb.strike("gate") == "GUARDED: high-risk calls are refused"
    desk.thumb.shows("gate", "GUARDED")
    session.type("scenario:h-gated")
    (refused,) = desk.results("h-gated", 1)
    assert "this session is GUARDED, and the call is high risk" in refused
    assert (desk.repo / "old").exists()
    desk.results("h-gated", 2)
    assert (desk.repo / "made").exists()
    session.reached(IDLE)
    assert desk.slot(session)["gated"] is True
    desk.play.lab.run("flightdeck", "gate", str(slot), "--off")


def _open(desk: Desk) -> Session:
    """Start a client that asks for nothing."""
    accepted = json.dumps({"skipDangerousModePermissionPrompt": True})
    return desk.play.open(*BYPASS, "--settings", accepted)


def _at_work(desk: Desk, script: str) -> Session:
    """Start one whose first tool runs."""
    session = _open(desk)
    session.type(f"scenario:{script}")
    session.reached(BUSY)
    until((desk.repo / "first").exists, 10, "the first tool")
    until(lambda: desk.slot(session).get("state") == "working", LONGEST_S, "a blue key")
    return session


def _nothing_more(desk: Desk, script: str, step: int) -> None:
    """See that the model is not asked for that step, for a while."""
    rest(QUIET_S)
    assert desk.play.lab.api.when(script, step) is None


def _works_again(desk: Desk, session: Session, script: str) -> None:
    session.press("C-u")  # an interrupted prompt may have come back into the box
    session.type(f"scenario:{script}")
    desk.results(script, 1)
    assert (desk.repo / "again").exists()
