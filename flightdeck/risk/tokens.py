"""What a rule asks of one word: a glob, a class of paths, an option and its value.

A rule that raises a tier is satisfied by what may be meant; one that lowers it wants
proof: that is `Tokens.proof`.

Source: risk/README.md, "Options", "Operands and paths" and "Proof".
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from flightdeck.risk.globs import path_source, short, text_source

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from flightdeck.model.risk import Reading
    from flightdeck.model.shell import Word
    from flightdeck.risk.calls import Call
    from flightdeck.risk.options import Option
    from flightdeck.risk.places import Places

    Holds = Callable[[Call, Word], bool]
    HoldsText = Callable[[str, Call], bool]

UNSEEN = "<unseen>"

_GLOB, _VARIABLE = "<glob>", "<variable>"
_CLASS = re.compile(r"(.*)<([\w-]+)>", re.DOTALL)
_PATH = re.compile(r"/|~|\*\*/|\./|\.{1,2}\Z")
_LOOSE = re.DOTALL | re.IGNORECASE
_SHORTEST_CUT = 3


@dataclass(frozen=True, slots=True)
class Flag:
    """An option a rule asks for; `value` is None where any will do."""

    name: str
    value: HoldsText | None
    named: frozenset[str]  # long options some rule writes out: none of them is a cut one

    def given_by(self, option: Option, call: Call) -> bool:
        """Return whether `option` may be this one: cut short, or with one dash for two."""
        if not self._is(option.name, call.given.reading):
            return False
        return self.value is None or self._has_value(option, call)

    def spelled_by(self, option: Option, call: Call) -> bool:
        """Return whether `option` is this one beyond doubt."""
        if option.name != self.name:
            return False
        return self._has_value(option, call) if self.value else not option.is_off

    def _is(self, given: str, reading: Reading) -> bool:
        if given == self.name:
            return True
        if len(given) < _SHORTEST_CUT or len(self.name) < _SHORTEST_CUT:
            return False
        if "-" + given == self.name or "-" + self.name == given:
            return True
        cut = given.startswith("--") and self.name.startswith(given)
        written_out = given in self.named or given in reading.options or given in reading.values
        return cut and not written_out

    def _has_value(self, option: Option, call: Call) -> bool:
        text = option.text
        if text is None and option.after is not None:
            text = option.after.text
        return self.value is None or (text is not None and self.value(text, call))


class Tokens:
    """Makes tests out of tokens; with `proof`, what may only be meant does not do."""

    def __init__(self, places: Places, named: frozenset[str], *, proof: bool) -> None:
        self._places = places
        self._named = named
        self._proof = proof

    def flag(self, token: str) -> Flag:
        """Return an option a rule asks for, perhaps with its value."""
        name, equals, glob = token.partition("=")
        return Flag(name, self._text(glob) if equals else None, self._named)

    def operand(self, token: str) -> Holds:
        """Return what tests an operand; `a&b` asks for both."""
        tests = [self._operand(part) for part in token.split("&") if part]
        return tests[0] if len(tests) == 1 else lambda c, w: all(test(c, w) for test in tests)

    def path(self, token: str) -> Holds:
        """Return what tests a word that is a path."""
        if self._proof:
            surely = self.surely([token], path=True)
            return lambda _, word: surely(word)
        if _CLASS.fullmatch(token):
            test = self._text(token)
            return lambda call, word: test(word.text, call)
        pattern = re.compile(path_source(token), _LOOSE)
        return lambda c, word: any(pattern.fullmatch(form) for form in c.forms(word.text))

    def surely(self, tokens: Sequence[str], *, path: bool = False) -> Callable[[Word], bool]:
        """Return whether a word is one of these whatever the shell makes of it.

        `path` says that globs are over paths, however they begin.
        """
        tests = [self._surely(token, path=path or _is_path(token)) for token in tokens]

        def test(word: Word) -> bool:
            sure = word.literal and not word.glob
            return sure and any(test(word.text) for test in tests)

        return test

    def _surely(self, token: str, *, path: bool) -> Callable[[str], bool]:
        found = _CLASS.fullmatch(token)
        if found is None:
            glob = re.compile(path_source(token) if path else text_source(token), re.DOTALL)
            return lambda text: glob.fullmatch(self._places.proven(text)) is not None
        lead, name = re.compile(text_source(found[1]), re.DOTALL), found[2]

        def test(text: str) -> bool:
            led = lead.match(short(text))
            return led is not None and self._places.surely(name, text[led.end() :])

        return test

    def _operand(self, token: str) -> Holds:
        if token == _GLOB:
            return lambda _, word: word.glob
        if token == _VARIABLE:
            return lambda _, word: not word.literal
        if self._proof:
            surely = self.surely([token])
            return lambda _, word: surely(word)
        if _is_path(token):
            return self.path(token)
        test = self._text(token)
        return lambda call, word: test(word.text, call)

    def _text(self, token: str) -> HoldsText:
        """Return what tests a text: a glob, or a class with perhaps a glob before it."""
        if self._proof:
            surely = self._surely(token, path=False)
            return lambda text, _: surely(text)
        found = _CLASS.fullmatch(token)
        if found is None:
            pattern = re.compile(text_source(token), _LOOSE)
            return lambda text, _: pattern.fullmatch(short(text)) is not None
        name = found[2]
        if not found[1]:
            return lambda text, call: name in call.classes(text)
        lead = re.compile(text_source(found[1]), re.DOTALL)

        def test(text: str, call: Call) -> bool:
            led = lead.match(short(text))
            return led is not None and name in call.classes(text[led.end() :])

        return test


def _is_path(token: str) -> bool:
    return _PATH.match(token) is not None and _CLASS.fullmatch(token) is None
