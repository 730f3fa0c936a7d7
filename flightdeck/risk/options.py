"""Which of a program's words are options, which of those have values, and which are operands.

It reads as most programs do, getopt's and git's way: options anywhere before `--`, short
ones in bundles, long ones cut short, values attached or behind. A `Reading` tells what
cannot be seen from the words. It knows no rule.

Source: risk/README.md, "Options"; POSIX.1-2024, "Utility Syntax Guidelines"; GNU libc
manual, "Argument Syntax".
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from flightdeck.model.risk import Reading

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from flightdeck.model.shell import Word

# `gcloud compute instances delete` is as deep as subcommands go.
_DEEPEST = 4
# Values that switch an option off which is on without one: `--dry-run=false`.
_OFF = frozenset({"false", "no", "none", "off", "0"})
_PLAIN = Reading()


@dataclass(frozen=True, slots=True)
class Option:
    """One option as it was given; `value` is None where none was.

    `early` says that no operand stood before it. `word` is the one it stands in, and
    `after` the word behind that, which may be a value the program's reading says nothing of.
    """

    name: str
    value: Word | str | None
    early: bool
    word: Word
    after: Word | None = None

    @property
    def text(self) -> str | None:
        """Its value as text, None where it has none."""
        return self.value if self.value is None or isinstance(self.value, str) else self.value.text

    @property
    def is_off(self) -> bool:
        """Whether its value takes back what its name says."""
        text = self.text
        return text is not None and text.lower() in _OFF


@dataclass(frozen=True, slots=True)
class Given:
    """A program's words, told apart; `own` are the options that belong to the subcommand."""

    options: tuple[Option, ...]
    own: tuple[Option, ...]
    operands: tuple[Word, ...]
    reading: Reading


def told_apart(program: str, words: Sequence[Word], readings: Mapping[str, Reading]) -> Given:
    """Return the options and the operands among the words of a program."""
    return _Pass(program, words, readings).result()


class _Pass:
    """One way through the words of one program."""

    def __init__(
        self, program: str, words: Sequence[Word], readings: Mapping[str, Reading]
    ) -> None:
        self._words = words
        self._readings = readings
        self._path = program
        self._reading = readings.get(program, _PLAIN)
        self._values = self._reading.values
        self._options: list[Option] = []
        self._operands: list[Word] = []

    def result(self) -> Given:
        """Go through the words and return what they are."""
        before = self._reading.before
        at = 0
        while at < len(self._words):
            word = self._words[at]
            text = word.text
            if text == "--":
                self._add("--", None, at)
                self._operands.extend(self._words[at + 1 :])
                break
            if len(text) < 2 or text[0] != "-":
                self._operand(word)
            elif text[1] == "-":
                at += self._long(at, text)
            else:
                at += self._short(at, text)
            at += 1
        options = tuple(self._options)
        own = tuple(o for o in options if not o.early or o.name == "--") if before else options
        return Given(options, own, tuple(self._operands), self._reading)

    def _operand(self, word: Word) -> None:
        self._operands.append(word)
        if self._reading.before:
            self._reading, self._values = _PLAIN, _PLAIN.values
        if len(self._operands) > _DEEPEST:
            return
        self._path = f"{self._path} {word.text}"
        below = self._readings.get(self._path)
        if below is not None:
            self._values |= below.values
            self._reading = below

    def _long(self, at: int, text: str) -> int:
        """Take a long option and return how many words behind it were its value."""
        name, equals, value = text.partition("=")
        if equals:
            self._add(name, value, at)
            return 0
        return self._with_next(name, at)

    def _short(self, at: int, text: str) -> int:
        name, equals, value = text.partition("=")
        whole = len(name) > 2
        if whole and (name in self._reading.options or name in self._values):
            if equals:
                self._add(name, value, at)
                return 0
            return self._with_next(name, at)
        if whole:  # perhaps no bundle, but `-auto-approve`
            self._add(name, value if equals else None, at)
        return self._bundle(at, text)

    def _bundle(self, at: int, text: str) -> int:
        for place in range(1, len(text)):
            letter = "-" + text[place]
            if letter in self._values:
                if place + 1 < len(text):
                    self._add(letter, text[place + 1 :].removeprefix("="), at)
                    return 0
                return self._with_next(letter, at)
            rest = text[place + 1 :] if place == 1 else None
            self._add(letter, rest or None, at)
        return 0

    def _with_next(self, name: str, at: int) -> int:
        if name in self._values and at + 1 < len(self._words):
            self._add(name, self._words[at + 1], at)
            return 1
        self._add(name, None, at)
        return 0

    def _add(self, name: str, value: Word | str | None, at: int) -> None:
        after = self._words[at + 1] if at + 1 < len(self._words) else None
        self._options.append(Option(name, value, not self._operands, self._words[at], after))
