"""The keys of verbs themselves: keystrokes, second presses, what is taken back, the brakes.

Source: README.md, "Row 2: verbs".
"""

from __future__ import annotations

import json
import signal
import time

from tests.real.desk import LONGEST_S, Desk, errand
from tests.real.errand import HALTED, QUEUED, SOON_S, Errand, asking, opened, pressed, working
from tests.real.scenario import rest
from tests.real.session import GONE, IDLE, WAITING, until

NEVER_S = 2.5  # so long nothing may come of a verb that is not to arrive


@errand("stop", takes_s=16)
def stop(desk: Desk) -> None:
    """A turn that runs is over at once; whoever does not work hears no key."""
    sent = opened(desk)
    _refused(sent, "stop", "STOP, not working", "not working")
    sent.session.type("scenario:s-stop")
    until((desk.repo / "made").exists, 10, "the tool")
    at = pressed(sent, "stop", "sent")
    sent.session.reached(IDLE, 3)
    desk.measure("STOP pressed", "idle", at, sent.session.changes[-1].at)
    desk.play.phase("STOP pressed", sent.session, "idle", IDLE)
    until(lambda: sent.words("stop") == ["not working", "sent"], LONGEST_S, "'sent' on STOP")
    assert desk.play.lab.api.when("s-stop", 1) is None
    assert sent.submitted() == ["scenario:s-stop"]


@errand("stop-blocked", takes_s=11)
def stop_blocked(desk: Desk) -> None:
    """Esc would answer the dialog."""
    sent = asking(desk, "s-blocked")
    rest(1.5)
    _refused(sent, "stop", "STOP, not working", "not working")
    assert not (desk.repo / "made").exists()


@errand("second-press", takes_s=20)
def second_press(desk: Desk) -> None:
    """FORK and ISSUE are sent by the second press; another key in between disarms them."""
    sent = working(desk, "s-fork")
    _arms(sent, "fork")
    assert desk.thumb.press("test", "TEST, for") == QUEUED
    desk.thumb.shows("fork", "FORK, test queued")
    assert desk.thumb.press("test", "TEST, queued for") == "cancelled"
    _arms(sent, "fork")
    at = time.time()
    assert desk.thumb.press("fork", "armed, press again to send fork to") == QUEUED
    sent.waits("fork")
    (queued,) = (desk.play.lab.fleet / "queue").iterdir()
    waits = json.loads(queued.read_text().splitlines()[2])
    assert 300 <= waits["until"] - at <= 302
    sent.arrives("fork")
    sent.arrived("fork")
    sent.rests()
    _arms(sent, "issue")
    assert desk.thumb.press("issue", "armed, press again to send issue to") == "delivered"
    sent.arrives("issue")
    sent.arrived("issue")
    assert not sent.carrying("test")


@errand("confirm", takes_s=16)
def confirm(desk: Desk) -> None:
    """Enter goes to a dialog that has stood, by the second press."""
    sent = opened(desk)
    _refused(sent, "confirm", "CONFIRM, not blocked", "not blocked")
    sent.session.type("scenario:s-confirm")
    sent.session.reached(WAITING)
    assert desk.thumb.press("confirm", "CONFIRM, for") == "armed"
    desk.thumb.shows("confirm", "armed, press again to send confirm to")
    rest(1)
    assert sent.session.status == "waiting"
    assert not (desk.repo / "made").exists()
    at = pressed(sent, "confirm", "sent", "armed, press again")
    until((desk.repo / "made").exists, 5, "the tool")
    made = (desk.repo / "made").stat().st_mtime
    desk.measure("CONFIRM pressed", "tool", at, made, 3)
    sent.session.reached(IDLE)


@errand("confirm-halted", takes_s=12)
def confirm_halted(desk: Desk) -> None:
    """While the latch stands nothing is accepted, not even the client's own dialog."""
    sent = opened(desk)
    sent.session.type("/model")
    sent.session.reached(WAITING)
    desk.thumb.shows("confirm", "CONFIRM, for")
    (desk.play.lab.fleet / "halt").touch()
    rest(1)
    _refused(sent, "confirm", "CONFIRM, halted", "halted")
    desk.play.lab.run("flightdeck", "halt", "--off")


