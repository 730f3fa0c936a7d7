"""A rule, compiled: asked of a program about to run, it says where it trips.

Source: risk/README.md, "A rule".
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from flightdeck.risk.calls import EMPTYING, Call, Has, feeding
from flightdeck.risk.conditions import Conditions, phrases
from flightdeck.risk.globs import is_glob, one_of, short, text_source

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from flightdeck.model.risk import Command, Rule, Table
    from flightdeck.model.shell import Redirect, Span, Word
    from flightdeck.risk.conditions import Check
    from flightdeck.risk.names import Names
    from flightdeck.risk.places import Places

_MOST_WORDS = 12
# No operand: an empty word is one, yet begins no command.
_ANY = ""


class Pattern:
    """The operands a command begins with, as a rule writes them, and its options."""

    def __init__(self, command: Command, conditions: Conditions) -> None:
        self._words = [None if word == "**" else _word(word) for word in command.words[1:]]
        self._flags = conditions.flags((command.flags,)) if command.flags else []

    def words_used(self, call: Call) -> int:
        """Return how many operands belong to the command, or -1 where it is another one."""
        used = self._operands(call.given.operands[:_MOST_WORDS], 0, 0) if self._words else 0
        return -1 if any(check(call) is None for check in self._flags) else used

    def _operands(self, operands: Sequence[Word], at: int, word: int) -> int:
        if word == len(self._words):
            return at
        wanted = self._words[word]
        if wanted is None:
            tries = (self._operands(operands, n, word + 1) for n in range(at, len(operands) + 1))
            return next((found for found in tries if found >= 0), -1)
        if at < len(operands) and wanted(operands[at].text):
            return self._operands(operands, at + 1, word + 1)
        return -1


class Patterns:
    """Several commands of which a call may be one; each is made ready when it may be asked."""

    def __init__(self, commands: Sequence[Command], names: Names, conditions: Conditions) -> None:
        self._commands = commands
        self._names = names
        self._conditions = conditions
        self._made: dict[str, dict[str, list[Pattern]]] = {}
        several = {names.of(one.words[0]) for one in commands if one.flags or len(one.words) > 1}
        self._plain = {names.of(one.words[0]) for one in commands} - several

    def words_used(self, call: Call) -> int:
        """Return how many operands the longest that fits has, -1 where none fits."""
        if call.program in self._plain:
            return 0
        made = self._made.get(call.program)
        if made is None:
            made = self._of(call.program)
        if not made:
            return -1
        operands = call.given.operands if len(made) > 1 else ()
        patterns = made[_ANY] + (made.get(operands[0].text, []) if operands else [])
        return max((pattern.words_used(call) for pattern in patterns), default=-1)

    def _of(self, program: str) -> dict[str, list[Pattern]]:
        """Return the commands of a program by their first operand, empty where there is none."""
        made: dict[str, list[Pattern]] = {_ANY: []}
        fit = [one for one in self._commands if self._names.fit(one.words[0], program)]
        for command in fit:
            first = command.words[1] if len(command.words) > 1 else _ANY
            pattern = Pattern(command, self._conditions)
            made.setdefault(_ANY if is_glob(first) else first, []).append(pattern)
        found = made if fit else {}
        if self._names.knows(program):
            self._made[program] = found
        return found


class Matcher:
    """One rule, ready to be asked."""

    def __init__(self, rule: Rule, names: Names, asking: Asking) -> None:
        conditions = asking.of(rule)
        self.rule = rule
        self._names = names
        self._programs = Patterns(rule.programs, names, conditions)
        self._sources = Patterns(rule.sources, names, asking.doubting)
        self._checks = list(self._all(conditions))
        self.needs = _needs(rule)

    def trip(self, call: Call) -> Span | None:
        """Return where the rule trips over a call, None where it does not."""
        if self.needs & ~call.has:
            return None
        found: list[Span] = []
        call.skip = 0
        if self.rule.programs:
            call.skip = self._programs.words_used(call)
            if call.skip < 0:
                return None
            found.append(call.head)
        for check in self._checks:
            span = check(call)
            if span is None:
                return None
            found.append(span)
        if self.rule.sources:
            fed = self._fed(call)
            if fed is None:
                return None
            found.append(fed)
        return _around(found)

    def _all(self, conditions: Conditions) -> Iterable[Check]:
        """Yield the rule's checks, the cheap ones first."""
        rule = self.rule
        if rule.wrapper:
            yield _wrapped(self._names, rule.wrapper)
        if rule.assigns:
            yield _assigned(rule.assigns)
        if rule.writes:
            yield conditions.redirects(rule.writes, Call.writes)
        if rule.empties:
            yield conditions.redirects(rule.empties, _empties)
        if rule.reads:
            yield conditions.redirects(rule.reads, Call.reads)
        yield from conditions.flags(rule.flags)
        yield from conditions.flags(rule.before, early=True)
        if rule.without:
            yield conditions.without(rule.without)
        yield from self._about_operands(conditions)
        yield from (_coded(phrases(line)) for line in rule.code)
        if rule.without_code:
            yield _uncoded(phrases(rule.without_code))

    def _about_operands(self, conditions: Conditions) -> Iterable[Check]:
        rule = self.rule
        if rule.least or rule.most is not None:
            yield conditions.counted(rule.least, rule.most)
        yield from (conditions.operands(line) for line in rule.operands)
        if rule.only:
            yield conditions.only(rule.only)
        if rule.outside:
            yield conditions.outside(rule.outside)

    def _fed(self, call: Call) -> Span | None:
        known = call.scene.fed
        for invocation in feeding(call.invocation):
            key = (self.rule.name, id(invocation))
            if key not in known:
                source = Call(invocation, self._names.program(invocation.program), call.scene)
                known[key] = self._sources.words_used(source) >= 0
            if known[key]:
                return invocation.path.span if invocation.path else invocation.span
        return None


