"""Carries out one Effect at a time, on a thread of its own: a window may take a second.

What comes of it goes back to the loop as an outcome; nothing here decides anything.
"""

from __future__ import annotations

import logging
import queue
import threading
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, assert_never

from flightdeck.errors import FlightdeckError, Gone, Refused
from flightdeck.model.effect import (
    Acknowledge,
    Answer,
    Effect,
    Focus,
    Forget,
    Gate,
    Halt,
    Interrupt,
    Lift,
    Open,
    Refuse,
    Run,
    Select,
    SetArm,
    Stage,
    Stroke,
    TearDown,
    Unstage,
    Wake,
)

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Future

    from flightdeck.model.deck import Position
    from flightdeck.model.effect import Brakes, Sendings
    from flightdeck.model.layout import Target
    from flightdeck.model.place import Place
    from flightdeck.model.staged import Staged
    from flightdeck.model.teardown import Outcome

_LOG = logging.getLogger(__name__)
_ENDING = Refuse("the panel is ending")


@dataclass(frozen=True, slots=True)
class Hand:
    """Whose press it is: that of a key, or with no `position` that of a terminal.

    `told` is where somebody waits for what comes of it.
    """

    position: Position | None
    told: Future[Performed] | None = field(default=None, compare=False)

    def __str__(self) -> str:
        return f"press of {self.position}" if self.position else "asked for by no key"


@dataclass(frozen=True, slots=True)
class Performed:
    """What came of an effect: `problem` is empty if it was done, `hint` how to mend it.

    `gone` says what it was aimed at no longer exists, `newly` that a halt found no latch,
    `staged` what was put into a queue; `effect` is None for a key that has none. `said` is
    what a terminal is told, where that is more than what the effect says itself.
    """

    effect: Effect | None
    hand: Hand
    problem: str = ""
    hint: str = ""
    gone: bool = False
    newly: bool = False
    staged: Staged | None = None
    said: str = ""


def tell(done: Performed) -> None:
    """Answer whoever waits for what comes of an effect, if somebody does."""
    if done.hand.told is not None:
        done.hand.told.set_result(done)


def _no_brakes(*_: object) -> bool:
    raise Refused("not here")


def _no_teardown(_: str) -> Outcome:
    raise Refused("not here")


@dataclass(frozen=True, slots=True)
class BrakeWorld:
    """What the brakes act on; each raises FlightdeckError where it cannot.

    `halt` sets the latch and says whether it was not there before, `lift` takes it away;
    `interrupt` sends one Esc to a window, `gate` closes or opens the gate of a session id.
    """

    halt: Callable[[], bool] = _no_brakes
    lift: Callable[[], object] = _no_brakes
    interrupt: Callable[[Place], object] = _no_brakes
    gate: Callable[[str, bool], object] = _no_brakes


def _no_verbs(*_: object) -> Staged:
    raise Refused("not here")


@dataclass(frozen=True, slots=True)
class VerbWorld:
    """Where verbs go; each raises FlightdeckError where it cannot.

    `stage` puts one into the queue, `unstage` takes it out again, `wake` claims it and types
    the line that names its prompt, `forget` removes that; `stroke` sends a keystroke. Once a
    wake has claimed it, whatever goes wrong is `waking.NOT_DELIVERED`.
    """

    stage: Callable[[Stage], Staged] = _no_verbs
    unstage: Callable[[Unstage], object] = _no_verbs
    wake: Callable[[Wake], object] = _no_verbs
    forget: Callable[[Forget], object] = _no_verbs
    stroke: Callable[[Stroke], object] = _no_verbs


