"""What the control socket may ask of the panel: what a thumb does, and the same in words.

It runs on the caller's own thread: it queues what is asked and waits for what comes of it.
"""

from __future__ import annotations

from concurrent.futures import Future
from typing import TYPE_CHECKING, Any, TypeVar

from flightdeck.errors import FlightdeckError, Unavailable
from flightdeck.model.deck import Position
from flightdeck.model.effect import (
    Acknowledge,
    Answer,
    Effect,
    Focus,
    Gate,
    Halt,
    Lift,
    Open,
    Run,
    Select,
    SetArm,
    Stroke,
    TearDown,
)
from flightdeck.model.gesture import TAP_S
from flightdeck.model.layout import Action, SteerBinding, VerdictBinding
from flightdeck.model.sending import NO_TARGET
from flightdeck.panel.braking import Tally
from flightdeck.panel.delivering import QUEUED
from flightdeck.panel.messages import Chosen, Halted, KeyMoved, Ruled, Sent
from flightdeck.panel.perform import Performed
from flightdeck.system import clock

if TYPE_CHECKING:
    from collections.abc import Callable

    from flightdeck.model.verb import Verb
    from flightdeck.model.verdict import Verdict
    from flightdeck.panel.loop import Panel
    from flightdeck.panel.messages import Message

    Reply = dict[str, Any]

_Told = TypeVar("_Told")
_ANSWER_S = 14.0
_LONGEST_HOLD_S = 60.0
_UNKNOWN = {"problem": "the panel does not know this request", "hint": "same version?"}
# What a terminal is told beside the word a key has room for.
_HINTS = {
    "in terminal": "only the dialog in its own window can answer it: `flightdeck verdict detail`",
    "question": "only the dialog can answer it: `flightdeck verdict detail` brings it forward",
    "plan": "only the dialog can approve it: `flightdeck verdict detail` brings it forward",
    "none selected": "`flightdeck select SLOT` selects a session, as does a press on its key",
    "no id yet": "a hook tells it: send the session a prompt first",
    NO_TARGET: "`flightdeck select SLOT` selects a session, as does a press on its key",
    "not working": "it interrupts a turn that runs; `flightdeck status` shows what each one does",
    "not blocked": "it confirms what a session asks; `flightdeck status` shows what each one does",
    "halted": "`flightdeck halt --off` lets the fleet go on",
    "no window": "it runs in no tmux pane or iTerm2 window, so no key can be sent to it",
    "no rule": "the agent suggests nothing to write down; `flightdeck verdict approve` works once",
    "nothing pending": "`flightdeck status` shows who waits",
    "no such request": "`flightdeck status --json` names those that wait",
    "too soon": "the key had only just changed; look at it, then press",
    "changed": "it was about to act on something else than it showed; look, then press again",
}


