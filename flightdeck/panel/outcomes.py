"""What comes of effects that were performed: facts for the fold, words on keys, answers.

Whoever waits for a press is told here, once, of the effect it was about.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from flightdeck.model.effect import Answer, Focus, Halt, Stroke
from flightdeck.model.waking import SENT
from flightdeck.panel.amends import after_focus
from flightdeck.panel.perform import tell
from flightdeck.panel.requests import after_answer
from flightdeck.system import clock

if TYPE_CHECKING:
    from flightdeck.model.deck import Position
    from flightdeck.panel.braking import Braking
    from flightdeck.panel.delivering import Delivering
    from flightdeck.panel.flashes import Flashes
    from flightdeck.panel.perform import Performed
    from flightdeck.panel.requests import Requests
    from flightdeck.panel.scanning import Scan


@dataclass(frozen=True, slots=True)
class Ours:
    """Those of the panel's parts that are told of what was performed."""

    requests: Requests
    braking: Braking
    delivering: Delivering


class Outcomes:
    """Takes what was performed, on the loop's own thread."""

    def __init__(self, scan: Scan, ours: Ours, flashes: Flashes, flash_s: float) -> None:
        """A word stands for `flash_s` seconds."""
        self._scan = scan
        self._ours = ours
        self._flashes = flashes
        self.flash_s = flash_s

    def take(self, done: Performed) -> None:
        """Let everybody know who has to."""
        now = clock.monotonic()
        told = self._ours.delivering.note(done, now)
        if told is None:
            return
        word = self._noted(done) or done.problem
        self._ours.braking.note(done, now)
        if word and done.hand.position:
            self.flash(done.hand.position, word)
        tell(told)

    def flash(self, position: Position, word: str) -> None:
        """Let a word stand on a key for a moment."""
        self._flashes.add(position, word, clock.monotonic() + self.flash_s)

    def _noted(self, done: Performed) -> str:
        """Note what is true now; return the word for a key that did what it should."""
        effect = done.effect
        if isinstance(effect, Answer):
            return self._answered(effect, taken=not done.problem)
        if isinstance(effect, Focus) and (done.gone or not done.problem):
            self._scan.note(after_focus(effect, gone=done.gone))
        elif isinstance(effect, Halt) and done.problem:
            self._ours.braking.failed()
        elif isinstance(effect, Halt):
            self._ours.braking.latched(newly=done.newly)
        return SENT if isinstance(effect, Stroke) and not done.problem else ""

    def _answered(self, effect: Answer, *, taken: bool) -> str:
        self._ours.requests.end(effect, taken=taken)
        if not taken:
            return ""
        self._scan.note(after_answer(effect, clock.now()))
        return SENT
