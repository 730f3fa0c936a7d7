"""The panel: one loop over one queue that calls pure rules and performs what they return.

Keys, the watch, the control socket and the performer only queue; everything that
decides happens here, on one thread.
"""

from __future__ import annotations

import logging
import queue
from concurrent.futures import Future
from typing import TYPE_CHECKING, Any, Protocol

from flightdeck.errors import FlightdeckError, Unavailable
from flightdeck.fold.folding import Unsaved
from flightdeck.model.display import display
from flightdeck.model.effect import Focus, Select
from flightdeck.model.fleet import Fleet
from flightdeck.model.layout import SlotBinding
from flightdeck.model.respond import respond
from flightdeck.model.verdict import Press, aim
from flightdeck.panel.amends import after_focus, chain
from flightdeck.panel.flashes import Flashes
from flightdeck.panel.messages import STOP, WAKE, Asked, KeyMoved, Lost, Message, Stop, Wake
from flightdeck.panel.painter import Painter
from flightdeck.panel.perform import Performed, Performer, World
from flightdeck.system import clock

if TYPE_CHECKING:
    from collections.abc import Callable

    from flightdeck.fold.folding import Outcome
    from flightdeck.model.deck import Position
    from flightdeck.model.keyview import KeyView
    from flightdeck.model.layout import Layout
    from flightdeck.model.session import Session
    from flightdeck.ports import Deck

_LOG = logging.getLogger(__name__)
SCAN_S = 0.25
# Where a watch wakes the panel, scanning is for what it missed and for who died.
WATCHED_SCAN_S = 0.5
# A folder that was made anew is watched within this time; until then the scan sees it.
TEND_S = 1.0
# A switch may close, open and close again within milliseconds of one press.
BOUNCE_S = 0.03
_BURST = 64
# What a slot says while nobody can tell whether its colour still holds.
_NOT_CURRENT = "not current"


class FleetSource(Protocol):
    """Where the fleet comes from: the fold, or a script for the demo."""

    def step(
        self,
        now: float,
        panel: dict[str, Any],
        amend: Callable[[Session], Session] | None = None,
    ) -> Outcome:
        """Return what there is at `now`, epoch seconds."""


