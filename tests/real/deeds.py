"""Verdicts: every key of the row does to the client what its face says.

Source: README.md, "Row 3: verdicts".
"""

from __future__ import annotations

import json
import subprocess
import time
from pathlib import Path
from typing import TYPE_CHECKING

from tests.real.desk import Desk, deed
from tests.real.scenario import rest
from tests.real.session import EVER, IDLE, WAITING, until
from tests.real.thumb import READS_S

if TYPE_CHECKING:
    from tests.real.session import Session

STANDS_S = 1.5  # an armed key answers nothing: so long the dialog is watched


@deed("approve", takes_s=10)
def approve(desk: Desk) -> None:
    """The tool runs, the key is blue at once, the model gets what the tool gave."""
    session = desk.asks("v-approve")
    (hook,) = desk.hooks()
    offered = desk.thumb.shows("approve", "APPROVE, Bash (medium) of")
    desk.measure("dialog open", "APPROVE", session.reached(WAITING), offered.at)
    pressed = _press(desk, "approve", "APPROVE, Bash")
    desk.measure_hook("APPROVE pressed", hook, pressed)
    desk.measure_rest("APPROVE pressed", pressed)
    _goes_on(desk, "APPROVE pressed", session, pressed)
    desk.results("v-approve", 1)
    assert (desk.repo / "made").exists()


@deed("approve-high", takes_s=9)
def approve_high(desk: Desk) -> None:
    """What is dangerous takes two presses: the first does nothing in the client."""
    (desk.repo / "old").mkdir()
    session = desk.asks("v-high")
    assert desk.thumb.press("approve", "APPROVE, Bash (high) of") == "armed"
    desk.thumb.shows("approve", "armed, press again to approve Bash (high)")
    _stands(desk, session)
    assert (desk.repo / "old").exists()
    assert desk.thumb.press("approve", "armed") == "sent"
    desk.results("v-high", 1)
    assert not (desk.repo / "old").exists()


@deed("from-a-terminal", takes_s=9)
def from_a_terminal(desk: Desk) -> None:
    """The command does as the key: it arms, it approves, and says so by its exit code."""
    (desk.repo / "old").mkdir()
    session = desk.asks("v-twin")
    assert desk.verdict("approve") == 4
    _stands(desk, session)
    assert (desk.repo / "old").exists()
    assert desk.verdict("approve") == 0
    desk.results("v-twin", 1)
    assert not (desk.repo / "old").exists()
    assert desk.verdict("approve") == 1


@deed("remember", takes_s=11)
def remember(desk: Desk) -> None:
    """The rule stands where the face said; the next such call does not ask."""
    _tool(desk.repo)
    session = desk.asks("v-remember")
    _remember(desk, session, "v-remember")


@deed("remember-worktree", takes_s=12)
def remember_in_worktree(desk: Desk) -> None:
    """From a linked worktree the rule goes to the main checkout, and to nowhere else."""
    tree = desk.repo / "trees" / "topic"
    branch = ["git", "worktree", "add", "-q", "-b", "topic", str(tree)]
    subprocess.run(branch, cwd=desk.repo, env=desk.play.lab.env, check=True)
    _tool(tree)
    before = sorted(p.name for p in tree.iterdir())
    session = desk.asks("v-tree", cwd=tree)
    _remember(desk, session, "v-tree")
    assert sorted(p.name for p in tree.iterdir()) == before


def _remember(desk: Desk, session: Session, script: str) -> None:
    settings = desk.repo / ".claude" / "settings.local.json"
    assert desk.thumb.press("remember", "REMEMBER, Bash") == "armed"
    face = f"write down Bash(perl tool.pl) for {desk.play.name}"
    desk.thumb.shows("remember", "armed, press again to approve Bash", face)
    _stands(desk, session)
    assert not settings.exists()
    pressed = _press(desk, "remember", "armed")
    desk.results(script, 2)
    rules = json.loads(settings.read_text())["permissions"]["allow"]
    assert rules == ["Bash(perl tool.pl)"]
    assert not _asked_since(session, pressed)


@deed("remember-mode", takes_s=11)
def remember_mode(desk: Desk) -> None:
    """Where the client suggests a mode, the face says so and the session changes to it."""
    session = desk.asks("v-mode")
    assert desk.thumb.press("remember", "REMEMBER, Write") == "armed"
    desk.thumb.shows("remember", "write down MODE acceptEdits for this session")
    _stands(desk, session)
    pressed = _press(desk, "remember", "armed")
    desk.results("v-mode", 2)
    assert (desk.repo / "one.txt").exists()
    assert (desk.repo / "two.txt").exists()
    assert not _asked_since(session, pressed)
    until(lambda: desk.slot(session)["permission_mode"] == "acceptEdits", 5, "the mode")
    assert "accept edits on" in session.screen()


@deed("deny", takes_s=9)
def deny(desk: Desk) -> None:
    """The model is told, word for word, and the turn goes on."""
    _denied(desk, "v-deny", "deny", "DENY")


@deed("steer", takes_s=9)
def steer(desk: Desk) -> None:
    """The model gets the verb's text, word for word, and the turn goes on."""
    _denied(desk, "v-steer", "justify", "JUSTIFY")


def _denied(desk: Desk, script: str, key: str, label: str) -> None:
    session = desk.asks(script)
    (hook,) = desk.hooks()
    pressed = _press(desk, key, f"{label}, Bash")
    desk.measure_hook(f"{label} pressed", hook, pressed)
    _goes_on(desk, f"{label} pressed", session, pressed)
    assert desk.results(script, 1) == (desk.says(key),)
    assert not (desk.repo / "made").exists()


