"""Single values of a rule file: tokens, commands, phrases, counts, names.

Each function takes the text as written and returns what it means, or raises `BadValue`;
none knows where the text stood.

Source: risk/README.md, "A rule".
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from flightdeck.config.reader import choices, quoted
from flightdeck.config.values import WORD, BadValue, whole
from flightdeck.model.risk import Command, Tier

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

# Classes of operands that are no paths.
BUILT_IN = ("glob", "variable", "unseen")

# Patterns an editor is given too. What quotes hold together is known to the parsers alone.
NAMED = WORD
COUNT = "[0-9]{1,3}(?:[+]|-[0-9]{1,3})?"
_QUOTED = r'[^\n]*"[^\n]*'
_BLANK = r"[^\S\n]"
_PROGRAM = rf"(?!-)[^\s,]+(?:{_BLANK}+(?!-)[^\s,]+)*(?:{_BLANK}+-[^\s,]+)*"
_PLAIN_ITEM = rf"{_BLANK}*[^\s,][^\n,]*"
ITEMS = rf"{_PLAIN_ITEM}(?:,{_PLAIN_ITEM})*|{_QUOTED}"
COMMANDS = rf"{_BLANK}*{_PROGRAM}{_BLANK}*(?:,{_BLANK}*{_PROGRAM}{_BLANK}*)*|{_QUOTED}"
OPTIONS = rf"{_BLANK}*-\S+(?:{_BLANK}+-\S+)*{_BLANK}*|{_QUOTED}"
CODE_PLACES = rf"{_BLANK}*(?:-\S+|\*)(?:{_BLANK}+(?:-\S+|\*))*{_BLANK}*|{_QUOTED}"
NAME_WORDS = rf"{_BLANK}*(?:[a-z]+|[0-9]+)(?:{_BLANK}+(?:[a-z]+|[0-9]+))*{_BLANK}*|{_QUOTED}"
MOST_COUNTED, MOST_BEFORE = 999, 9

NAME = re.compile(NAMED)

_TOKEN = re.compile(r'"[^"]*"|\S+')
# A comma within quotes parts nothing; a quote that is never closed is a character like others.
_ITEM = re.compile(r'(?:^|,)((?:"[^"]*"|"(?![^"]*")|[^,"])*)')
_CLASS = re.compile(r"<([^<>]*)>")
_COUNT = re.compile(r"(\d{1,3})(?:(\+)|-(\d{1,3}))?", re.ASCII)
_SHORTEST_PHRASE = 3
_MOST_STARS = 6


@dataclass(frozen=True, slots=True)
class Known:
    """What names in angle brackets stand for: paths, and commands."""

    targets: dict[str, tuple[str, ...]] = field(default_factory=dict)
    groups: dict[str, tuple[Command, ...]] = field(default_factory=dict)


def tier(text: str) -> Tier:
    """Return a tier."""
    names = [one.value for one in Tier]
    if text not in names:
        raise BadValue(f"{quoted(text)} is no tier", f"there are: {', '.join(names)}")
    return Tier(text)


def name(text: str) -> str:
    """Return the name of a rule, a class or a group."""
    if not NAME.fullmatch(text):
        raise BadValue(f"{quoted(text)} is no name", "use small letters, digits and dashes")
    return text


def tokens(text: str) -> tuple[str, ...]:
    """Return words with blanks between them; quotes keep a blank within one."""
    return tuple(token.strip('"') if len(token) > 2 else token for token in _TOKEN.findall(text))


def options(text: str) -> tuple[str, ...]:
    """Return names of options."""
    for word in tokens(text):
        if not word.startswith("-") or word == "-":
            raise BadValue(f"{quoted(word)} is no option", "an option begins with a dash")
    return tokens(text)


def flags(known: Known) -> Callable[[str], tuple[str, ...]]:
    """Return a parser of options a rule asks for, perhaps with a value: `-m=777`."""

    def parse(text: str) -> tuple[str, ...]:
        for option in options(text):
            _check_glob(option.partition("=")[2], known.targets)
        return options(text)

    return parse


def operands(known: Known) -> Callable[[str], tuple[str, ...]]:
    """Return a parser of globs and classes for operands."""
    return _globs({*known.targets, *BUILT_IN})


def paths(known: Known) -> Callable[[str], tuple[str, ...]]:
    """Return a parser of globs and classes for paths."""
    return _globs(known.targets)


def target(known: Known) -> Callable[[str], tuple[str, ...]]:
    """Return a parser of the globs of a class; a class named among them is taken in."""

    def parse(text: str) -> tuple[str, ...]:
        found: list[str] = []
        for token in _globs(known.targets)(text):
            inner = _CLASS.fullmatch(token)
            found += known.targets[inner[1]] if inner else [token]
        return tuple(found)

    return parse


def commands(known: Known) -> Callable[[str], tuple[Command, ...]]:
    """Return a parser of commands with commas between them."""

    def parse(text: str) -> tuple[Command, ...]:
        return tuple(one for item in _items(text) for one in _command(item, known.groups))

    return parse


def programs(known: Known) -> Callable[[str], tuple[str, ...]]:
    """Return a parser of names of programs with blanks between them."""

    def parse(text: str) -> tuple[str, ...]:
        found: list[str] = []
        for token in tokens(text):
            inner = _CLASS.fullmatch(token)
            if inner:
                found += [command.words[0] for command in _group(inner[1], known.groups)]
            else:
                found.append(token)
        return tuple(found)

    return parse


def phrases(text: str) -> tuple[str, ...]:
    """Return phrases with commas between them."""
    found = tuple(item.strip('"') for item in _items(text))
    for phrase in found:
        parts = [part.strip(" *") for part in phrase.replace("...", "…").split("…")]
        if any(len(part) < _SHORTEST_PHRASE for part in parts):
            told = f"phrase {quoted(phrase)} is too short"
            raise BadValue(told, f"write {_SHORTEST_PHRASE} characters or more, on each side of …")
    return found


def words(text: str) -> tuple[str, ...]:
    """Return the words of a tool's name a rule asks for."""
    for token in tokens(text):
        if not re.fullmatch(r"[a-z]+|\d+", token):
            raise BadValue(f"{quoted(token)} is no word of a name", "write small letters only")
    return tokens(text)


