"""One line typed into an agent's input box and submitted, with what stood there kept.

Half a sentence, a search or the shell mode may be there, and nothing but the screen tells.
So every key is the answer to a look at it: one Esc where a view of the agent's own is known to
cover the box, Ctrl-U in an empty shell mode, Ctrl-S to put a draft aside, which the agent puts
back by itself. Enter only follows where the box holds the line and nothing else, and the agent
has just been asked.

It must not know which agent or which host it is.

Source: verbs/README.md, "How a verb gets there".
"""

from __future__ import annotations

import enum
import logging
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from flightdeck.errors import FlightdeckError, Unavailable
from flightdeck.model.inputbox import Box, Mode, begins, holds
from flightdeck.system import clock

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from flightdeck.model.place import Place
    from flightdeck.ports import Keyboard

_LOG = logging.getLogger(__name__)
# An agent shows what a key did within some hundredths of a second.
_SHOWN_S = 1.0
# What it proposes as a prompt stays when it is told to put a draft aside; that shows sooner.
_STASHED_S = 0.4
_EVERY_S = 0.03
# The box may change by itself meanwhile; one that always does is being typed into.
_MOST_LOOKS = 8
# What stands for a box that is not there: it never holds a line.
_NOTHING = Box(Mode.SHELL)

_NO_BOX = ("no input box", "its window shows something else: a search, a dialog, a program")
_SHELL = ("in shell mode", "leave shell mode in its window, then send it again")
_DRAFT = ("draft in the way", "send or clear what stands in its input box, then send it again")
_IN_USE = ("somebody types", "its input box is in use; send it again when it is not")
_KEPT = "Ctrl-S brings its draft back"


class NotTyped(Unavailable):
    """Nothing of the line is in the window; it may be tried again later."""


class Key(enum.Enum):
    """What is pressed before the line is put in, each of them once at most."""

    ESCAPE = "Esc"
    ERASE = "Ctrl-U"
    STASH = "Ctrl-S"


@dataclass(frozen=True, slots=True)
class Pace:
    """How time passes: `now` in seconds that never run backwards, `pause` waits so long."""

    now: Callable[[], float] = clock.monotonic
    pause: Callable[[float], None] = clock.pause


def submit(
    keyboard: Keyboard,
    read: Callable[[str], Box | None],
    place: Place,
    line: str,
    still: Callable[[], None],
    pace: Pace | None = None,
) -> None:
    """Type `line` into the input box `read` finds on a screen, alone, and submit it.

    `still` raises where the agent can no longer take a line; it is asked before each key.

    Raises:
        NotTyped: nothing of the line is there; the hint says so if a draft was put aside.
        Unavailable: it was typed, and not sent as far as anybody knows: it may stand there.
        ValueError: it is no line a keyboard takes.
    """
    typist = _Typist(_Window(keyboard, read, place, pace or Pace()), line, still)
    typist.clear()
    typist.put_in()
    typist.send()


def next_key(box: Box | None, pressed: Mapping[Key, Box | None]) -> Key | None:
    """Return what to press so that the box becomes free for a line, None if it is.

    `pressed` has what the box was when each key was pressed.

    Raises:
        NotTyped: nothing more may be pressed, and it is not free.
    """
    if box is None:
        # An editor, a menu, a draft too long to be seen: a key would be a word to it.
        raise NotTyped(*_NO_BOX)
    if box.mode is Mode.COVERED:
        # Another Esc would be a word of its own: it clears a draft, or opens a menu.
        return _once(Key.ESCAPE, not pressed, _NO_BOX)
    if box.empty:
        shell = box.mode is Mode.SHELL
        return _once(Key.ERASE, Key.ERASE not in pressed, _SHELL) if shell else None
    if (before := pressed.get(Key.STASH)) is not None:
        return _once(None, _nobodys(box, before), _DRAFT)
    # There is room for one draft only: the one before would be lost.
    return _once(Key.STASH, not box.stashed, _DRAFT)


def _once(key: Key | None, may: bool, otherwise: tuple[str, str]) -> Key | None:  # noqa: FBT001
    if not may:
        raise NotTyped(*otherwise)
    return key


def _nobodys(box: Box, before: Box) -> bool:
    """Say whether what is there after Ctrl-S is only proposed: it yields to what is typed.

    A proposal alone cannot be put aside, and one may take the place of a draft that was.
    It is one sentence; of more rows somebody may have written them.
    """
    return box.mode is Mode.PLAIN and "\n" not in box.text and (box == before or box.stashed)


