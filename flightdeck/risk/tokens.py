"""What a rule asks of one word: globs, classes of paths, an option and its value.

A rule that raises a tier is satisfied by what may be meant; one that lowers it wants
proof: that is what `proof` says here.

Source: risk/README.md, "Options", "Operands and paths" and "Proof".
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from flightdeck.risk.globs import is_glob, one_of, path_source, short, text_source
from flightdeck.risk.places import own_class

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

    from flightdeck.model.risk import Rule
    from flightdeck.model.shell import Word
    from flightdeck.risk.calls import Call
    from flightdeck.risk.options import Option
    from flightdeck.risk.places import Places

    # Options the rules about a program write out.
    Named = Mapping[str, Collection[str]]
    Holds = Callable[[Call, Word], bool]
    HoldsText = Callable[[str, Call], bool]

UNSEEN = "<unseen>"

_KINDS = ("text", "glob", "class", "led", "other")

_GLOB, _VARIABLE = "<glob>", "<variable>"
_CLASS = re.compile(r"(.*)<([\w-]+)>", re.DOTALL)
_PATH = re.compile(r"/|~|\*\*/|\./|\.{1,2}\Z")
_LOOSE = re.DOTALL | re.IGNORECASE
_LINES = re.MULTILINE | re.IGNORECASE
_SHORTEST_CUT = 3


def is_path(token: str) -> bool:
    """Return whether a token among operands is a glob over paths, not over text."""
    return _PATH.match(token) is not None and _CLASS.fullmatch(token) is None


def path_globs(rules: Iterable[Rule]) -> set[str]:
    """Return the globs over paths that rules ask for themselves, without a class."""
    found: set[str] = set()
    for rule in rules:
        asked = [*rule.operands, *(tokens for _, tokens in rule.input)]
        parts = (part for line in asked for token in line for part in token.split("&"))
        found.update(part for part in parts if is_path(part))
        found.update(*(rule.writes, rule.empties, rule.reads, rule.path))
    return {glob for glob in found if not _CLASS.fullmatch(glob)}


@dataclass(frozen=True, slots=True)
class Flag:
    """An option a rule asks for; `value` is None where any will do."""

    name: str
    value: HoldsText | None
    named: Named

    def given_by(self, option: Option, call: Call) -> bool:
        """Return whether `option` may be this one: cut short, or with one dash for two."""
        if not self._is(option.name, call):
            return False
        return self.value is None or self._has_value(option, call)

    def spelled_by(self, option: Option, call: Call) -> bool:
        """Return whether `option` is this one beyond doubt."""
        if option.name != self.name:
            return False
        return self._has_value(option, call) if self.value else not option.is_off

    def _is(self, given: str, call: Call) -> bool:
        if given == self.name:
            return True
        if len(given) < _SHORTEST_CUT or len(self.name) < _SHORTEST_CUT:
            return False
        if "-" + given == self.name or "-" + self.name == given:
            return True
        cut = given.startswith("--") and self.name.startswith(given)
        return cut and not self._is_whole(given, call)

    def _is_whole(self, given: str, call: Call) -> bool:
        """Return whether a long option is one of the program's, and so no other cut short."""
        reading = call.given.reading
        if given in reading.options or given in reading.values:
            return True
        return given in self.named.get(call.program, ())

    def _has_value(self, option: Option, call: Call) -> bool:
        text = option.text
        if text is None and option.after is not None:
            text = option.after.text
        return self.value is None or (text is not None and self.value(text, call))