class Presses:
    """Answers the control socket for a panel."""

    def __init__(
        self, panel: Panel, steer_verb: Callable[[str], Verb], sent_verb: Callable[[str], Verb]
    ) -> None:
        """`steer_verb` returns the steer verb of a name, `sent_verb` one that can be sent.

        Both raise FlightdeckError where there is none.
        """
        self._panel = panel
        self._steer_verb = steer_verb
        self._sent_verb = sent_verb
        self._deeds: dict[object, Callable[[dict[str, Any]], Performed]] = {
            "press": self._press,
            "verdict": self._verdict,
            "send": self._send,
            "select": self._select,
        }

    def answer(self, request: dict[str, Any]) -> Reply:
        """Do what a request asks and say what came of it; `problem` is empty if it was done."""
        try:
            match request.get("do"):
                case "halt":
                    return self._halt(newly=request["newly"] is True)
                case "lifted":
                    self._panel.wake()
                    return {"problem": ""}
                case what:
                    return _reply(self._deeds[what](request))
        except FlightdeckError as error:
            return {"problem": error.message, "hint": error.hint}
        except (KeyError, TypeError, ValueError, OverflowError):
            return dict(_UNKNOWN)

    def _press(self, request: dict[str, Any]) -> Performed:
        position = Position(int(request["row"]), int(request["column"]))
        grid = self._panel.layout.grid
        if not grid.holds(position):
            shape = f"{grid.rows} rows of {grid.columns}"
            raise FlightdeckError(f"there is no key {position}", f"the deck has {shape} keys")
        hold_s = float(request.get("hold", 0))
        if not 0 <= hold_s <= _LONGEST_HOLD_S:
            raise ValueError("no length of time to hold a key")
        return press(self._panel, position, hold_s)

    def _verdict(self, request: dict[str, Any]) -> Performed:
        binding, told = self._binding(request), Future[Performed]()
        request_id = _text(request.get("request") or "")
        return _told(self._panel, Ruled(binding, request_id, clock.monotonic(), told), told)

    def _send(self, request: dict[str, Any]) -> Performed:
        verb, told = self._sent_verb(str(request["verb"])), Future[Performed]()
        key = _text(request["key"]) if "key" in request else None
        return _told(self._panel, Sent(verb, clock.monotonic(), told, key), told)

    def _binding(self, request: dict[str, Any]) -> Verdict:
        if request["action"] == "steer":
            return SteerBinding(self._steer_verb(str(request["verb"])))
        return VerdictBinding(Action(request["action"]))

    def _select(self, request: dict[str, Any]) -> Performed:
        told = Future[Performed]()
        return _told(self._panel, Chosen(int(request["slot"]), _text(request["key"]), told), told)

    def _halt(self, *, newly: bool) -> Reply:
        told = Future[Tally]()
        tally = _told(self._panel, Halted(newly, told), told)
        return {
            "problem": "",
            "refused": tally.refused,
            "interrupted": tally.interrupted,
            "faults": list(tally.faults),
        }


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError("an id is text")
    return value


def press(
    panel: Panel, position: Position, hold_s: float, timeout_s: float = _ANSWER_S
) -> Performed:
    """Press a key as a thumb would and return what came of it.

    It is held for `hold_s` seconds before it is let go, and counts as a tap if that is less.

    Raises:
        Unavailable: nothing came of it in time.
    """
    told, index = Future[Performed](), panel.layout.grid.index(position)
    began = clock.monotonic()
    panel.tell(KeyMoved(index, down=True, at=began, told=told))
    clock.pause(hold_s)
    ended = max(clock.monotonic(), began + TAP_S)  # no switch bounces here
    return _told(panel, KeyMoved(index, down=False, at=ended), told, timeout_s)


def _told(
    panel: Panel, message: Message, told: Future[_Told], timeout_s: float = _ANSWER_S
) -> _Told:
    panel.tell(message)
    try:
        return told.result(timeout_s)
    except TimeoutError as error:
        raise Unavailable(f"the panel gave no answer in {timeout_s:g} s") from error


def _reply(done: Performed) -> Reply:
    hint = done.hint or _hint(done.problem)
    said = done.said or _said(done.effect)
    reply: Reply = {"problem": done.problem, "hint": hint, "done": said}
    if isinstance(done.effect, SetArm):
        reply["armed"] = True
    return reply


def _hint(problem: str) -> str:
    if problem.endswith(QUEUED):
        return "one verb waits for a session at a time: send that one again to take it back"
    return _HINTS.get(problem, "")


def _said(effect: Effect | None) -> str:
    match effect:
        case Focus(_, place):
            return f"session in front ({place.kind})"
        case Open():
            return "opened"
        case Run(argv):
            return f"started {argv[0]}"
        case Answer() | Stroke():
            return "sent"
        case Select():
            return "selected"
        case SetArm(arm):
            return f"armed; the same again within {arm.until - arm.at:g} s will {arm.deed}"
        case _:
            return _braked(effect)


def _braked(effect: Effect | None) -> str:
    match effect:
        case TearDown():
            return "its teardown has begun; `flightdeck status` shows what comes of it"
        case Acknowledge():
            return "the refused teardown is off the key"
        case Halt():
            return "HALTED: no new tool call runs"
        case Lift():
            return "tool calls run again"
        case Gate(_, closed):
            return "GUARDED: high-risk calls are refused" if closed else "not gated"
        case _:
            return "nothing to do"