def count(text: str) -> tuple[int, int | None]:
    """Return the least and the most operands; None is any number."""
    found = _COUNT.fullmatch(text)
    if found is None:
        raise BadValue(f"{quoted(text)} is no count", "write it like `2`, `2+` or `1-3`")
    least = int(found[1])
    return least, None if found[2] else int(found[3] or least)


def number(text: str) -> int:
    """Return how many operands stand before a command."""
    found = whole(text)
    if found is None or found > MOST_BEFORE:
        raise BadValue(f"{quoted(text)} is no number of operands", "write 0 to 9")
    return found


def regex(text: str) -> str:
    """Return a regular expression that compiles."""
    try:
        re.compile(text)
    except (re.error, OverflowError, RecursionError) as error:
        told = f"{quoted(text)} is no regular expression: {error}"
        raise BadValue(told, "see Python's `re`, or leave it empty: ''") from error
    return text


def _globs(classes: Iterable[str]) -> Callable[[str], tuple[str, ...]]:
    def parse(text: str) -> tuple[str, ...]:
        for token in tokens(text):
            _check_glob(token, classes)
        return tokens(text)

    return parse


def _check_glob(token: str, classes: Iterable[str]) -> None:
    for found in _CLASS.findall(token):
        if found not in classes:
            raise BadValue(f"no class of paths is called {quoted(found)}", choices(found, classes))
    if token.replace("**", "*").count("*") > _MOST_STARS:
        told = f"glob {quoted(token)} has more than {_MOST_STARS} stars"
        raise BadValue(told, "`**` stands for any number of folders")


def _items(text: str) -> tuple[str, ...]:
    found = tuple(item.strip() for item in _ITEM.findall(text))
    if not all(found):
        raise BadValue("a comma with nothing beside it", "take the comma out")
    return found


def _command(item: str, groups: Mapping[str, tuple[Command, ...]]) -> tuple[Command, ...]:
    inner = _CLASS.fullmatch(item)
    if inner:
        return _group(inner[1], groups)
    split = tokens(item)
    first = next((at for at, token in enumerate(split) if token.startswith("-")), len(split))
    if first == 0:
        raise BadValue(f"{quoted(item)} has no program", "write the program before its options")
    return (Command(split[:first], options(" ".join(split[first:]))),)


def _group(name: str, groups: Mapping[str, tuple[Command, ...]]) -> tuple[Command, ...]:
    if name not in groups:
        raise BadValue(f"no group of commands is called {quoted(name)}", choices(name, groups))
    return groups[name]
