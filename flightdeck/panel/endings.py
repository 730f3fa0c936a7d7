"""Teardowns that were confirmed on a key: one at a time, on a thread of its own.

A teardown takes as long as the agent takes to end, and git to look twice. It begins once
the fold has written down who does it, so that its key stays while the agent ends; a panel
that stops waits for the one under way.

Source: README.md, "Safety".
"""

from __future__ import annotations

import logging
import queue
import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING

from flightdeck.errors import FlightdeckError
from flightdeck.model.effect import Acknowledge, TearDown
from flightdeck.model.hold import CHANGED, ENDING
from flightdeck.panel import claims
from flightdeck.panel.perform import Performed

if TYPE_CHECKING:
    from collections.abc import Callable

    from flightdeck.model.deck import Position
    from flightdeck.model.effect import Effect
    from flightdeck.model.teardown import Outcome
    from flightdeck.panel.amends import Amend
    from flightdeck.panel.perform import Hand
    from flightdeck.panel.scanning import Scan

_LOG = logging.getLogger(__name__)
# The agent may take 10 s to end, its leftovers 3 s, git as long as its bounds are.
_PATIENCE_S = 60.0
_FAULT = "fault"


@dataclass(frozen=True, slots=True)
class _Work:
    """One that was told to have begun; `first` says that none stood before it."""

    effect: TearDown
    hand: Hand
    first: bool


@dataclass(frozen=True, slots=True)
class _Ended:
    """What came of one: the fact for the fold, and the word for its key."""

    fact: Amend
    word: str
    position: Position | None


class Endings:
    """Begins teardowns and acknowledges refused ones; the fold keeps what comes of them."""

    def __init__(
        self,
        tear_down: Callable[[str], Outcome],
        scan: Scan,
        report: Callable[[Performed], None],
        wake: Callable[[], None],
    ) -> None:
        """`tear_down` does it to the session with a key; `report` tells that one has begun."""
        self._tear_down = tear_down
        self._scan = scan
        self._report = report
        self._wake = wake
        self._claimed: list[tuple[TearDown, Hand]] = []
        self._work: queue.SimpleQueue[_Work | None] = queue.SimpleQueue()
        self._given, self._over = 0, 0
        self._ended: queue.SimpleQueue[_Ended] = queue.SimpleQueue()
        self._stopped = False
        self._thread = threading.Thread(target=self._run, name="teardown", daemon=True)

    def start(self) -> None:
        """Begin to work."""
        self._thread.start()

    def take(self, effect: Effect, hand: Hand) -> bool:
        """Take an effect that is ours: at the next look it is written down."""
        if isinstance(effect, TearDown):
            self._scan.note(claims.claim(effect.key))
            self._claimed.append((effect, hand))
        elif isinstance(effect, Acknowledge):
            self._scan.note(claims.acknowledged(effect.key))
            self._report(Performed(effect, hand))
        else:
            return False
        self._wake()
        return True

    def begin(self) -> None:
        """Begin those whose claim the look just taken has written down, and no other."""
        claimed, self._claimed = self._claimed, []
        for effect, hand in claimed:
            problem = self._against(effect.key)
            self._report(Performed(effect, hand, problem))
            if problem:
                self._scan.note(claims.given_up(effect.key))
            else:
                self._work.put(_Work(effect, hand, first=self._given == self._over))
                self._given += 1

    def settle(self) -> list[tuple[Position, str]]:
        """Hand what has ended to the fold, and return the words for their keys."""
        words: list[tuple[Position, str]] = []
        while not self._ended.empty():
            ended = self._ended.get()
            self._scan.note(ended.fact)
            if ended.word and ended.position:
                words.append((ended.position, ended.word))
        return words

    def stop(self) -> None:
        """Begin no other, wait for the one under way, and have what came of it written down."""
        self._stopped = True
        self._work.put(None)
        if self._thread.is_alive():
            self._thread.join(timeout=_PATIENCE_S)
        if not self._ended.empty():
            self.settle()
            self._scan.look(lambda session: session)

    def _against(self, key: str) -> str:
        """Return what keeps this teardown from being begun, in a word for a key."""
        if not self._scan.current:
            return "not current"
        sessions = list(self._scan.sessions())
        if any(view.key == key and view.ending for view in self._scan.fleet.slots):
            return "" if claims.is_ours(key, sessions) else ENDING
        return "" if not sessions else CHANGED

    def _run(self) -> None:
        while (work := self._work.get()) is not None:
            key = work.effect.key
            ended = _Ended(claims.given_up(key), "", None)
            # The first is under way from when it was told, though this thread comes late to it.
            if work.first or not self._stopped:
                ended = self._done(key, work.hand.position)
            self._ended.put(ended)
            self._over += 1
            self._wake()

    def _done(self, key: str, position: Position | None) -> _Ended:
        try:
            outcome = self._tear_down(key)
        except FlightdeckError as error:
            _LOG.warning("teardown of %s: %s", key, error.message)
            return _Ended(claims.broke_off(key, _FAULT, error.message), _FAULT, position)
        except Exception as error:  # a bug in it must not end the panel, nor be taken for done
            _LOG.exception("teardown of %s", key)
            words = f"{type(error).__name__}, see the log"
            return _Ended(claims.broke_off(key, _FAULT, words), _FAULT, position)
        _LOG.info("teardown of %s, %s: %s", key, outcome.stage.value, outcome.reason)
        word = "" if outcome.removed else claims.check_of(outcome)
        return _Ended(claims.came_of(key, outcome), word, position)
