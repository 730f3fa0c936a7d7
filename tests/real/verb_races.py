"""A person types at the very moment a verb is on its way into the same window.

Source: verbs/README.md, "How a verb gets there".
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from tests.real.desk import LONGEST_S, Desk, errand
from tests.real.errand import SOON_S, Errand, opened
from tests.real.scenario import rest
from tests.real.session import IDLE, WAITING, until
from tests.real.verb_deeds import draft, handed_over, stands

if TYPE_CHECKING:
    from pathlib import Path

# From a press to Enter the panel takes 0.1 to 0.4 s with a draft in the box.
MOMENTS_S = (0.05, 0.15, 0.3)


@errand("asks-before-the-keystrokes", takes_s=15)
def asks_before_the_keystrokes(desk: Desk) -> None:
    """At rest when the key is pressed, a dialog by the time something would be typed."""
    sent, waits = _enter_and_press(desk, "scenario:s-asks-first")
    stands(sent)
    assert not (desk.repo / "made").exists()
    sent.session.settle("Yes")
    if waits:
        handed_over(sent, "s-asks-first")
    until((desk.repo / "made").exists, LONGEST_S, "the tool")
    assert sent.submitted() == ["scenario:s-asks-first"]


@errand("menu-before-the-keystrokes", takes_s=15)
def menu_before_the_keystrokes(desk: Desk) -> None:
    """A dialog of the client's own, which no hook tells of: nothing is typed until it is closed."""
    sent, waits = _enter_and_press(desk, "/model")
    stands(sent)
    sent.session.press("Escape")
    since = sent.session.reached(IDLE, stands_s=0)
    if waits:
        came = sent.arrives("test")
        desk.measure("menu closed", "prompt", since, came.at, SOON_S)
        sent.arrived("test")
    assert len(sent.submitted()) == waits


def _enter_and_press(desk: Desk, text: str) -> tuple[Errand, bool]:
    """Send a draft and press TEST at once; return whether the verb waits.

    Where the client is slow to say that it works, the line may be in its box already: then it
    is not submitted, and the key says so.
    """
    sent = opened(desk)
    draft(sent.session, text)
    rest(0.4)  # a menu of commands swallows an Enter that comes with the text
    desk.thumb.read("test", "TEST, for")
    sent.session.press("Enter")
    told = desk.thumb.strike("test")
    assert told.startswith("queued: ") or told == "not delivered", told
    sent.session.reached(WAITING)
    return sent, told != "not delivered"


@errand("enter-meanwhile", takes_s=28)
def enter_meanwhile(desk: Desk) -> None:
    """Enter on a draft at any moment of a wake: the verb arrives once, or its key says it did not.

    No dialog is answered.
    """
    sent = opened(desk)
    for wait_s in MOMENTS_S:
        _race(sent, wait_s, len(sent.carrying("test")))


def _race(sent: Errand, wait_s: float, before: int) -> None:
    desk, session, made = sent.desk, sent.session, sent.desk.repo / "made"
    sent.rests()
    rest(1.2)  # from there on it is woken at once
    made.unlink(missing_ok=True)
    draft(session, "scenario:s-race")
    desk.thumb.read("test", "TEST, for")
    told: list[str] = []
    press = threading.Thread(target=lambda: told.append(desk.thumb.strike("test")))
    press.start()
    rest(wait_s)
    session.press("Enter")
    press.join()
    times = before + (told != ["not delivered"])
    until(lambda: _over(sent, made, times), 15, f"TEST and the draft, {wait_s} s apart")
    session.press("C-u")  # where Enter came too early the draft is back


def _over(sent: Errand, made: Path, times: int) -> bool:
    """Answer the dialog if there is one; say whether the verb has come and nothing runs."""
    if sent.session.status == "waiting":
        rest(0.8)  # the client draws its dialog some tenths of a second late
        assert not made.exists()
        sent.session.settle("Yes")
    assert len(sent.carrying("test")) <= times
    return len(sent.carrying("test")) == times and sent.at_rest(0.7)
