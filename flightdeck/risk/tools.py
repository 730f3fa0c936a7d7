"""Rules about tools that run no command line: files they write, fields, names of an MCP server.

Source: risk/README.md, "A rule".
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from flightdeck.model.risk import Judgement, Tier
from flightdeck.model.shell import Invocation, Word
from flightdeck.risk.calls import Call, Scene
from flightdeck.risk.conditions import phrases
from flightdeck.risk.evaluate import Trip, is_for
from flightdeck.risk.matching import Asking
from flightdeck.risk.names import Names
from flightdeck.risk.phrases import LONGEST, plain

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from flightdeck.model.risk import Rule, Table
    from flightdeck.risk.conditions import Conditions
    from flightdeck.risk.places import Places

# Where the tools we know keep the file they touch.
_PATH_FIELDS = (
    *("file_path", "notebook_path", "path", "paths", "filepath", "filePath", "filename"),
    *("source", "destination", "dest", "target", "new_path", "output_path"),
)
_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
# No tool's input is deeper or wider; the rest is not looked at.
_MOST_TEXTS = 500

UNKNOWN = Judgement(Tier.MEDIUM, why="no rule knows this tool")


@dataclass(frozen=True, slots=True)
class Use:
    """One use of a tool, as its rules ask about it."""

    tool: str
    fields: Mapping[str, object]
    scene: Scene


class ToolRules:
    """The rules for tools without a command line."""

    def __init__(self, table: Table, places: Places) -> None:
        self._table = table
        self._places = places
        self._asking = Asking(table, places, Names(table))
        self._checks: dict[str, list[tuple[Rule, list[Callable[[Use], bool]]]]] = {}

    def trips(self, tool: str, fields: Mapping[str, object], cwd: str) -> Iterator[Trip]:
        """Yield every rule that speaks of a use of `tool`."""
        use = Use(tool, fields, Scene(self._table.readings, self._places, cwd))
        for rule, checks in self._rules(tool):
            if all(check(use) for check in checks):
                yield Trip(rule, None)

    def _rules(self, tool: str) -> list[tuple[Rule, list[Callable[[Use], bool]]]]:
        found = self._checks.get(tool)
        if found is None:
            rules = [rule for rule in self._table.rules if rule.tools and is_for(rule, tool)]
            found = [(rule, list(_checks(rule, self._asking.of(rule)))) for rule in rules]
            if len(self._checks) < 200:  # names of tools come from servers
                self._checks[tool] = found
        return found


def _checks(rule: Rule, conditions: Conditions) -> Iterator[Callable[[Use], bool]]:
    if rule.names:
        yield _named(rule.names)
    if rule.path:
        yield _field_is(_PATH_FIELDS, rule.path, conditions)
    for name, tokens in rule.input:
        yield _field_is((name,), tokens, conditions)
    for line in rule.code:
        yield _says(phrases(line), rule.fields)
    if rule.without_code:
        yield _says_not(phrases(rule.without_code), rule.fields)


def _named(wanted: tuple[str, ...]) -> Callable[[Use], bool]:
    words = frozenset(word.lower() for word in wanted)
    return lambda use: any(word.lower() in words for word in _WORDS.findall(use.tool[:LONGEST]))


def _field_is(
    names: tuple[str, ...], tokens: tuple[str, ...], conditions: Conditions
) -> Callable[[Use], bool]:
    asked = conditions.tokens.line(tokens, path=names is _PATH_FIELDS)

    def check(use: Use) -> bool:
        call = Call(Invocation(use.tool), use.tool, use.scene)
        texts = _texts(use.fields, names)
        return any(asked.holds(call, Word(text, (0, 0))) for text in texts)

    return check


def _says(holds: Callable[[str], bool], names: tuple[str, ...]) -> Callable[[Use], bool]:
    return lambda use: holds(plain("\n".join(_texts(use.fields, names))))


def _says_not(holds: Callable[[str], bool], names: tuple[str, ...]) -> Callable[[Use], bool]:
    return lambda use: not holds(plain("\n".join(_texts(use.fields, names))))


def _texts(fields: Mapping[str, object], names: tuple[str, ...]) -> Iterator[str]:
    """Yield the texts in the fields of these names, at any depth; in all fields without names."""
    waiting: list[object] = [v for k, v in fields.items() if not names or k in names]
    for _ in range(_MOST_TEXTS):
        if not waiting:
            return
        match waiting.pop():
            case str() as text:
                yield text
            case dict() as inner:
                waiting.extend(list(inner.values())[:_MOST_TEXTS])
            case list() as inner:
                waiting.extend(inner[:_MOST_TEXTS])
            case _:
                pass
