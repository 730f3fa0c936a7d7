"""One rule of a risk file, from its mapping to a `Rule` and its examples.

Source: risk/README.md, "A rule".
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from flightdeck.config import risk_words
from flightdeck.config.nodes import Mapping, Scalar, Sequence
from flightdeck.config.reader import quoted
from flightdeck.config.values import BadValue, flag
from flightdeck.model.risk import Rule, Tier

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from flightdeck.config.nodes import Entry, Node
    from flightdeck.config.reader import Reader
    from flightdeck.config.risk_words import Known

    Parse = Callable[[str], tuple[str, ...]]

T = TypeVar("T")

REQUIRED = ("tier", "why", "matches", "spares")
EXAMPLE = ("tool", "input")
SHELLS = ("Bash", "PowerShell")
# What only a command line has, and what only a tool without one has.
OF_COMMANDS = (
    "program",
    "flags",
    "before",
    "without",
    "operands",
    "only",
    "outside",
    "count",
    "from",
    "wrapper",
    "assigns",
    "writes",
    "empties",
    "reads",
    "bomb",
)
OF_TOOLS = ("name", "path", "input", "fields")
OF_BOTH = ("code", "without_code")
# What narrows a rule down; `fields` only says where `code` looks.
CONDITIONS = tuple(f for f in (*OF_COMMANDS, *OF_BOTH, *OF_TOOLS) if f != "fields")
# A rule that makes commands low must have one of these.
OF_LOW = ("program", "writes", "empties")
FIELDS = ("tier", "why", "tool", *OF_COMMANDS, *OF_BOTH, *OF_TOOLS, "matches", "spares")


@dataclass(frozen=True, slots=True)
class Example:
    """A call that a rule must decide (`wanted`), or must not speak of."""

    rule: str
    tier: Tier
    tool: str
    input: dict[str, object]
    wanted: bool
    at: Node


def read_rule(
    reader: Reader, entry: Entry, known: Known, *, local: bool
) -> tuple[Rule | None, list[Example]]:
    """Return the rule of an entry and its examples; what is wrong is noted in `reader`."""
    found = len(reader.problems)
    name = _name(reader, entry.key)
    fields = reader.fields(entry.key, entry.value, FIELDS, REQUIRED)
    rule = _Fields(reader, fields, known).rule(name, local=local)
    if isinstance(entry.value, Mapping):
        _check_sense(reader, entry.key, fields, rule)
    examples = [
        example
        for wanted in ("matches", "spares")
        if wanted in fields
        for example in _examples(reader, fields[wanted], rule)
    ]
    return (rule, examples) if len(reader.problems) == found else (None, [])


def _name(reader: Reader, key: Scalar) -> str:
    try:
        return risk_words.name(key.text)
    except BadValue as bad:
        reader.report(key, bad.message, bad.hint)
        return key.text


class _Fields:
    """The fields of one rule, each asked for in its own way."""

    def __init__(self, reader: Reader, fields: dict[str, Entry], known: Known) -> None:
        self._reader = reader
        self._fields = fields
        self._known = known

    def rule(self, name: str, *, local: bool) -> Rule:
        """Return the rule; what could not be read has its default."""
        known = self._known
        count = self._one("count", risk_words.count) or (0, None)
        flags = risk_words.flags(known)
        paths, operands = risk_words.paths(known), risk_words.operands(known)
        commands = risk_words.commands(known)
        return Rule(
            name=name,
            tier=self._one("tier", risk_words.tier) or Tier.MEDIUM,
            why=self._one("why", str) or "",
            local=local,
            tools=self._line("tool", risk_words.tokens),
            programs=self._one("program", commands) or (),
            flags=self._lines("flags", flags),
            before=self._lines("before", flags),
            without=self._line("without", flags),
            operands=self._lines("operands", operands),
            only=self._line("only", paths),
            outside=self._line("outside", paths),
            least=count[0],
            most=count[1],
            code=self._lines("code", risk_words.phrases),
            without_code=self._line("without_code", risk_words.phrases),
            fields=self._line("fields", risk_words.tokens),
            sources=self._one("from", commands) or (),
            wrapper=self._line("wrapper", risk_words.programs(known)),
            assigns=self._line("assigns", risk_words.tokens),
            writes=self._line("writes", paths),
            empties=self._line("empties", paths),
            reads=self._line("reads", paths),
            bomb=self._one("bomb", flag) or False,
            names=self._line("name", risk_words.words),
            path=self._line("path", paths),
            input=tuple(self._input(operands)),
        )

    def _one(self, name: str, parse: Callable[[str], T]) -> T | None:
        entry = self._fields.get(name)
        return self._reader.parsed(entry, parse) if entry else None

    def _line(self, name: str, parse: Parse) -> tuple[str, ...]:
        lines = self._lines(name, parse)
        return tuple(token for line in lines for token in line)

    def _lines(self, name: str, parse: Parse) -> tuple[tuple[str, ...], ...]:
        entry = self._fields.get(name)
        if entry is None:
            return ()
        nodes = entry.value.items if isinstance(entry.value, Sequence) else (entry.value,)
        lines = (self._reader.parsed_text(entry.key, node, parse) for node in nodes)
        return tuple(line for line in lines if line)

    def _input(self, parse: Parse) -> Iterator[tuple[str, tuple[str, ...]]]:
        entry = self._fields.get("input")
        for one in self._reader.entries(entry.key, entry.value) if entry else ():
            found = self._reader.parsed(one, parse)
            if found:
                yield one.key.text, found


def _check_sense(reader: Reader, key: Scalar, fields: dict[str, Entry], rule: Rule) -> None:
    """Note what can never be true of one call, and what would be true of too many."""
    called = quoted(key.text)
    others = [tool for tool in rule.tools if tool not in SHELLS]
    for field in OF_COMMANDS if others else ():
        if field in fields:
            told = f"{field} of {called} is about commands, and tool {quoted(others[0])} runs none"
            reader.report(fields[field].key, told, "leave out `tool:`, or make two rules of it")
    for field in () if others else OF_TOOLS:
        if field in fields:
            told = f"{field} of {called} is about tools that run no command"
            reader.report(fields[field].key, told, "say which, with `tool:`")
    asked = [field for field in fields if field in CONDITIONS]
    if not asked and not others:
        reader.report(
            key, f"{called} asks for nothing", "give it a `program:`, or another condition"
        )
    elif rule.tier is Tier.LOW and not (others or any(f in fields for f in OF_LOW)):
        told = f"{called} makes commands low without saying which"
        reader.report(fields["tier"].value, told, "give it a `program:`")


def _examples(reader: Reader, entry: Entry, rule: Rule) -> Iterator[Example]:
    items = reader.items(entry.key, entry.value)
    for node in items:
        call = _call(reader, entry.key, node)
        if call is not None:
            yield Example(rule.name, rule.tier, *call, entry.key.text == "matches", node)


def _call(reader: Reader, owner: Scalar, node: Node) -> tuple[str, dict[str, object]] | None:
    if isinstance(node, Scalar) and node.text.strip():
        return "Bash", {"command": node.text}
    if not isinstance(node, Mapping):
        reader.report(node, "an example that is no command", "write it as one text in quotes")
        return None
    fields = reader.fields(owner, node, EXAMPLE, EXAMPLE)
    tool = reader.text(fields["tool"].key, fields["tool"].value) if "tool" in fields else None
    given = fields.get("input")
    entries = reader.entries(given.key, given.value) if given else ()
    told: dict[str, object] = {}
    for one in entries:
        if isinstance(one.value, Scalar):
            told[one.key.text] = one.value.text
        else:
            reader.report(one.value, f"{quoted(one.key.text)} is not text", "write it as one text")
    return (tool, told) if tool else None
