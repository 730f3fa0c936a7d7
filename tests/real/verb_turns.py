"""Turns that do not end as usual while a verb waits for their end.

Source: README.md, "Row 2: verbs"; verbs/README.md, "How a verb gets there".
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from tests.real.desk import LONGEST_S, Desk, errand
from tests.real.errand import HALTED, QUEUED, listening, opened, pressed, working
from tests.real.scenario import rest
from tests.real.session import BUSY, IDLE, until
from tests.real.verb_deeds import BOX, woken_after

if TYPE_CHECKING:
    from tests.real.errand import Errand


@errand("esc-before-an-answer", takes_s=13)
def esc_before_an_answer(desk: Desk) -> None:
    """No Stop, and the prompt is back in the box: it stays there, and is not sent again."""
    sent = working(desk, "s-thinks")
    pressed(sent, "test", QUEUED)
    sent.session.press("Escape")
    woken_after(sent, "Esc before an answer", sent.session.reached(IDLE, stands_s=0))
    until(lambda: f"{BOX}scenario:s-thinks" in sent.session.screen(), LONGEST_S, "the prompt")


@errand("compacted", takes_s=14)
def compacted(desk: Desk) -> None:
    """Compacting is no turn and has no Stop."""
    sent = opened(desk)
    sent.session.type("scenario:s-quick")
    sent.session.reached(IDLE)
    rest(1)
    sent.session.type("/compact")
    sent.session.reached(BUSY)
    pressed(sent, "test", QUEUED)
    woken_after(sent, "compacted", sent.session.reached(IDLE, stands_s=0))


@errand("line-waits-too", takes_s=13)
def line_waits_too(desk: Desk) -> None:
    """A line typed at work is a turn of its own: verb and line arrive, each once."""
    sent = working(desk, "s-line")
    pressed(sent, "test", QUEUED)
    sent.session.type("scenario:s-typed")
    sent.arrives("test")
    sent.arrived("test")
    assert sent.submitted() == ["scenario:s-line", "scenario:s-typed"]


@errand("another-hook-goes-on", takes_s=13)
def another_hook_goes_on(desk: Desk) -> None:
    """A hook of the project's own keeps the same turn from ending: both are heard."""
    more = json.dumps({"decision": "block", "reason": "And one more thing."})
    once = f"test -e asked || {{ touch asked; echo '{more}'; }}"
    listening(desk, Stop=once)
    sent = working(desk, "s-more")
    pressed(sent, "test", QUEUED)
    came = sent.arrives("test")
    assert any("And one more thing." in told for told in came.told)
    sent.arrived("test")
    assert sent.submitted() == ["scenario:s-more"]


@errand("panel-gone", takes_s=18)
def panel_gone(desk: Desk) -> None:
    """The end of a turn needs no panel; one that starts again finds what waits."""
    sent = working(desk, "s-alone")
    pressed(sent, "test", QUEUED)
    desk.kill_panel()
    sent.arrives("test")
    until(lambda: not sent.queue(), LONGEST_S, "an empty queue")
    sent.session.reached(IDLE)
    _started_again(sent)
    (desk.play.lab.fleet / "halt").touch()
    desk.thumb.shows("halt", "HALTED")
    pressed(sent, "test", HALTED)
    desk.kill_panel()
    _started_again(sent)
    sent.waits("test")
    desk.play.lab.run("flightdeck", "halt", "--off")
    sent.arrives("test", 2)
    sent.arrived("test", 2)
    assert len(sent.submitted()) == 2


def _started_again(sent: Errand) -> None:
    sent.desk.restart()
    sent.choose()