@dataclass(frozen=True, slots=True)
class _Window:
    keyboard: Keyboard
    read: Callable[[str], Box | None]
    place: Place
    pace: Pace

    def look(self) -> Box | None:
        return self.read(self.keyboard.screen(self.place))

    def await_(self, good: Callable[[Box | None], bool], for_s: float = _SHOWN_S) -> Box | None:
        """Look until it is good or time is up; return what was seen last."""
        end = self.pace.now() + for_s
        while not good(box := self.look()) and self.pace.now() < end:
            self.pace.pause(_EVERY_S)
        return box

    def settled(self) -> Box | None:
        """Return what two looks in a row saw: one alone may be of half a picture."""
        seen: list[Box | None] = [self.look()]

        def same(box: Box | None) -> bool:
            seen.append(box)
            return seen[-2] == box

        self.pace.pause(_EVERY_S)
        return self.await_(same)

    def press(self, key: Key) -> Box | None:
        """Press it and return what is there once it has done what it is for, or time is up."""
        match key:
            case Key.ESCAPE:
                self.keyboard.interrupt(self.place)
                return self.await_(lambda box: box is not None and box.mode is not Mode.COVERED)
            case Key.ERASE:
                self.keyboard.erase(self.place)
                return self.await_(lambda box: box is not None and box.mode is Mode.PLAIN)
            case Key.STASH:
                self.keyboard.stash(self.place)
                return self.await_(_is_put_aside, _STASHED_S)

    def erase(self, before: Box) -> Box | None:
        """Press Ctrl-U once, `before` being there, and return what is left."""
        self.keyboard.erase(self.place)
        return self.await_(lambda box: box != before)


class _Typist:
    """Types one line, once."""

    def __init__(self, window: _Window, line: str, still: Callable[[], None]) -> None:
        self._window = window
        self._line = line
        self._still = still
        self._pressed: dict[Key, Box | None] = {}
        self._found: Box | None = None

    def clear(self) -> None:
        """Make the box free for the line.

        Raises:
            NotTyped: it cannot be made free, or the agent takes no line any more.
        """
        try:
            box = self._window.settled()
            for _ in range(_MOST_LOOKS):
                key = next_key(box, self._pressed)
                self._still()
                # Somebody may have typed while the agent was asked: then it is another box.
                now = self._window.look()
                if now == box and key is None:
                    self._found = box
                    return
                box = self._press(key, now) if key and now == box else now
            raise NotTyped(*_IN_USE)
        except FlightdeckError as error:
            raise self._not_typed(error) from error

    def _press(self, key: Key, box: Box | None) -> Box | None:
        self._pressed[key] = self._found = box
        self._found = self._window.press(key)
        return self._found

    def put_in(self) -> None:
        """Paste the line and wait until the box holds it.

        Raises:
            NotTyped: the agent takes no line any more.
            Unavailable: it does not hold it, or something else with it.
        """
        box = self._paste()
        # Blanks that stood there are not to be seen until something is behind them.
        if box != (alone := _stripped(box)) and holds(alone, self._line) and self._take_out():
            self.clear()
            box = self._paste()
        if not holds(box, self._line):
            raise self._not_sent("its input box does not hold just that line")

    def send(self) -> None:
        """Submit it, if the agent takes it still.

        Raises:
            NotTyped: it does not, and the line is out again.
            Unavailable: it does not, or nobody knows whether the line went out.
        """
        try:
            self._still()
        except FlightdeckError as error:
            if self._take_out():
                raise self._not_typed(error) from error
            raise self._not_sent(error.message) from error
        try:
            box = self._window.look()
            if box is not None and holds(box, self._line):
                self._window.keyboard.confirm(self._window.place)
                return
        except Unavailable as error:
            raise self._not_sent(error.message) from error
        raise self._not_sent("its input box has changed")

    def _paste(self) -> Box:
        """Put the line in and return the box that holds it, or what is there in its place."""
        try:
            self._window.keyboard.paste(self._window.place, self._line)
            box = self._window.await_(lambda box: holds(_stripped(box), self._line))
        except Unavailable as error:
            raise self._not_sent(error.message) from error
        return box or _NOTHING

    def _take_out(self) -> bool:
        """Erase the line, row by row, where the box holds nothing else; say whether it is out."""
        try:
            box = self._window.look()
            # What is not there any more may have been submitted by somebody else.
            if not holds(_stripped(box), self._line):
                return False
            while box is not None and box != self._found and box.text:
                before = box
                if not begins(_stripped(box), self._line):
                    return False
                box = self._window.erase(before)
                if box == before:
                    return False
        except Unavailable as error:
            _LOG.warning("the line stays where it was typed: %s", error.message)
            return False
        return box is not None and box.mode is not Mode.COVERED

    def _not_typed(self, error: FlightdeckError) -> NotTyped:
        return NotTyped(error.message, self._hint(error.hint))

    def _not_sent(self, why: str) -> Unavailable:
        return Unavailable(f"typed, not sent: {why}", self._hint("look at its window"))

    def _hint(self, hint: str) -> str:
        kept = Key.STASH in self._pressed and self._found != self._pressed[Key.STASH]
        return "; ".join(filter(None, (hint, _KEPT if kept else "")))


def _is_put_aside(box: Box | None) -> bool:
    return box is not None and (box.empty or box.stashed)


def _stripped(box: Box | None) -> Box:
    """Return a box without the blanks in front."""
    return replace(box, text=box.text.lstrip(" ")) if box else _NOTHING