class Panel:
    """A layout on a deck, kept true to a fleet."""

    def __init__(
        self,
        layout: Layout,
        deck: Deck,
        source: FleetSource,
        world: World,
        native: Callable[[KeyView], bytes],
    ) -> None:
        self.layout = layout
        self.fleet = Fleet()
        self.about: dict[str, Any] = {}
        self.on_snapshot: Callable[[str], None] = lambda _: None
        # Called every TEND_S; says whether something will wake the panel at news.
        self.tend: Callable[[], bool] = lambda: False
        self.on_open: Callable[[], None] = lambda: None
        self._deck = deck
        self._source = source
        self._queue: queue.SimpleQueue[Message] = queue.SimpleQueue()
        self._painter = Painter(deck, native, lambda error: self._queue.put(Lost(error)))
        self._performer = Performer(world, self._queue.put)
        self._flashes = Flashes()
        self._last_down: dict[int, float] = {}
        self._waiting: list[Asked] = []
        self._amends: list[Callable[[Session], Session]] = []
        self._again: float | None = None
        self._failing = ""
        self._current = True
        self._shown: object = None
        self._scan_s = SCAN_S
        self._tend_at = 0.0

    @property
    def writes(self) -> int:
        """How many keys were written so far."""
        return self._painter.writes

    def wake(self) -> None:
        """Look again soon; from any thread."""
        self._queue.put(WAKE)

    def stop(self) -> None:
        """End `run`; from any thread or signal handler."""
        self._queue.put(STOP)

    def press(self, position: Position, hold_s: float, timeout_s: float) -> Performed:
        """Press a key as a thumb would and return what came of it; from another thread.

        It is held for `hold_s` seconds before it is let go.

        Raises:
            Unavailable: nothing came of it in time.
        """
        asked = Asked(position, Future())
        index = self.layout.grid.index(position)
        self._queue.put(asked)
        self._queue.put(KeyMoved(index, down=True, at=clock.monotonic()))
        clock.pause(hold_s)
        self._queue.put(KeyMoved(index, down=False, at=clock.monotonic()))
        try:
            return asked.answer.result(timeout_s)
        except TimeoutError as error:
            raise Unavailable(f"key {position} gave no answer in {timeout_s:g} s") from error

    def run(self, seconds: float | None = None) -> None:
        """Run until stopped, or for so many seconds.

        Raises:
            Unavailable: the deck is not there, or has gone.
        """
        end = None if seconds is None else clock.monotonic() + seconds
        try:
            self._deck.open(lambda index, down, at: self._queue.put(KeyMoved(index, down, at)))
            self.on_open()
            self._painter.start()
            self._performer.start()
            while self._turn(end):
                pass
        finally:
            self._performer.stop()
            self._painter.stop()
            self._deck.close()

    def _turn(self, end: float | None) -> bool:
        self._tend()
        self._scan()
        self._show()
        for message in self._messages(end):
            if not self._handle(message):
                return False
        return end is None or clock.monotonic() < end

    def _tend(self) -> None:
        """Look after what wakes us and how we are found: rarely, unless a fold failed."""
        now = clock.monotonic()
        if now >= self._tend_at or self._failing:
            self._scan_s = WATCHED_SCAN_S if self.tend() else SCAN_S
            self._tend_at = now + TEND_S

    def _messages(self, end: float | None) -> list[Message]:
        """Wait for the next message, then take what else is there."""
        messages: list[Message] = []
        try:
            messages.append(self._queue.get(timeout=self._patience(end)))
            while len(messages) < _BURST:
                messages.append(self._queue.get_nowait())
        except queue.Empty:
            pass
        return messages

    def _patience(self, end: float | None) -> float:
        now, waits = clock.monotonic(), [self._scan_s]
        if self._again is not None:
            waits.append(self._again - clock.now())
        waits += [until - now for until in self._flashes.ends()]
        if end is not None:
            waits.append(end - now)
        return max(0.001, min(waits))

    def _scan(self) -> None:
        amends, self._amends = self._amends, []
        try:
            outcome = self._source.step(clock.now(), self.about, chain(amends))
        except Unsaved as error:
            self._amends = amends + self._amends
            self._report_failing(error)
            self._take(error.outcome)
        except (OSError, FlightdeckError) as error:
            self._amends = amends + self._amends
            self._report_failing(error)
            self._current, self._again = False, None
        else:
            self._failing = ""
            self._take(outcome)

    def _take(self, outcome: Outcome) -> None:
        self._current = True
        self.fleet = outcome.fleet
        self._again = outcome.again
        if outcome.snapshot is not None:
            self.on_snapshot(outcome.snapshot)

    def _report_failing(self, error: OSError | FlightdeckError) -> None:
        # Never the text of an OSError: it names a temporary file, another one each time.
        problem = (error.strerror if isinstance(error, OSError) else "") or str(error)
        if problem != self._failing:
            self._failing = problem
            _LOG.error("cannot fold: %s", problem)

    def _show(self) -> None:
        wanted = (self.layout, self.fleet, self._words())
        if wanted != self._shown:
            self._painter.show(display(*wanted))
            self._shown = wanted

    def _words(self) -> dict[Position, str]:
        """What stands on keys for now; where nothing can be folded, every slot says so."""
        words = self._flashes.words(clock.monotonic())
        if self._current:
            return words
        slots = (key.position for key in self.layout.keys if isinstance(key.binding, SlotBinding))
        return dict.fromkeys(slots, _NOT_CURRENT) | words

    def _handle(self, message: Message) -> bool:
        match message:
            case KeyMoved(index, down, at):
                self._key_moved(index, at, down=down)
            case Asked():
                self._waiting.append(message)
            case Performed():
                self._performed(message)
            case Lost(error):
                raise error
            case Stop():
                return False
            case Wake():
                pass
        return True

    def _key_moved(self, index: int, at: float, *, down: bool) -> None:
        if not down or not 0 <= index < self.layout.grid.keys:
            return
        bounced = at - self._last_down.get(index, -BOUNCE_S) < BOUNCE_S
        self._last_down[index] = at
        position = self.layout.grid.position(index)
        if bounced:
            self._answer(Performed(None, position, "too soon after the last press"))
        else:
            self._pressed(position, at)

    def _pressed(self, position: Position, at: float) -> None:
        """A press belongs to what the key showed: the fleet it was last drawn from."""
        told = respond(self.layout, self.fleet, aim(self.fleet), (), Press(position, at))
        effects = [effect for effect in told if not isinstance(effect, Select)]
        if not effects:
            self._answer(Performed(None, position, "this key does nothing"))
        for effect in effects:
            self._performer.perform(effect, position)

    def _performed(self, done: Performed) -> None:
        if done.problem:
            until = clock.monotonic() + self.layout.timings.flash_ms / 1000
            self._flashes.add(done.position, done.problem, until)
        if isinstance(done.effect, Focus) and (done.gone or not done.problem):
            self._amends.append(after_focus(done.effect, gone=done.gone))
        self._answer(done)

    def _answer(self, done: Performed) -> None:
        for asked in [a for a in self._waiting if a.position == done.position]:
            self._waiting.remove(asked)
            asked.answer.set_result(done)