@deed("interrupt", takes_s=10)
def interrupt(desk: Desk) -> None:
    """The turn is over: the model is not asked again."""
    session = desk.asks("v-interrupt")
    (hook,) = desk.hooks()
    pressed = _press(desk, "interrupt", "INTERRUPT, no message, Bash")
    desk.measure_hook("INTERRUPT pressed", hook, pressed)
    desk.measure_rest("INTERRUPT pressed", pressed)
    session.reached(IDLE)
    phase = desk.play.phase
    phase("INTERRUPT pressed", session, "idle", IDLE, since=pressed, window_s=3, to_the_end=True)
    assert desk.play.lab.api.when("v-interrupt", 1) is None
    assert not (desk.repo / "made").exists()


@deed("two-requests", takes_s=10)
def two_requests(desk: Desk) -> None:
    """Two calls of one message ask at once: each press answers one of them, the oldest first."""
    session = _two_reads(desk, "v-reads")
    desk.hooks(2)
    _, later = desk.pending(session, 2)
    pressed = _press(desk, "approve", "APPROVE, Read")
    phase = desk.play.phase
    phase("first answered", session, "blocked", EVER, since=pressed, window_s=1, to_the_end=True)
    assert desk.pending(session, 1) == [later]
    pressed = _press(desk, "deny", "DENY, Read")
    _goes_on(desk, "second answered", session, pressed)
    denied, read = sorted(desk.results("v-reads", 1), key=lambda told: "what is" in told)
    assert denied == desk.says("deny")
    assert "what is" in read


@deed("one-of-two-in-terminal", takes_s=12)
def one_of_two_in_terminal(desk: Desk) -> None:
    """The dialog in front is answered there, the request behind it by its own press."""
    session = _two_reads(desk, "v-other")
    desk.pending(session, 2)
    rest(1)  # a dialog that has only just opened takes no key
    session.choose("Yes")
    (left,) = desk.pending(session, 1)
    desk.hooks(1)
    rest(READS_S)  # its face has the words of the first one's
    assert desk.pending(session, 1) == [left]
    pressed = _press(desk, "approve", "APPROVE, Read")
    _goes_on(desk, "the other approved", session, pressed)
    assert all("what is" in told for told in desk.results("v-other", 1))


def _two_reads(desk: Desk, script: str) -> Session:
    for side in ("left", "right"):
        folder = Path("/tmp") / side
        folder.mkdir(exist_ok=True)
        (folder / "note").write_text(f"what is {side}\n")
    session = desk.asks(script)
    desk.hooks(2)
    return session


@deed("two-sessions", takes_s=14)
def two_sessions(desk: Desk) -> None:
    """The selected session's request comes first, then the oldest of all."""
    first = desk.asks("v-first")
    second = desk.play.open(at=("new-window", "-d"))
    second.type("scenario:v-second")
    second.reached(WAITING)
    desk.thumb.shows("detail", "2 wait")
    desk.play.lab.run("flightdeck", "select", str(desk.slot(second)["slot"]))
    pressed = _press(desk, "approve", "APPROVE, Bash", desk.label(second))
    desk.play.phase("B approved", second, "working", EVER, since=pressed)
    desk.results("v-second", 1)
    assert (desk.repo / "second").exists()
    assert not (desk.repo / "first").exists()
    assert first.status == "waiting"
    pressed = _press(desk, "approve", "APPROVE, Bash", desk.label(first))
    desk.play.phase("A approved", first, "working", EVER, since=pressed)
    desk.results("v-first", 1)
    assert (desk.repo / "first").exists()


@deed("question", takes_s=9)
def question(desk: Desk) -> None:
    """A choice is the person's: no key can make it, but it can be refused."""
    session = desk.asks("v-question")
    for key in ("approve", "remember"):
        assert desk.thumb.press(key, f"{key.upper()}, question, the question of") == "question"
    _stands(desk, session)
    pressed = _press(desk, "deny", "DENY, the question of")
    _goes_on(desk, "DENY pressed", session, pressed)
    (told,) = desk.results("v-question", 1)
    assert told.startswith("The operator has not answered this question.")


@deed("plan", takes_s=10)
def plan(desk: Desk) -> None:
    """A plan is read where it stands; interrupting it is a refusal that keeps plan mode."""
    session = desk.asks("v-plan", "--permission-mode", "plan")
    assert desk.thumb.press("approve", "APPROVE, plan, the plan of") == "plan"
    _stands(desk, session)
    pressed = _press(desk, "interrupt", "INTERRUPT, the plan of")
    _goes_on(desk, "INTERRUPT pressed", session, pressed)
    (told,) = desk.results("v-plan", 1)
    assert told.startswith("The operator has not approved this plan.")
    session.reached(IDLE)
    assert desk.slot(session)["permission_mode"] == "plan"
    assert "plan mode on" in session.screen()


def _press(desk: Desk, key: str, *words: str) -> float:
    """Press a key that shows these words, which answers; return when, epoch seconds."""
    desk.thumb.read(key, *words)
    pressed = time.time()
    said = desk.thumb.strike(key)
    assert said == "sent", said
    return pressed


def _goes_on(desk: Desk, label: str, session: Session, pressed: float) -> None:
    """Judge that the key is blue from the press to the end of the turn."""
    phase = desk.play.phase
    phase(label, session, "working", EVER, since=pressed, window_s=3.5, to_the_end=True)


def _stands(desk: Desk, session: Session) -> None:
    """See the dialog stand for a while, its hook waiting beside it."""
    end = time.time() + STANDS_S
    while time.time() < end:
        assert session.status == "waiting"
        desk.hooks()
        rest(0.05)


def _tool(folder: Path) -> None:
    (folder / "tool.pl").write_text("print 42;\n")


def _asked_since(session: Session, at: float) -> bool:
    return any(c.status == "waiting" and c.at > at + 0.05 for c in session.changes)
