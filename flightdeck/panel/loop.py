"""The panel: one loop over one queue that calls pure rules and performs what they return.

Keys, the watch, the control socket, the leases and the performers only queue; everything
that decides happens here, on one thread.
"""

from __future__ import annotations

import queue
from typing import TYPE_CHECKING

from flightdeck.model.effect import Answer, Effect, Halt, Refuse, SetArm
from flightdeck.model.hold import CHANGED
from flightdeck.model.respond import chosen
from flightdeck.panel.braking import Braking
from flightdeck.panel.delivering import Delivering
from flightdeck.panel.endings import Endings
from flightdeck.panel.flashes import Flashes, standing
from flightdeck.panel.following import Following, Keys
from flightdeck.panel.hands import Hands
from flightdeck.panel.messages import (
    STOP,
    WAKE,
    Chosen,
    Edited,
    Halted,
    KeyMoved,
    Lost,
    Message,
    Ruled,
    Sent,
    Stop,
    Wake,
    burst,
    heard,
)
from flightdeck.panel.outcomes import Ours, Outcomes
from flightdeck.panel.painter import Painter
from flightdeck.panel.perform import Hand, Performed, World, tell
from flightdeck.panel.pressing import Pressing
from flightdeck.panel.requests import Requests, out_of_reach
from flightdeck.panel.ruling import Ruling, about, bound
from flightdeck.panel.scanning import FleetSource, Scan
from flightdeck.panel.showing import Showing
from flightdeck.panel.thumbs import Deeds, Thumbs
from flightdeck.system import clock

if TYPE_CHECKING:
    from collections.abc import Callable

    from flightdeck.model.fleet import Fleet
    from flightdeck.model.keyview import KeyView
    from flightdeck.model.layout import Layout
    from flightdeck.ports import Deck

