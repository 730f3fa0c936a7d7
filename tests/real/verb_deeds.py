"""Verbs: what a prompt key of the second row brings a real client to do, and when.

Source: README.md, "Row 2: verbs"; verbs/README.md, "How a verb gets there".
"""

from __future__ import annotations

import re
import time
from typing import TYPE_CHECKING

from tests.real.desk import LONGEST_S, Desk, errand
from tests.real.errand import (
    DIALOG,
    QUEUED,
    SOON_S,
    Errand,
    asking,
    listening,
    opened,
    pressed,
    working,
)
from tests.real.scenario import rest
from tests.real.session import BUSY, EVER, IDLE, SHELL, until

if TYPE_CHECKING:
    from pathlib import Path

    from tests.real.session import Session

LINE = re.compile(r"flightdeck (\w+): do what @(\S+\.md) says")
NBSP = "\N{NO-BREAK SPACE}"
BOX = f"\N{HEAVY RIGHT-POINTING ANGLE QUOTATION MARK ORNAMENT}{NBSP}"
STANDS_S = 1.5  # longer than an agent at rest is left in peace


@errand("while-a-tool-runs", takes_s=14)
def tool_runs(desk: Desk) -> None:
    """The verb waits for the turn's end and goes on with it: no key is green meanwhile."""
    _while_it_works(desk, "s-tool", 2)


@errand("while-it-speaks", takes_s=14)
def speaks(desk: Desk) -> None:
    """As with a tool."""
    _while_it_works(desk, "s-stream", 1)


def _while_it_works(desk: Desk, script: str, step: int) -> None:
    sent = working(desk, script)
    at = pressed(sent, "test", QUEUED)
    sent.waits("test")
    phase = desk.play.phase
    phase("TEST pressed", sent.session, "working", EVER, since=at, window_s=12, to_the_end=True)
    came = sent.arrives("test")
    assert (came.script, came.step) == (script, step)
    sent.arrived("test")
    assert sent.submitted() == [f"scenario:{script}"]


@errand("just-started", takes_s=9)
def just_started(desk: Desk) -> None:
    """Sent as soon as there is a slot: once the client has come to rest it is there, once."""
    listening(desk)
    sent = Errand(desk, desk.play.open(ready=False))
    slot = until(lambda: desk.slot(sent.session), LONGEST_S, "a slot", 0.001)["slot"]
    desk.play.lab.run("flightdeck", "select", str(slot))
    _sent(sent, "just started")
    sent.arrived("test")


@errand("at-rest", takes_s=22)
def at_rest(desk: Desk) -> None:
    """The verb is typed as one line and submitted; a draft is back in the box."""
    sent = opened(desk)
    woken(sent, "idle")
    draft(sent.session, "half a thought")
    woken(sent, "done, with a draft")
    until(lambda: f"{BOX}half a thought" in sent.session.screen(), LONGEST_S, "the draft")
    sent.session.press("C-u")
    old = sent.session.id
    sent.session.type("/clear")
    until(lambda: sent.session.id != old, 15, "a new session id")
    until(lambda: desk.slot(sent.session).get("session_id") == sent.session.id, 5, "its slot")
    _sent(sent, "after /clear")
    sent.arrived("test", 3)


@errand("background-shell", takes_s=14)
def background_shell(desk: Desk) -> None:
    """A shell of its own runs on, the turn is over: it takes a line as one at rest."""
    sent = working(desk, "s-shell")
    sent.session.reached(SHELL)
    woken(sent, "a shell runs")
    assert sent.session.reached(SHELL, stands_s=0)
    sent.arrived("test")


@errand("failed", takes_s=14)
def failed(desk: Desk) -> None:
    """A turn that failed has no end that would hand the verb over."""
    sent = opened(desk, env={"CLAUDE_CODE_MAX_RETRIES": "0"})
    sent.session.type("scenario:s-limited")
    until(lambda: desk.slot(sent.session)["state"] == "failed", 20, "a red key")
    woken(sent, "failed")
    sent.arrived("test")


@errand("dialog-yes", takes_s=14)
def dialog_yes(desk: Desk) -> None:
    """Nothing is typed into a dialog; answered, its turn goes on and hands the verb over."""
    sent = _beneath_a_dialog(asking(desk, "s-yes"))
    sent.session.settle("Yes")
    handed_over(sent, "s-yes")
    assert (desk.repo / "made").exists()


@errand("dialog-no", takes_s=14)
def dialog_no(desk: Desk) -> None:
    """Refused, the turn is over without a Stop: the agent is woken."""
    sent = _beneath_a_dialog(asking(desk, "s-no"))
    sent.session.settle("No")
    woken_after(sent, "No in the terminal", sent.session.reached(IDLE, stands_s=0))
    assert not (desk.repo / "made").exists()


