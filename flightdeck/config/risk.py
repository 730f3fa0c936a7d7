"""Risk files: from YAML to a table of rules, with every problem and every example.

It knows how rules are written, not how they are asked.

Source: risk/README.md.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from flightdeck.config import risk_words
from flightdeck.config.document import read_document
from flightdeck.config.reader import Reader, quoted
from flightdeck.config.risk_programs import Told, read_programs, read_wrappers
from flightdeck.config.risk_rule import read_rule
from flightdeck.config.risk_words import Known
from flightdeck.config.text import shown
from flightdeck.errors import ConfigError
from flightdeck.model.risk import Reading, Table
from flightdeck.model.shell import Programs

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from pathlib import Path

    from flightdeck.config.nodes import Document, Entry, Node, Scalar
    from flightdeck.config.risk_rule import Example
    from flightdeck.errors import Problem
    from flightdeck.model.risk import Rule

T = TypeVar("T")

# The shipped table is some hundred rules, each with its examples.
MOST_NODES = 20_000

SECTIONS = ("groups", "targets", "programs", "wrappers", "rules")


@dataclass(frozen=True, slots=True)
class RiskFile:
    """One file, read over what came before it; `table` is both together."""

    path: Path
    document: Document | None
    table: Table
    examples: tuple[Example, ...] = ()
    problems: tuple[Problem, ...] = ()


def read_risk(
    paths: Iterable[Path], base: Table, *, local: bool, trusted: bool = False
) -> list[RiskFile]:
    """Return the files in turn, each over `base` and those before it.

    A file with problems adds nothing to the table. `trusted` files are not checked twice.
    """
    files: list[RiskFile] = []
    for path in paths:
        files.append(_read(path, base, local=local, trusted=trusted))
        base = files[-1].table
    return files


def _read(path: Path, base: Table, *, local: bool, trusted: bool) -> RiskFile:
    try:
        document = read_document(path, shown(path), most=MOST_NODES, trusted=trusted)
    except ConfigError as error:
        return RiskFile(path, None, base, problems=error.problems)
    return compile_risk(path, document, base, local=local)


def compile_risk(path: Path, document: Document, base: Table, *, local: bool) -> RiskFile:
    """Return what `document`, which lies at `path`, says on top of `base`."""
    if document.root is None and not document.faults:
        return RiskFile(path, document, base)
    reader = Reader(document)
    if document.root is not None:
        table, examples = _compiled(reader, document.root, base, local=local)
        if not reader.problems:
            return RiskFile(path, document, table, tuple(examples))
    return RiskFile(path, document, base, problems=tuple(reader.problems))


def _compiled(
    reader: Reader, root: Node, base: Table, *, local: bool
) -> tuple[Table, list[Example]]:
    sections = reader.sections(root, SECTIONS)
    known = Known(dict(base.targets), dict(base.groups))
    if "targets" in sections:
        _named(reader, sections["targets"], known.targets, risk_words.target(known))
    if "groups" in sections:
        _named(reader, sections["groups"], known.groups, risk_words.commands(known))
    told = Told()
    if "programs" in sections:
        read_programs(reader, sections["programs"], told)
    if "wrappers" in sections:
        read_wrappers(reader, sections["wrappers"], told)
    rules, examples = _rules(reader, sections.get("rules"), known, local=local)
    return _over(base, rules, known, told, local=local), examples


def _named(
    reader: Reader,
    entry: Entry,
    into: dict[str, tuple[T, ...]],
    parse: Callable[[str], tuple[T, ...]],
) -> None:
    """Add the classes of a section to those there are; one of the same name grows."""
    seen: dict[str, Scalar] = {}
    for one in reader.entries(entry.key, entry.value):
        name = reader.parsed_text(entry.key, one.key, risk_words.name)
        if name in seen:
            reader.repeated(one.key, seen[name], f"{quoted(name)} is written twice")
        elif name is not None:
            seen[name] = one.key
            into[name] = (*into.get(name, ()), *(reader.parsed(one, parse) or ()))


def _rules(
    reader: Reader, entry: Entry | None, known: Known, *, local: bool
) -> tuple[list[Rule], list[Example]]:
    rules: list[Rule] = []
    examples: list[Example] = []
    seen: dict[str, Scalar] = {}
    for one in reader.entries(entry.key, entry.value) if entry else ():
        name = one.key.text
        if name in seen:
            reader.repeated(one.key, seen[name], f"rule {quoted(name)} is written twice")
            continue
        seen[name] = one.key
        rule, shown_by = read_rule(reader, one, known, local=local)
        if rule is not None:
            rules.append(rule)
            examples += shown_by
    return rules, examples


def _over(base: Table, rules: list[Rule], known: Known, told: Told, *, local: bool) -> Table:
    """Return `base` with what a file says laid over it; a rule replaces one of its name."""
    names = {rule.name for rule in rules}
    there = [rule for rule in base.rules if rule.name not in names]
    return Table(
        rules=tuple([*rules, *there] if local else [*there, *rules]),
        readings=_grown(base.readings, told.readings),
        aliases={**base.aliases, **told.aliases},
        targets=known.targets,
        groups=known.groups,
        programs=_programs(base.programs, told.programs()),
    )


def _grown(base: Mapping[str, Reading], more: Mapping[str, Reading]) -> dict[str, Reading]:
    grown = dict(base)
    for name, reading in more.items():
        there = base.get(name, Reading())
        grown[name] = Reading(
            values=there.values | reading.values,
            options=there.options | reading.options,
            code=there.code | reading.code,
            before=there.before or reading.before,
        )
    return grown


def _programs(base: Programs, more: Programs) -> Programs:
    wrappers = dict(base.wrappers)
    for name, read in more.wrappers.items():
        wrappers[name] = (*read, *wrappers.get(name, ()))  # the first that fits is taken
    return Programs(
        wrappers=wrappers,
        shells=base.shells | more.shells,
        interpreters={**base.interpreters, **more.interpreters},
        dashed=base.dashed | more.dashed,
    )