SCAN_S = 0.25
# Where a watch wakes the panel, scanning is for what it missed and for who died.
WATCHED_SCAN_S = 1.0
# A folder that was made anew is watched within this time; until then the scan sees it.
TEND_S = 1.0
# A panel whose time is up finishes its last picture, unless the deck takes longer than this.
LAST_S = 10.0
_UNUSABLE = "the state folder cannot be used: see the log"


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
        self.scan = Scan(source)
        self.requests = Requests(layout.timings.decide_ms / 1000)
        # Called every TEND_S; says whether something will wake the panel at news.
        self.tend: Callable[[], bool] = lambda: False
        self.on_open: Callable[[], None] = lambda: None
        self._deck = deck
        self._queue: queue.SimpleQueue[Message] = queue.SimpleQueue()
        self._painter = Painter(deck, native, lambda error: self._queue.put(Lost(error)))
        self._hands = Hands(world, self._queue.put)
        self._braking = Braking()
        self._pressing = Pressing(layout, self._painter.stood)
        self._thumbs = Thumbs(layout, self._pressing, self._painter.stood)
        self._endings = Endings(world.tear_down, self.scan, self._queue.put, self.wake)
        self._ruling = Ruling(self.requests)
        self._flashes = Flashes()
        self._delivering = Delivering(layout)
        ours = Ours(self.requests, self._braking, self._delivering)
        flash_s = layout.timings.flash_ms / 1000
        self._outcomes = Outcomes(self.scan, ours, self._flashes, flash_s)
        self._showing = Showing(self._painter)
        keys = Keys(self._pressing, self._thumbs, self._flashes, self._painter, self._showing)
        self.following = Following(keys, self.requests, self._delivering, self._outcomes)
        self._scan_s = SCAN_S
        self._tend_at = 0.0

    @property
    def writes(self) -> int:
        """How many keys were written so far."""
        return self._painter.writes

    @property
    def fleet(self) -> Fleet:
        """The fleet as it stands: a request that is being answered waits no more, a verb does.

        While nobody can tell whether a request still stands, only its terminal answers it.
        """
        fleet = self._delivering.cover(self._seen)
        return fleet if self.scan.current else out_of_reach(fleet)

    @property
    def _seen(self) -> Fleet:
        return self._braking.cover(self.requests.open(self.scan.fleet))

    @property
    def faced(self) -> Fleet:
        """The fleet as the keys show it, without what is to be different in a moment."""
        return self.requests.ready(self.fleet) if self.scan.current else self.fleet

    def know_torn(self, picture: bytes) -> None:
        """Take no decision from a key that shows this, the picture of a broken face."""
        self._painter.torn = picture

    def wake(self) -> None:
        """Look again soon; from any thread."""
        self._queue.put(WAKE)

    def stop(self) -> None:
        """End `run`; from any thread or signal handler."""
        self._queue.put(STOP)

    def tell(self, message: Message) -> None:
        """Queue what happened; from any thread."""
        self._queue.put(message)

    def run(self, seconds: float | None = None) -> None:
        """Run until stopped, or for so many seconds, and until the last picture is whole.

        Raises:
            Unavailable: the deck is not there, or has gone.
        """
        end = None if seconds is None else clock.monotonic() + seconds
        try:
            self._deck.open(heard(self._queue.put))
            self.on_open()
            for part in (self._painter, self._hands, self._endings):
                part.start()
            while self._turn(end):
                pass
            if end is not None and clock.monotonic() >= end:
                self._painter.settle(LAST_S)
        finally:
            for part in (self._hands, self._painter, self._endings):
                part.stop()
            self._deck.close()

    def _turn(self, end: float | None) -> bool:
        self._tend()
        self._look()
        self._endings.begin()
        self._brake()
        self._rule()
        self._deliver()
        self._show()
        for message in burst(self._queue, self._patience(end)):
            if not self._handle(message):
                return False
        self._touch(self._thumbs.due(clock.monotonic(), self.faced))
        return end is None or clock.monotonic() < end

    def _tend(self) -> None:
        """Look after what wakes us and how we are found: rarely, unless a fold failed."""
        now = clock.monotonic()
        if now >= self._tend_at or self.scan.failing:
            self._scan_s = WATCHED_SCAN_S if self.tend() else SCAN_S
            self._tend_at = now + TEND_S

    def _patience(self, end: float | None) -> float:
        now = clock.monotonic()
        ends = [*self._flashes.ends(), *self._pressing.ends(), *self._ruling.ends()]
        ends += [*self._delivering.ends(), *self._braking.ends()]
        ends += [*self._thumbs.ends(now), *self.requests.ends(now), *([] if end is None else [end])]
        return max(0.001, min([self._scan_s, *self.scan.due_in(), *(at - now for at in ends)]))

    def _look(self) -> None:
        self.scan.look(self.requests.holding(clock.monotonic()))
        now = clock.monotonic()
        self.requests.sync(self.scan.sessions(), now)
        self._pressing.uphold(self.fleet, now)

    def _brake(self) -> None:
        """Do what a halt has ordered, as far as can be told to whom."""
        if self.scan.current:
            fleet = self.requests.open(self.scan.fleet)
            for effect in self._braking.due(fleet, self.scan.sessions(), clock.monotonic()):
                self._carry_out([effect], Hand(None))
        else:
            self._braking.blind(_UNUSABLE)

    def _rule(self) -> None:
        """Give the verdicts of terminals; one before may have answered what the next is about."""
        for asked in self._ruling.ready(self.fleet, clock.monotonic()):
            told = self._pressing.terminal(asked, about(asked, self.fleet), self.fleet)
            self._carry_out(told, Hand(None, asked.told))

    def _deliver(self) -> None:
        """Wake who is at rest and has a verb waiting, as far as can be told who is."""
        if not self.scan.current:
            self._delivering.blind(_UNUSABLE)
            return
        sessions, now = self.scan.sessions(), clock.monotonic()
        for effect in self._delivering.due(self._seen, sessions, clock.now(), now):
            self._carry_out([effect], Hand(None))

    def _show(self) -> None:
        for position, word in (*self._endings.settle(), *self._delivering.words()):
            self._outcomes.flash(position, word)
        now, fleet, arms = clock.monotonic(), self.faced, self._pressing.arms
        known = fleet if self.scan.current else None
        words = standing(self._flashes.words(now), arms, self.layout, known)
        holds = self._thumbs.progress(now, fleet)
        self._showing.show(self.layout, fleet, arms, words, holds)

    def _handle(self, message: Message) -> bool:
        match message:
            case KeyMoved():
                self._key_moved(message)
            case Ruled() | Sent() | Halted() | Chosen():
                self._asked(message)
            case Performed():
                self._outcomes.take(message)
            case Edited():
                self.layout, over = self.following.take(message, self.layout)
                self._touch(over)
            case Lost(error):
                raise error
            case Stop() | Wake():
                return isinstance(message, Wake)
        return True

    def _asked(self, message: Ruled | Sent | Halted | Chosen) -> None:
        """Do what a terminal asks for."""
        match message:
            case Ruled():
                self._look()  # what it is about may have been spooled a moment ago
                self._ruling.add(bound(message, self.fleet))
            case Sent(told=told):
                self._look()  # it is about the session that is selected now
                self._carry_out(self._pressing.sent(message, self.fleet), Hand(None, told))
            case Halted(newly, told):
                self._braking.latched(newly=newly, told=told)
            case Chosen(slot, key, told):
                self._look()  # another session may have that slot by now
                self._carry_out(chosen(self.fleet, slot, key), Hand(None, told))

    def _key_moved(self, key: KeyMoved) -> None:
        """A key that takes no hold acts when it goes down, and then only."""
        if not 0 <= key.index < self.layout.grid.keys:
            return
        hand = Hand(self.layout.grid.position(key.index), key.told)
        if key.down and self.following.blocks(key.index, key.at):
            self._carry_out([Refuse(CHANGED)], hand)
        elif self._thumbs.takes(key, self.faced):
            self._touch(self._thumbs.moved(key, self.faced))
        elif key.down:
            self._pressed(key, hand)

    def _touch(self, deeds: Deeds) -> None:
        for effects, hand in deeds:
            self._carry_out(effects, hand)

    def _pressed(self, key: KeyMoved, hand: Hand) -> None:
        if self._pressing.bounced(key.index, key.at):
            tell(Performed(None, hand, "too soon after the last press"))
        elif told := self._pressing.key(key.index, key.at, self.faced):
            self._carry_out(told, hand)
        else:
            tell(Performed(None, hand, "this key does nothing"))

    def _carry_out(self, effects: list[Effect], hand: Hand) -> None:
        """Have these done; whoever waits is told of the last one."""
        for effect in effects:
            whose = hand if effect is effects[-1] else Hand(hand.position)
            if isinstance(effect, SetArm):
                self._outcomes.take(Performed(effect, whose))
                continue
            if self._endings.take(effect, whose):
                continue
            if isinstance(effect, Answer):
                self.requests.begin(effect)
            if isinstance(effect, Halt):
                self._braking.begin()
            self._hands.perform(effect, whose)
