"""Conditions of a rule, compiled: each is asked of a call and says where it holds.

Source: risk/README.md, "A rule".
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from flightdeck.risk.globs import one_of, path_source, short, text_source
from flightdeck.risk.phrases import phrase

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from flightdeck.model.risk import Lines
    from flightdeck.model.shell import Redirect, Span, Word
    from flightdeck.risk.calls import Call
    from flightdeck.risk.options import Option
    from flightdeck.risk.places import Places

    # Where a condition holds, None where it does not.
    Check = Callable[[Call], "Span | None"]
    Holds = Callable[[Call, "Word"], bool]

_CLASS = re.compile(r"(.*)<([\w-]+)>", re.DOTALL)
_PATH = re.compile(r"/|~|\*\*/|\./|\.{1,2}\Z")
_LOOSE = re.DOTALL | re.IGNORECASE
_SHORTEST_CUT = 3
# Classes of operands that are no paths: a wildcard, a variable, one the line does not show.
_GLOB, _VARIABLE, _UNSEEN = "<glob>", "<variable>", "<unseen>"


@dataclass(frozen=True, slots=True)
class _Flag:
    """An option a rule asks for; `value` is None where any will do."""

    name: str
    value: Callable[[str, Call], bool] | None

    def given_by(self, option: Option, call: Call, known: frozenset[str]) -> bool:
        """Whether `option` is this one, perhaps cut short."""
        if not self._is(option.name, known):
            return False
        return self.value is None or self._has_value(option, call)

    def spelled_by(self, option: Option, call: Call) -> bool:
        """Whether `option` is this one beyond doubt."""
        if option.name != self.name:
            return False
        return self._has_value(option, call) if self.value else not option.is_off

    def _is(self, given: str, known: frozenset[str]) -> bool:
        if given == self.name or ("-" + given == self.name and len(given) > 2):
            return True
        if len(self.name) > 2 and "-" + self.name == given:
            return True
        cut = given.startswith("--") and len(given) >= _SHORTEST_CUT
        return cut and self.name.startswith(given) and given not in known

    def _has_value(self, option: Option, call: Call) -> bool:
        text = option.text
        if text is None and option.after is not None:
            text = option.after.text
        return self.value is None or (text is not None and self.value(text, call))


class Conditions:
    """Makes checks out of what a rule says, for one table."""

    def __init__(self, places: Places, named: frozenset[str]) -> None:
        self._places = places
        self._named = named  # long options some rule writes out: none of them is a cut one

    def flags(self, lines: Lines, *, early: bool = False) -> list[Check]:
        """Return a check a line: one of its options is given."""
        return [self._any_flag([self._flag(t) for t in line], early=early) for line in lines]

    def without(self, tokens: Iterable[str]) -> Check:
        """Return the check that none of these options is given, in so many letters."""
        flags = [self._flag(token) for token in tokens]
        taken_back = {"--no-" + flag.name.removeprefix("--") for flag in flags}

        def check(call: Call) -> Span | None:
            given = call.given.own
            spared = any(flag.spelled_by(option, call) for option in given for flag in flags)
            if spared and not any(option.name in taken_back for option in given):
                return None
            return call.head

        return check

    def operands(self, line: Sequence[str], skip: Callable[[Call], int]) -> Check:
        """Return the check that an operand is one of these."""
        tests = [self.token(token) for token in line if token != _UNSEEN]
        unseen = _UNSEEN in line

        def check(call: Call) -> Span | None:
            for word in call.given.operands[skip(call) :]:
                if any(test(call, word) for test in tests):
                    return word.span
            return call.head if unseen and call.invocation.more else None

        return check

    def only(self, tokens: Iterable[str], skip: Callable[[Call], int]) -> Check:
        """Return the check that there are operands, all of them surely one of these."""
        inside = self.surely(tokens)

        def check(call: Call) -> Span | None:
            operands = call.given.operands[skip(call) :]
            if operands and not call.invocation.more and all(map(inside, operands)):
                return operands[-1].span
            return None

        return check

    def outside(self, tokens: Iterable[str], skip: Callable[[Call], int]) -> Check:
        """Return the check that not all operands are surely one of these."""
        only = self.only(tokens, skip)
        return lambda call: call.head if only(call) is None else None

    def redirects(self, tokens: Iterable[str], of: Callable[[Call], list[Redirect]]) -> Check:
        """Return the check that one of some redirections goes to one of these."""
        tests = [self.path_token(token) for token in tokens]

        def check(call: Call) -> Span | None:
            for redirect in of(call):
                if any(test(call, redirect.target) for test in tests):
                    return redirect.target.span
            return None

        return check

    def phrases(self, written: Iterable[str]) -> Callable[[str], bool]:
        """Return whether a plain text holds one of these phrases."""
        phrases = [phrase(one) for one in written]
        return lambda text: any(one.is_in(text) for one in phrases)

    def surely(self, tokens: Iterable[str]) -> Callable[[Word], bool]:
        """Return whether a word is one of these whatever the shell makes of it."""
        split = [_CLASS.fullmatch(token) for token in tokens]
        texts = one_of(self._as_source(token) for token in tokens)
        classes = [self._places.surely(found[2]) for found in split if found and not found[1]]

        def test(word: Word) -> bool:
            if not word.literal or word.glob:
                return False
            path = self._places.proven(word.text)
            return any(one.fullmatch(path) for one in classes) or bool(texts.fullmatch(path))

        return test

    def _as_source(self, token: str) -> str:
        if _CLASS.fullmatch(token):
            return r"(?!)"
        return path_source(token) if _PATH.match(token) else text_source(token)

    def _any_flag(self, flags: list[_Flag], *, early: bool) -> Check:
        def check(call: Call) -> Span | None:
            given = call.given
            known = self._named | given.reading.options | given.reading.values
            for option in given.options if early else given.own:
                if early and not option.early:
                    continue
                if any(flag.given_by(option, call, known) for flag in flags):
                    return option.word.span
            return None

        return check

    def _flag(self, token: str) -> _Flag:
        name, equals, glob = token.partition("=")
        return _Flag(name, self._text_token(glob) if equals else None)

    def token(self, token: str) -> Holds:
        """Return what tests an operand; `a&b` asks for both."""
        tests = [self._simple(part) for part in token.split("&") if part]
        return tests[0] if len(tests) == 1 else lambda c, w: all(test(c, w) for test in tests)

    def _simple(self, token: str) -> Holds:
        if token == _GLOB:
            return lambda _, word: word.glob
        if token == _VARIABLE:
            return lambda _, word: not word.literal
        if not _CLASS.fullmatch(token) and _PATH.match(token):
            return self.path_token(token)
        test = self._text_token(token)
        return lambda call, word: test(word.text, call)

    def path_token(self, token: str) -> Holds:
        """Return what tests a word that is a path."""
        if _CLASS.fullmatch(token):
            test = self._text_token(token)
            return lambda call, word: test(word.text, call)
        pattern = re.compile(path_source(token), _LOOSE)
        return lambda c, word: any(pattern.fullmatch(form) for form in c.forms(word.text))

    def _text_token(self, token: str) -> Callable[[str, Call], bool]:
        """Return what tests a text: a glob, or a class with perhaps a glob before it."""
        found = _CLASS.fullmatch(token)
        if found is None:
            pattern = re.compile(text_source(token), _LOOSE)
            return lambda text, _: pattern.fullmatch(short(text)) is not None
        place = self._places.perhaps(found[2])
        lead = re.compile(text_source(found[1]), re.DOTALL) if found[1] else None

        def test(text: str, call: Call) -> bool:
            if lead is not None:
                led = lead.match(short(text))
                if led is None:
                    return False
                text = text[led.end() :]
            return any(place.fullmatch(form) for form in call.forms(text))

        return test
