"""What an awk program starts and which files it writes, as far as its text says so.

Awk has no list of calls to look for: a string beside a `|` is a command, one behind a `>`
of `print` is a file. Strings, patterns and comments are told apart first, so that
`print $1 "|" $2` stays what it is.

Source: POSIX.1-2024, "awk", "Output Statements" and "Input/Output and General Functions".
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from flightdeck.risk.reading import values

if TYPE_CHECKING:
    from collections.abc import Sequence

    from flightdeck.model.shell import Word

NAMES = frozenset({"awk", "gawk", "mawk", "nawk"})
MOST_STARTED = 16  # commands and files of one program

QUOTE = '"'  # what a string begins with among the tokens

_SOURCES = frozenset({"-e", "--source"})
_SET = frozenset({"-v", "--assign"})
_PROGRAM = re.compile(r"[{(]")
_TOKEN = re.compile(
    r"""(?P<string>"(?:[^"\\]|\\.)*+\\?(?:"|\Z))|(?P<skip>\#[^\n]*|[ \t]+|\\\n)"""
    r"""|(?P<name>[A-Za-z_]\w*)|(?P<sign>\|\||\|&|>>|>=|==|&&|.|\n)""",
    re.DOTALL,
)
_PATTERN = re.compile(r"/(?:[^/\\\n\[]|\\.|\[(?:\\.|[^\]\\\n]){1,99}+\]){0,500}+/")
_BEFORE_PATTERN = frozenset("(,{};!~&|=\n") | {"&&", "||", "=="}
_DEEPER = {"(": 1, ")": -1}
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)


@dataclass(slots=True)
class Started:
    """What a program starts and writes; `unknown` says that there is more than that."""

    commands: list[str] = field(default_factory=list)
    files: list[str] = field(default_factory=list)
    unknown: bool = False


def started(words: Sequence[Word]) -> Started:
    """Return what the awk programs among `words` (without the program's name) start."""
    told = Started()
    known: dict[str, str] = {}
    for word in values(words, _SET):
        name, _, value = word.text.partition("=")
        known[name] = value
    texts = [word.text for word in values(words, _SOURCES)]
    texts += [w.text for w in words if w.text[:1] != "-" and _PROGRAM.search(w.text)]
    for text in texts:
        _read(_tokens(text), known, told)
    return told


def _tokens(text: str) -> list[str]:
    """Return strings with their first quote, names and signs; patterns as `/`."""
    found: list[str] = []
    at = 0
    while at < len(text):
        pattern = text[at] == "/" and (not found or found[-1] in _BEFORE_PATTERN)
        if pattern and (whole := _PATTERN.match(text, at)):
            found.append("/")
            at = whole.end()
            continue
        token = _TOKEN.match(text, at)
        if token is None:  # pragma: no cover - the last sign takes any character
            break
        at = token.end()
        if token["string"]:
            found.append('"' + _ESCAPE.sub(r"\1", token["string"][1:].removesuffix(QUOTE)))
        elif not token["skip"]:
            found.append(token[0])
    return found


def _read(tokens: list[str], known: dict[str, str], told: Started) -> None:
    printing, depth = False, 0
    for at, part in enumerate(tokens):
        after, second = _two(tokens, at)
        depth += _DEEPER.get(part, 0)
        if part in ("print", "printf"):
            printing, depth = True, 0
        elif part in (";", "\n", "}"):
            printing = False
        elif part == "=" and after[:1] == QUOTE:
            known[tokens[at - 1]] = after[1:]
        elif part in ("|", "|&"):
            command = _left(tokens, at) if after == "getline" else after
            _add(told, told.commands, _text(command, known))
        elif part in (">", ">>") and printing and depth <= 0:
            _add(told, told.files, _text(after, known))
        elif part == "system" and after == "(":
            _add(told, told.commands, _text(second, known))


def _two(tokens: list[str], at: int) -> tuple[str, str]:
    """Return the next two tokens, empty where there are none."""
    after, second, *_ = (*tokens[at + 1 : at + 3], "", "")
    return after, second


def _left(tokens: list[str], at: int) -> str:
    """Return the first string of what stands left of a `|`, brackets taken off."""
    while at and tokens[at - 1] == ")":
        at -= 1
    left = at - 1
    while left > 0 and tokens[left][:1] == QUOTE and tokens[left - 1][:1] == QUOTE:
        left -= 1
    return tokens[left] if left >= 0 else ""


def _text(part: str, known: dict[str, str]) -> str | None:
    return part[1:] if part[:1] == QUOTE else known.get(part)


def _add(told: Started, to: list[str], text: str | None) -> None:
    if text is None or len(to) >= MOST_STARTED:
        told.unknown = True
    else:
        to.append(text)
