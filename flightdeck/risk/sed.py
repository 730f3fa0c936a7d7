"""What a sed script starts and which files it writes: `e`, `w`, and both as flags of `s`.

Source: GNU sed's manual, "Commands Requiring a newline" and "The s Command"; POSIX.1-2024,
"sed".
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from flightdeck.risk.awk import MOST_STARTED, Started
from flightdeck.risk.reading import values

if TYPE_CHECKING:
    from collections.abc import Sequence

    from flightdeck.model.shell import Word

NAMES = frozenset({"sed", "gsed"})

_SCRIPTS = frozenset({"-e", "--expression"})
_WITH_VALUE = frozenset({"-f", "--file", "-l", "--line-length"})
# Line numbers, steps, `$`, and patterns between slashes or another sign.
_ADDRESS = (
    r"(?:\d+(?:~\d+)?|\$|/(?:[^/\\\n]|\\.)*+\\?(?:/[IM]*|(?=\n)|\Z)"
    r"|\\(?P<{0}>.)(?:(?!(?P={0}))[^\\\n]|\\.)*+\\?(?:(?P={0})[IM]*|(?=\n)|\Z))"
)
_ADDRESSES = re.compile(
    rf"{_ADDRESS.format('one')}?(?:\s*,\s*[+~]?{_ADDRESS.format('other')})?", re.DOTALL
)
_GAP = re.compile(r"[\s;{}]*")
_LINE = re.compile(r"[^\n]*")
_TEXT = re.compile(r"(?:[^\n\\]|\\.)*", re.DOTALL)
_LABEL = re.compile(r"[^\n;}]*")
_MATCHED = re.compile(r"(?<!\\)&|\\\d")  # what a replacement takes from the text
_FLAGS = re.compile(r"[gpeiIMm0-9]*")


def started(words: Sequence[Word]) -> Started:
    """Return what the scripts among `words` (without the program's name) start."""
    told = Started()
    for text in [word.text for word in values(words, _SCRIPTS)] or _first(words):
        _read(text, told)
    return told


def _first(words: Sequence[Word]) -> list[str]:
    """Return the first operand, which is the script where no option holds one."""
    passed = False
    for word in words:
        if passed or word.text[:1] == "-":
            passed = word.text in _WITH_VALUE
        else:
            return [word.text]
    return []


def _read(text: str, told: Started) -> None:
    at = 0
    while at < len(text) and len(told.commands) + len(told.files) < MOST_STARTED:
        at = _end(_GAP, text, at)
        at = _end(_ADDRESSES, text, at)
        while text[at : at + 1] in ("!", " ", "\t"):
            at += 1
        at = _command(text, at, told)
    told.unknown |= at < len(text)


def _command(text: str, at: int, told: Started) -> int:
    """Read the command at `at`; return where it ends."""
    sign, rest = text[at : at + 1], at + 1
    if sign in ("s", "y") and rest < len(text):
        return _substitution(text, rest, told, flags=sign == "s")
    if sign == "e":
        end = _end(_LINE, text, rest)
        _runs(told, text[rest:end].strip())
        return end
    if sign in ("w", "W"):
        end = _end(_LINE, text, rest)
        told.files.append(text[rest:end].strip())
        return end
    if sign in ("a", "i", "c"):
        return _end(_TEXT, text, rest)
    if sign in ("r", "R", "#"):
        return _end(_LINE, text, rest)
    return _end(_LABEL, text, rest) if sign in (":", "b", "t", "T") else rest


def _substitution(text: str, at: int, told: Started, *, flags: bool) -> int:
    sign = text[at]
    parts: list[str] = []
    at += 1
    for _ in range(2):
        end = at
        while end < len(text) and text[end] != sign:
            end += 2 if text[end] == "\\" else 1
        parts.append(text[at:end])
        at = end + 1
    if not flags:
        return at
    end = _end(_FLAGS, text, at)
    if "e" in text[at:end]:
        _runs(told, _MATCHED.sub(' "$1"', parts[1]))
    if text[end : end + 1] != "w":
        return end
    return _command(text, end, told)


def _runs(told: Started, command: str) -> None:
    """Keep a command; what the pattern space adds to it is not known."""
    told.unknown = True
    if command:
        told.commands.append(command)


def _end(pattern: re.Pattern[str], text: str, at: int) -> int:
    found = pattern.match(text, at)
    return found.end() if found else at