@dataclass(frozen=True, slots=True)
class World:
    """What effects act on; each raises FlightdeckError where it cannot.

    `focus` brings a session's window forward, `open_target` opens an application or URL,
    `start` starts an argument list on its own. `answer` gives a request its decision and
    says whether the hook took it; `select` makes a session the one rows 2 and 3 act on.
    `tear_down` ends a session and says what came of it; it may take its time.
    """

    focus: Callable[[str, Place], None]
    open_target: Callable[[Target], None]
    start: Callable[[tuple[str, ...]], None]
    answer: Callable[[Answer], bool]
    select: Callable[[str], None]
    brakes: BrakeWorld = field(default_factory=BrakeWorld)
    tear_down: Callable[[str], Outcome] = _no_teardown
    verbs: VerbWorld = field(default_factory=VerbWorld)


class Performer:
    """Performs effects in order and reports each."""

    def __init__(self, world: World, report: Callable[[Performed], None]) -> None:
        self._world = world
        self._report = report
        self._work: queue.SimpleQueue[tuple[Effect, Hand] | None] = queue.SimpleQueue()
        self._ending = False
        self._thread = threading.Thread(target=self._run, name="performer", daemon=True)

    def start(self) -> None:
        """Begin to work."""
        self._thread.start()

    def perform(self, effect: Effect, hand: Hand) -> None:
        """Queue an effect of a press; returns at once."""
        self._work.put((effect, hand))

    def drop(self) -> None:
        """Begin nothing more, not even what is queued: that is reported as refused."""
        self._ending = True

    def stop(self) -> None:
        """Finish what is queued, wait a little, and stop."""
        self._work.put(None)
        if self._thread.is_alive():
            self._thread.join(timeout=3)

    def _run(self) -> None:
        while (work := self._work.get()) is not None:
            effect, hand = work
            try:
                done = self._carry_out(_ENDING if self._ending else effect)
            except FlightdeckError as error:
                if not isinstance(effect, Wake):  # nobody pressed for it, and it is tried again
                    _LOG.warning("%s: %s", hand, error.message)
                gone = isinstance(error, Gone)
                self._report(Performed(effect, hand, error.message, error.hint, gone))
            except Exception:  # a host's bug must not end the panel
                _LOG.exception("%s", hand)
                self._report(Performed(effect, hand, "failed, see the log"))
            else:
                self._report(replace(done, hand=hand))

    def _carry_out(self, effect: Effect) -> Performed:
        """Do it, and return what came of it."""
        nobody = Hand(None)
        match effect:
            case Halt() | Lift() | Interrupt() | Gate():
                return Performed(effect, nobody, newly=self._brake(effect))
            case Focus() | Open() | Run():
                self._go(effect)
            case Refuse(word):
                raise Refused(word)
            case Answer():
                self._give(effect)
            case Select(key):
                self._world.select(key)
            case Stage() | Unstage() | Wake() | Forget() | Stroke():
                return Performed(effect, nobody, staged=self._send(effect))
            case SetArm() | TearDown() | Acknowledge():
                raise Refused("that is for the loop to do")
            case _:
                assert_never(effect)
        return Performed(effect, nobody)

    def _go(self, effect: Focus | Open | Run) -> None:
        match effect:
            case Focus(key, place):
                self._world.focus(key, place)
            case Open(target):
                self._world.open_target(target)
            case Run(argv):
                self._world.start(argv)

    def _send(self, effect: Sendings) -> Staged | None:
        verbs = self._world.verbs
        match effect:
            case Stage():
                return verbs.stage(effect)
            case Unstage():
                verbs.unstage(effect)
            case Wake():
                verbs.wake(effect)
            case Forget():
                verbs.forget(effect)
            case Stroke():
                verbs.stroke(effect)
        return None

    def _brake(self, effect: Brakes) -> bool:
        world = self._world.brakes
        match effect:
            case Halt():
                return world.halt()
            case Lift():
                world.lift()
            case Interrupt(_, place):
                world.interrupt(place)
            case Gate(session_id, closed):
                world.gate(session_id, closed)
        return False

    def _give(self, answer: Answer) -> None:
        if not self._world.answer(answer):
            raise Gone("gone", "its hook had ended: answered elsewhere, or given up")
