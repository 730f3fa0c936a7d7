"""Which rules are worth asking of a call: by its program, its subcommand, what stands around it.

A table has hundreds of rules, a call is about a handful of them. What is found is kept,
for names the table itself knows: nothing of a command stays in memory.

Source: risk/README.md, "What a call is judged by".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from flightdeck.risk.globs import is_glob
from flightdeck.risk.matching import Asking, Matcher, Names

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from flightdeck.model.risk import Command, Rule
    from flightdeck.risk.calls import Call

_ELSE = ""


class Index:
    """The rules about one shell's commands."""

    def __init__(self, rules: Sequence[Rule], names: Names, asking: Asking) -> None:
        self._rules = rules
        self._names = names
        self._asking = asking
        self._matchers: dict[str, Matcher] = {}
        self._found: dict[tuple[str, str, int], tuple[Matcher, ...]] = {}
        self._subcommands = self._after(command for rule in rules for command in rule.programs)

    def about(self, call: Call) -> tuple[Matcher, ...]:
        """Return the rules that may be about a call, in their order."""
        key = (call.program, self._first(call), call.has)
        found = self._found.get(key)
        if found is None:
            found = self._look_up(*key)
            if self._names.knows(call.program):
                self._found[key] = found
        return found

    def _first(self, call: Call) -> str:
        """Return the operand of a call that stands first, where some rule wants it there."""
        wanted = self._subcommands.get(call.program)
        operands = call.given.operands if wanted else ()
        return operands[0].text if wanted and operands and operands[0].text in wanted else _ELSE

    def _after(self, commands: Iterable[Command]) -> dict[str, set[str]]:
        """Return, for each program, the operands some rule wants to stand first."""
        found: dict[str, set[str]] = {}
        for command in commands:
            first, *rest = command.words
            if not is_glob(first):
                after = found.setdefault(self._names.of(first), set())
                after.update(word for word in rest[:1] if not is_glob(word))
        return found

    def _look_up(self, program: str, first: str, has: int) -> tuple[Matcher, ...]:
        about = (rule for rule in self._rules if self._may_be_about(rule, program, first))
        return tuple(m for m in map(self._matcher, about) if not m.needs & ~has)

    def _may_be_about(self, rule: Rule, program: str, first: str) -> bool:
        fit = (c for c in rule.programs if self._names.fit(c.words[0], program))
        after = (command.words[1:2] for command in fit)
        return not rule.programs or any(
            not words or is_glob(words[0]) or words[0] == first for words in after
        )

    def _matcher(self, rule: Rule) -> Matcher:
        """Return what asks a rule, made when it is first asked: most never are."""
        found = self._matchers.get(rule.name)
        if found is None:
            found = self._matchers[rule.name] = Matcher(rule, self._names, self._asking)
        return found