class Line:
    """Tokens of which a word must be one, sorted so that few tests are made of a word."""

    def __init__(self, kinds: Mapping[str, Sequence[str]], led: Sequence[HoldsText]) -> None:
        globs = list(map(text_source, kinds["glob"]))
        leads = [text_source(token.partition("<")[0]) for token in kinds["led"]]
        self._texts = frozenset(text.lower() for text in kinds["text"])
        self._globs = one_of(globs, _LOOSE) if globs else None
        self._classes = tuple(kinds["class"])
        self._leads = one_of(leads) if leads else None
        self._led = led
        begun = [*(f"(?:{glob})$" for glob in globs), *leads]
        self._begun = re.compile(f"^(?:{'|'.join(begun)})", _LINES) if begun else None
        self._specials: list[Special] = []

    def add(self, special: Special) -> None:
        """Take a token that is like no other."""
        self._specials.append(special)

    def holds(self, call: Call, word: Word) -> bool:
        """Return whether a word is one of the tokens."""
        text = word.text
        if self._texts and text.lower() in self._texts:
            return True
        if self._globs is not None and self._globs.fullmatch(short(text)):
            return True
        if self._classes and call.is_of(self._classes, text):
            return True
        if self._leads is not None and self._leads.match(short(text)):
            return any(test(text, call) for test in self._led) or self._is_special(call, word)
        return self._is_special(call, word)

    def _is_special(self, call: Call, word: Word) -> bool:
        return any(special.holds(call, word) for special in self._specials)

    def may_hold(self, call: Call) -> bool:
        """Return whether one of the many operands of a call may be one of the tokens."""
        words = call.together
        if not (words.whole and self._texts.isdisjoint(words.texts)):
            return True
        if self._begun is not None and self._begun.search(words.lines):
            return True
        if self._classes and call.may_be_among(self._classes):
            return True
        return any(special.may_hold(call) for special in self._specials)


@dataclass(frozen=True, slots=True)
class Special:
    """A token of its own kind: what tests a word, and what tells that no operand is one."""

    holds: Holds
    may_hold: Callable[[Call], bool]


class Tokens:
    """Makes tests out of tokens; with `proof`, what may only be meant does not do."""

    def __init__(self, places: Places, named: Named, *, proof: bool) -> None:
        self._places = places
        self._named = named
        self._proof = proof

    def flag(self, token: str) -> Flag:
        """Return an option a rule asks for, perhaps with its value."""
        name, equals, glob = token.partition("=")
        return Flag(name, self._text(glob) if equals else None, self._named)

    def line(self, tokens: Sequence[str], *, path: bool = False) -> Line:
        """Return the test for tokens of which a word must be one.

        `path` says that globs are over paths, however they begin.
        """
        kinds: dict[str, list[str]] = {kind: [] for kind in _KINDS}
        for token in tokens:
            kind, name = self._kind(token, path=path)
            kinds[kind].append(name)
        line = Line(kinds, list(map(self._text, kinds["led"])))
        for token in kinds["other"]:
            line.add(self._special(token, path=path))
        return line

    def surely(self, tokens: Sequence[str], *, path: bool = False) -> Callable[[Word], bool]:
        """Return whether a word is one of these whatever the shell makes of it."""
        tests = [self._surely(token, path=path or is_path(token)) for token in tokens]

        def test(word: Word) -> bool:
            sure = word.literal and not word.glob
            return sure and any(test(word.text) for test in tests)

        return test

    def _kind(self, token: str, *, path: bool) -> tuple[str, str]:
        """Return what kind of token it is, and the text, glob or class to look for."""
        found = _CLASS.fullmatch(token)
        if self._proof or "&" in token or token in {_GLOB, _VARIABLE}:
            return "other", token
        if found:
            return ("led", token) if found[1] else ("class", found[2])
        if path or is_path(token):
            return "class", own_class(token)
        return ("glob" if is_glob(token) else "text"), token

    def _special(self, token: str, *, path: bool) -> Special:
        """Return the test of a token of no simple kind; `a&b` asks for both."""
        parts = [part for part in token.split("&") if part]
        if len(parts) > 1:
            lines = [self.line([part], path=path) for part in parts]
            return Special(
                lambda call, word: all(line.holds(call, word) for line in lines),
                lambda call: all(line.may_hold(call) for line in lines),
            )
        if token == _GLOB:
            return Special(lambda _, word: word.glob, lambda call: call.together.globs)
        if token == _VARIABLE:
            return Special(lambda _, word: not word.literal, lambda call: call.together.variables)
        surely = self.surely([token], path=path)
        return Special(lambda _, word: surely(word), lambda _: True)

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

    def _text(self, token: str) -> HoldsText:
        """Return what tests a text: a glob, or a class with perhaps a glob before it."""
        if self._proof:
            surely = self._surely(token, path=False)
            return lambda text, _: surely(text)
        found = _CLASS.fullmatch(token)
        if found is None:
            pattern = re.compile(text_source(token), _LOOSE)
            return lambda text, _: pattern.fullmatch(short(text)) is not None
        name, lead = found[2], re.compile(text_source(found[1]), re.DOTALL)

        def test(text: str, call: Call) -> bool:
            led = lead.match(short(text))
            return led is not None and call.is_of((name,), text[led.end() :])

        return test