@errand("dialog-esc", takes_s=14)
def dialog_esc(desk: Desk) -> None:
    """As No."""
    sent = _beneath_a_dialog(asking(desk, "s-esc"))
    sent.session.press("Escape")
    woken_after(sent, "Esc in the terminal", sent.session.reached(IDLE, stands_s=0))
    assert not (desk.repo / "made").exists()


@errand("question-open", takes_s=14)
def question_open(desk: Desk) -> None:
    """A question is a dialog."""
    sent = _beneath_a_dialog(asking(desk, "s-question"))
    sent.session.settle("Red")
    handed_over(sent, "s-question")


@errand("plan-open", takes_s=14)
def plan_open(desk: Desk) -> None:
    """A plan is a dialog."""
    sent = _beneath_a_dialog(asking(desk, "s-plan", "--permission-mode", "plan"))
    sent.session.settle(r"Yes[^\n]*manual|Yes")
    handed_over(sent, "s-plan")


@errand("reports-a-failure", takes_s=16)
def reports_a_failure(desk: Desk) -> None:
    """The tests fail, the agent does as TEST says: its own key is red, past the turn's end."""
    sent = opened(desk)
    sent.session.type("scenario:s-fails")
    sent.session.reached(IDLE)
    woken(sent, "done")
    since = until(lambda: desk.play.lab.api.when("s-fails", 2), 10, "the report")
    phase = desk.play.phase
    phase("reported, turn runs", sent.session, "failed", BUSY, since=since, to_the_end=True)
    phase("its turn ends", sent.session, "failed", IDLE)
    sent.arrived("test")
    sent.session.type("scenario:s-quick")
    phase("the next prompt", sent.session, "working", BUSY)


def woken(sent: Errand, label: str) -> None:
    """Press TEST at an agent at rest and see all of what comes of it."""
    sent.rests()
    before = len(sent.submitted())
    at = pressed(sent, "test", "delivered")
    _waswoken(sent, label, at, before)


def _sent(sent: Errand, label: str) -> None:
    """Do it from a terminal, which has no face that must be read first."""
    before, at = len(sent.submitted()), time.time()
    assert sent.desk.play.lab.run("flightdeck", "send", "test") == "test: delivered\n"
    _waswoken(sent, label, at, before)


def _waswoken(sent: Errand, label: str, at: float, before: int) -> None:
    came = until(lambda: [a for a in sent.carrying("test") if a.at > at], 5, "the verb")[0]
    sent.desk.measure(label, "prompt", at, came.at, SOON_S)
    lines = sent.submitted()[before:]
    assert len(lines) == 1, lines
    found = LINE.fullmatch(lines[0])
    assert found, lines
    assert found[1] == "test"
    prompt: Path = sent.desk.play.lab.fleet / "queue" / found[2].rpartition("/")[2]
    assert str(prompt) == found[2]
    until(lambda: not prompt.exists(), LONGEST_S, "the end of the prompt's file")


def draft(session: Session, text: str) -> None:
    session.tmux("send-keys", "-t", session.pane, "-l", text)
    until(lambda: f"{BOX}{text}" in session.screen(), LONGEST_S, "a draft")


def _beneath_a_dialog(sent: Errand) -> Errand:
    """Press TEST and see it wait and the dialog stand."""
    rest(0.8)  # the client draws its dialog some tenths of a second late
    pressed(sent, "test", DIALOG)
    sent.waits("test")
    stands(sent)
    assert sent.queued == "test"
    return sent


def stands(sent: Errand) -> None:
    """See a dialog stand for a while, just as it is."""
    rest(0.8)
    since, dialog = sent.session.changes[-1].at, _dialog(sent.session)
    end = time.time() + STANDS_S
    while time.time() < end:
        assert sent.session.changes[-1].at == since
        assert _dialog(sent.session) == dialog
        rest(0.1)


def _dialog(session: Session) -> str:
    """Return the lower part of the screen, below the conversation."""
    return session.screen().partition("───")[2]


def handed_over(sent: Errand, script: str) -> None:
    came = sent.arrives("test")
    assert (came.script, came.step) == (script, 2)
    sent.arrived("test")
    assert sent.submitted() == [f"scenario:{script}"]


def woken_after(sent: Errand, label: str, since: float) -> None:
    came = sent.arrives("test")
    sent.desk.measure(label, "prompt", since, came.at, SOON_S)
    sent.arrived("test")
    assert len(sent.submitted()) == 2
