"""How programs are read: the `programs` and `wrappers` of a risk file.

Source: risk/README.md, "A file".
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, TypeVar

from flightdeck.config import risk_words
from flightdeck.config.nodes import Scalar
from flightdeck.config.reader import choices, quoted
from flightdeck.config.values import BadValue, flag
from flightdeck.model.risk import Reading
from flightdeck.model.shell import Code, Programs, Rest, Wrapper

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from flightdeck.config.nodes import Entry
    from flightdeck.config.reader import Reader

T = TypeVar("T")

PROGRAM = ("values", "options", "code", "before", "dashed", "aliases", "shell", "interpreter")
# What is said of a program as a whole, not of one subcommand.
OF_WHOLE = ("before", "dashed", "aliases", "shell", "interpreter")
WRAPPER = (
    "runs",
    "values",
    "operands",
    "assigns",
    "code",
    "inert",
    "embeds",
    "drops",
    "more",
    "stays",
)
RUNS = {"words": Rest.ARGV, "text": Rest.STRING}


@dataclass(slots=True)
class Told:
    """What a file says of programs, gathered while it is read."""

    readings: dict[str, Reading] = field(default_factory=dict)
    aliases: dict[str, str] = field(default_factory=dict)
    wrappers: dict[str, tuple[Wrapper, ...]] = field(default_factory=dict)
    shells: set[str] = field(default_factory=set)
    interpreters: dict[str, frozenset[str]] = field(default_factory=dict)
    dashed: set[str] = field(default_factory=set)

    def programs(self) -> Programs:
        """Return what a parser of command lines must know."""
        return Programs(
            self.wrappers, frozenset(self.shells), self.interpreters, frozenset(self.dashed)
        )


def read_programs(reader: Reader, entry: Entry, told: Told) -> None:
    """Add what the section `programs` says; what is wrong is noted in `reader`."""
    for one in _each(reader, entry):
        fields = _Fields(reader, one, PROGRAM)
        names = [" ".join(written.split()) for written in one.key.text.split(",")]
        reading = fields.reading()
        told.readings |= dict.fromkeys(names, reading)
        longer = next((name for name in names if " " in name), None)
        if longer is not None:
            fields.refuse(OF_WHOLE, f"is about a program, and {quoted(longer)} is a subcommand")
        else:
            _whole_programs(names, fields, reading, told)


def read_wrappers(reader: Reader, entry: Entry, told: Told) -> None:
    """Add what the section `wrappers` says; what is wrong is noted in `reader`."""
    for one in _each(reader, entry):
        fields = _Fields(reader, one, WRAPPER)
        read = fields.wrapper()
        for written in one.key.text.split(","):
            name, *verb = written.split()
            wrapper = replace(read, verb=tuple(verb))
            told.wrappers[name] = (*told.wrappers.get(name, ()), wrapper)


def _each(reader: Reader, entry: Entry) -> Iterator[Entry]:
    seen: dict[str, Scalar] = {}
    for one in reader.entries(entry.key, entry.value):
        name = one.key.text
        if not all(part.split() for part in name.split(",")):
            reader.report(one.key, f"{quoted(name)} names no program", "write its name")
        elif name in seen:
            reader.repeated(one.key, seen[name], f"{quoted(name)} is written twice")
        else:
            seen[name] = one.key
            yield one


def _whole_programs(names: list[str], fields: _Fields, reading: Reading, told: Told) -> None:
    """Add what is said of programs as a whole, not of one subcommand."""
    aliases = fields.tokens("aliases")
    told.aliases |= dict.fromkeys(aliases, names[0])
    called = [word for word in (*names, *aliases) if not set(word) & set("*?[")]
    if fields.flag("shell"):
        told.shells.update(called)
    if fields.flag("interpreter"):
        told.interpreters |= dict.fromkeys(called, reading.code - {"*"})
    if fields.flag("dashed"):
        told.dashed.update(names)


class _Fields:
    """The fields of one program or wrapper; each problem is noted once."""

    def __init__(self, reader: Reader, entry: Entry, known: tuple[str, ...]) -> None:
        self._reader = reader
        self._fields = reader.fields(entry.key, entry.value, known)

    def reading(self) -> Reading:
        """Return how the words are read."""
        code = frozenset(self._parsed("code", _code_places) or ())
        return Reading(
            values=frozenset(self._options("values")) | (code - {"*"}),
            options=frozenset(self._options("options")),
            code=code,
            before=self.flag("before"),
        )

    def wrapper(self) -> Wrapper:
        """Return how what it runs is found."""
        return Wrapper(
            values=frozenset(self._options("values")),
            operands=self._parsed("operands", risk_words.number) or 0,
            assigns=self.flag("assigns"),
            rest=self._parsed("runs", _runs) or Rest.NONE,
            code=tuple(self._codes()),
            inert=frozenset(self._options("inert")),
            embeds=frozenset(self.tokens("embeds")),
            drops=frozenset(self.tokens("drops")),
            more=self.flag("more"),
            stays=self.flag("stays"),
        )

    def tokens(self, name: str) -> tuple[str, ...]:
        """Return words with blanks between them."""
        return self._parsed(name, risk_words.tokens) or ()

    def flag(self, name: str) -> bool:
        """Return what yes or no says; no where nothing does."""
        return self._parsed(name, flag) or False

    def refuse(self, names: tuple[str, ...], why: str) -> None:
        """Note each of some fields that is there."""
        for name in names:
            if name in self._fields:
                self._reader.report(self._fields[name].key, f"{name} {why}", "leave it out here")

    def _options(self, name: str) -> tuple[str, ...]:
        return self._parsed(name, risk_words.options) or ()

    def _codes(self) -> Iterator[Code]:
        entry = self._fields.get("code")
        for one in self._reader.entries(entry.key, entry.value) if entry else ():
            empty = isinstance(one.value, Scalar) and not one.value.text and not one.value.plain
            after = "" if empty else self._reader.parsed(one, risk_words.regex)
            if after is not None:
                yield Code(one.key.text, after)

    def _parsed(self, name: str, parse: Callable[[str], T]) -> T | None:
        entry = self._fields.get(name)
        return self._reader.parsed(entry, parse) if entry else None


def _code_places(text: str) -> tuple[str, ...]:
    named = [word for word in text.split() if word != "*"]
    risk_words.options(" ".join(named))
    return tuple(text.split())


def _runs(text: str) -> Rest:
    if text not in RUNS:
        raise BadValue(f"{quoted(text)} is not how a command is written", choices(text, RUNS))
    return RUNS[text]
