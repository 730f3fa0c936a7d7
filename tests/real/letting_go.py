"""Letting go: requests the deck has nothing to say to any more, or never had.

Source: README.md, "Row 3: verdicts".
"""

from __future__ import annotations

import shlex
import time
from typing import TYPE_CHECKING

from flightdeck.shipped import folder
from tests.real.desk import LONGEST_S, Desk, deed
from tests.real.scenario import foreign_hook, rest
from tests.real.session import BUSY, EVER, IDLE, WAITING, runs, until
from tests.real.thumb import NOTHING

if TYPE_CHECKING:
    from tests.real.session import Session


@deed("yes-in-terminal", takes_s=12)
def yes_in_terminal(desk: Desk) -> None:
    """The row is at rest while the tool still runs; a late press is not about the next call."""
    session = desk.asks("v-yes")
    (hook,) = desk.hooks()
    desk.thumb.read("approve", "APPROVE, Bash")
    with desk.play.alone():
        session.settle("Yes")
        _cleared(desk, "Yes in the terminal", hook, session.written(session.reached(BUSY)))
    assert desk.thumb.press("approve", NOTHING) == NOTHING
    session.reached(WAITING)
    rest(1)
    assert session.status == "waiting"
    assert (desk.repo / "one").exists()
    assert not (desk.repo / "two").exists()


@deed("no-in-terminal", takes_s=9)
def no_in_terminal(desk: Desk) -> None:
    """The client ends the hook itself; the turn is over."""
    session = desk.asks("v-no")
    (hook,) = desk.hooks()
    desk.thumb.read("approve", "APPROVE, Bash")
    with desk.play.alone():
        session.settle("No")
        _refused(desk, "No in the terminal", session, hook)


@deed("esc-in-terminal", takes_s=9)
def esc_in_terminal(desk: Desk) -> None:
    """As No."""
    session = desk.asks("v-esc")
    (hook,) = desk.hooks()
    desk.thumb.read("approve", "APPROVE, Bash")
    with desk.play.alone():
        session.press("Escape")
        _refused(desk, "Esc in the terminal", session, hook)


def _refused(desk: Desk, label: str, session: Session, hook: int) -> None:
    _cleared(desk, label, hook, session.written(session.reached(IDLE, stands_s=0)))
    assert desk.thumb.press("approve", NOTHING) == NOTHING
    session.reached(IDLE)
    assert not (desk.repo / "one").exists()


def _cleared(desk: Desk, label: str, hook: int, since: float) -> None:
    desk.measure_hook(label, hook, since)
    desk.measure_rest(label, since)


@deed("panel-killed", takes_s=12)
def panel_killed(desk: Desk) -> None:
    """The kernel lets the hook go; the dialog is the person's as if there were no panel."""
    session = desk.asks("v-kill")
    (hook,) = desk.hooks()
    desk.thumb.shows("approve", "APPROVE, Bash")
    with desk.play.alone():
        desk.measure_hook("panel killed", hook, desk.kill_panel())
    rest(1)
    assert session.status == "waiting"
    session.settle("Yes")
    desk.results("v-kill", 1)
    assert (desk.repo / "made").exists()
    desk.restart()
    assert not list((desk.play.lab.fleet / "asks").iterdir())


@deed("subagent", takes_s=14)
def subagent(desk: Desk) -> None:
    """A hook that waited would withhold the sub-agent's dialog: it is let go."""
    raised = desk.repo / "raised"
    foreign_hook(desk.play, "PermissionRequest", f"touch {shlex.quote(str(raised))}")
    session = desk.play.open()
    session.type("scenario:v-agent")
    until(raised.exists, 15, "the sub-agent's request")
    since = raised.stat().st_mtime
    desk.measure("sub-agent asks", "dialog", since, session.reached(WAITING))
    until(lambda: "1. Yes" in session.screen(), LONGEST_S, "the dialog on the screen")
    desk.play.phase("sub-agent asks", session, "blocked", EVER, since=since)
    assert desk.thumb.press("approve", "APPROVE, in terminal, Bash") == "in terminal"
    rest(0.5)
    assert session.status == "waiting"
    session.settle("Yes")
    desk.results("v-child", 1)
    assert (desk.repo / "made").exists()


@deed("headless", takes_s=8)
def headless(desk: Desk) -> None:
    """A run without a terminal is never kept waiting."""
    before = len(desk.thumb.faces("approve"))
    argv = ["env", "-C", str(desk.repo), "claude", "-p", "scenario:v-headless"]
    desk.play.lab.run(*argv)
    asked, told = (desk.play.lab.api.when("v-headless", step) for step in (0, 1))
    assert asked
    assert told, "the run waited for its answer"
    desk.measure("asked without a terminal", "next request", asked, told, bound_s=3)
    assert not any("APPROVE, Bash" in face.name for face in desk.thumb.faces("approve")[before:])
    assert not (desk.repo / "made").exists()


@deed("decide-timeout", takes_s=16)
def decide_timeout(desk: Desk) -> None:
    """Nobody decides in time: the dialog stands, and the key says where to answer it."""
    layout = desk.play.lab.root / "brief.yaml"
    layout.write_text((folder("layouts") / "xl.yaml").read_text().replace("120 s", "2 s"))
    desk.restart("--layout", str(layout))
    session = desk.asks("v-late")
    (hook,) = desk.hooks()
    until(lambda: not runs(hook), LONGEST_S, "the end of the hook")
    desk.play.phase("nobody decided", session, "blocked", WAITING, since=time.time(), window_s=3)
    assert desk.thumb.press("approve", "APPROVE, in terminal, Bash") == "in terminal"
    session.settle("Yes")
    desk.results("v-late", 1)
    assert (desk.repo / "made").exists()
    desk.restart()