@errand("taken-back", takes_s=14)
def taken_back(desk: Desk) -> None:
    """Pressed again it waits no longer; another one is refused while one waits."""
    sent = working(desk, "s-cancel")
    pressed(sent, "test", QUEUED)
    _refused(sent, "note", "NOTE, test queued", "test queued")
    pressed(sent, "test", "cancelled")
    desk.thumb.shows("test", "TEST, for")
    assert not sent.queue()
    sent.session.reached(IDLE)
    desk.play.phase("its turn ends", sent.session, "done", IDLE)
    rest(NEVER_S)
    assert not sent.carrying("test")
    assert sent.words("test")[-1] == "cancelled"


@errand("halted-at-its-end", takes_s=16)
def halted_at_its_end(desk: Desk) -> None:
    """The turn ends while the latch stands: the verb waits on, and goes out once it is lifted."""
    sent = working(desk, "s-halt-end")
    pressed(sent, "test", QUEUED)
    (desk.play.lab.fleet / "halt").touch()
    sent.session.reached(IDLE)
    _held_and_lifted(sent)


@errand("halted-at-work", takes_s=16)
def halted_at_work(desk: Desk) -> None:
    """HALT ends the turn, not what waits behind it."""
    sent = working(desk, "s-halt-key")
    until((desk.repo / "made").exists, 10, "the tool")
    pressed(sent, "test", QUEUED)
    assert desk.thumb.strike("halt") == "HALTED: no new tool call runs"
    sent.session.reached(IDLE)
    _held_and_lifted(sent)


def _held_and_lifted(sent: Errand) -> None:
    rest(NEVER_S)
    assert sent.queued == "test"
    assert not sent.carrying("test")
    at = time.time()
    sent.desk.play.lab.run("flightdeck", "halt", "--off")
    came = sent.arrives("test")
    sent.desk.measure("lifted", "prompt", at, came.at, SOON_S)
    sent.arrived("test")


@errand("cleared", takes_s=16)
def cleared(desk: Desk) -> None:
    """What waits is for that conversation: another one in the same process never gets it."""
    sent = opened(desk)
    (desk.play.lab.fleet / "halt").touch()
    desk.thumb.shows("halt", "HALTED")
    pressed(sent, "test", HALTED)
    sent.waits("test")
    old = sent.session.id
    sent.session.type("/clear")
    until(lambda: sent.session.id != old, 15, "a new session id")
    until(lambda: not sent.queue(), LONGEST_S, "an empty queue")
    desk.thumb.shows("test", "TEST, for")
    desk.play.lab.run("flightdeck", "halt", "--off")
    sent.session.type("scenario:s-clear")
    sent.session.reached(IDLE)
    rest(NEVER_S)
    assert not sent.carrying("test")
    assert sent.submitted() == ["scenario:s-clear"]


@errand("killed", takes_s=12)
def killed(desk: Desk) -> None:
    """Nobody is left who could take it."""
    sent = working(desk, "s-killed")
    pressed(sent, "test", QUEUED)
    sent.waits("test")
    sent.session.kill(signal.SIGKILL)
    sent.session.reached(GONE)
    since = time.time()
    until(lambda: not sent.queue(), 20, "an empty queue")
    desk.measure("killed", "queue empty", since, time.time(), 16)
    desk.thumb.shows("test", "TEST, no target")


def _arms(sent: Errand, verb: str) -> None:
    assert sent.desk.thumb.press(verb, f"{verb.upper()}, for") == "armed"
    sent.desk.thumb.shows(verb, f"armed, press again to send {verb} to")
    rest(0.5)
    assert not sent.queue()


def _refused(sent: Errand, verb: str, face: str, says: str) -> None:
    """Press a key that says it will not, and see that nothing is typed."""
    sent.desk.thumb.read(verb, face)
    changes, screen = len(sent.session.changes), _lines(sent)
    assert sent.desk.thumb.strike(verb) == says
    rest(0.5)
    assert len(sent.session.changes) == changes
    assert _lines(sent) == screen


def _lines(sent: Errand) -> str:
    """Return the lower part of the screen: the box or the dialog."""
    return sent.session.screen().partition("───")[2]