class Asking:
    """What makes checks for the rules of a table: raising ones, and lowering ones."""

    def __init__(self, table: Table, places: Places, names: Names) -> None:
        named: dict[str, frozenset[str]] = {}
        # Thousands of programs have the options of a few dozen rules: one set for all alike.
        alike: dict[frozenset[str], frozenset[str]] = {}
        for rule in table.rules:
            lines = (*rule.flags, *rule.before, rule.without)
            options = frozenset(token.partition("=")[0] for line in lines for token in line)
            for program in {names.of(command.words[0]) for command in rule.programs}:
                more = named.get(program, frozenset()) | options
                named[program] = alike.setdefault(more, more)
        self.doubting = Conditions(places, named)
        self._proving = Conditions(places, named, proof=True)

    def of(self, rule: Rule) -> Conditions:
        """Return what makes the checks of a rule."""
        return self._proving if rule.lowers else self.doubting


def _needs(rule: Rule) -> int:
    """Return what a call must have for the rule to be worth asking."""
    redirects = rule.writes or rule.empties or rule.reads
    asked = {
        Has.WRAPPERS: rule.wrapper,
        Has.ASSIGNMENTS: rule.assigns,
        Has.REDIRECTS: redirects,
        Has.SOURCES: rule.sources,
        Has.OPTIONS: rule.flags or rule.before,
        Has.OPERANDS: rule.operands or rule.only,
    }
    return sum(kind for kind, told in asked.items() if told)


def _word(glob: str) -> Callable[[str], bool]:
    if not is_glob(glob):
        return lambda text: text == glob
    pattern = re.compile(text_source(glob))
    return lambda text: pattern.fullmatch(short(text)) is not None


def _wrapped(names: Names, wanted: Iterable[str]) -> Check:
    known = one_of(text_source(names.of(name)) for name in wanted)

    def check(call: Call) -> Span | None:
        found = (known.fullmatch(short(names.of(name))) for name in call.invocation.wrappers)
        return call.invocation.span if any(found) else None

    return check


def _assigned(tokens: Iterable[str]) -> Check:
    pairs = [token.partition("=") for token in tokens]
    tests = [(_word(name), _word(value) if equals else None) for name, equals, value in pairs]

    def check(call: Call) -> Span | None:
        for name, word in call.invocation.assignments:
            if any(fits(name) and (v is None or v(word.text)) for fits, v in tests):
                return word.span
        return None

    return check


def _empties(call: Call) -> list[Redirect]:
    return [redirect for redirect in call.writes() if redirect.operator in EMPTYING]


def _coded(holds: Callable[[str], bool]) -> Check:
    return lambda call: call.head if holds(call.code) else None


def _uncoded(holds: Callable[[str], bool]) -> Check:
    return lambda call: None if holds(call.code) else call.head


def _around(spans: Iterable[Span]) -> Span:
    """Return the stretch that has all of these in it."""
    real = [span for span in spans if span[1] > span[0]]
    return (min(s for s, _ in real), max(e for _, e in real)) if real else (0, 0)
