"""Which rules are worth asking of a call: by its program, its subcommand, what stands around it.

A table has hundreds of rules, a call is about a handful of them. What is found is kept,
for names the table itself knows: nothing of a command stays in memory.

Source: risk/README.md, "What a call is judged by".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from flightdeck.risk.globs import is_glob
from flightdeck.risk.matching import Matcher

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from flightdeck.model.risk import Command, Rule
    from flightdeck.risk.calls import Call
    from flightdeck.risk.matching import Asking
    from flightdeck.risk.names import Names

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
        self._of_all = [at for at, rule in enumerate(rules) if not rule.programs]
        # Where a rule stands, by the program it names, and the operand it wants behind it.
        self._named: dict[str, list[tuple[str, int]]] = {}
        self._wild: list[tuple[str, str, int]] = []
        for at, rule in enumerate(rules):
            for command in rule.programs:
                self._enter(command, at)

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

    def _enter(self, command: Command, at: int) -> None:
        first, *rest = command.words
        behind = rest[0] if rest and not is_glob(rest[0]) else _ELSE
        if is_glob(first):
            self._wild.append((first, behind, at))
        else:
            self._named.setdefault(self._names.of(first), []).append((behind, at))

    def _look_up(self, program: str, first: str, has: int) -> tuple[Matcher, ...]:
        wanted = (_ELSE, first)
        about = {at for behind, at in self._named.get(program, ()) if behind in wanted}
        about.update(self._of_all)
        about.update(
            at
            for glob, behind, at in self._wild
            if behind in wanted and self._names.fit(glob, program)
        )
        matchers = (self._matcher(self._rules[at]) for at in sorted(about))
        return tuple(one for one in matchers if not one.needs & ~has)

    def _matcher(self, rule: Rule) -> Matcher:
        """Return what asks a rule, made when it is first asked: most never are."""
        found = self._matchers.get(rule.name)
        if found is None:
            found = self._matchers[rule.name] = Matcher(rule, self._names, self._asking)
        return found
