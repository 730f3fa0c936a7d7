"""What quotes and braces mean: text in, text out. Knows no syntax tree.

Source: bash(1), "Quoting", "ANSI-C Quoting", "Brace Expansion"; each held against bash
itself by the tests.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

MOST_WORDS = 64  # how many words one brace expansion may give
MOST_BRACED = 512  # characters; a longer word is left as it is

_ANSI = re.compile(
    r"\\(?:([abeEfnrtv\\'\"?])|([0-7]{1,3})|x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})"
    r"|U([0-9a-fA-F]{1,8})|c(.))",
    re.DOTALL,
)
_LETTERS = {
    "a": "\a",
    "b": "\b",
    "e": "\x1b",
    "E": "\x1b",
    "f": "\f",
    "n": "\n",
    "r": "\r",
    "t": "\t",
    "v": "\v",
}
_IN_DOUBLE = re.compile(r'\\([$`"\\\n])')
_UNQUOTE = re.compile(r"""\\(.)|'([^']*)'|"((?:[^"\\]|\\.)*)\"""", re.DOTALL)
_ROUGH = re.compile(
    r"""((?:\\.|'[^']*'|"(?:[^"\\]|\\.)*"|[^\s;&|()`"'\\])+)|[;&|()`\n]|["'](?=\S)""", re.DOTALL
)
_RANGE = re.compile(r"(-?\d+|[A-Za-z])\.\.(-?\d+|[A-Za-z])(?:\.\.(-?\d+))?")


def ansi_c(text: str) -> str:
    r"""Return what `$'text'` stands for (`\x72\x6d` is `rm`); it ends at a NUL."""
    return _ANSI.sub(_ansi_one, text).partition("\0")[0]


def _ansi_one(found: re.Match[str]) -> str:
    letter, octal, hexa, short, long, control = found.groups()
    if letter:
        return _LETTERS.get(letter, letter)
    if control:
        return chr(ord(control.upper()) & 0x1F)
    code = int(octal, 8) & 0xFF if octal else int(hexa or short or long, 16)
    return chr(code) if code < 0x110000 else found[0]


def in_double(text: str) -> str:
    """Return what `text` stands for between double quotes, expansions aside."""
    if "\\" not in text:
        return text
    return _IN_DOUBLE.sub(lambda m: "" if m[1] == "\n" else m[1], text)


def unquote(text: str) -> str:
    """Return one word without its quotes; expansions stay as written."""

    def plain(found: re.Match[str]) -> str:
        if found[1] is not None:
            return "" if found[1] == "\n" else found[1]
        return found[2] if found[2] is not None else in_double(found[3])

    return _UNQUOTE.sub(plain, text)


def rough(text: str) -> Iterator[list[str]]:
    """Yield the words of each command in text no grammar reads, quotes heeded."""
    words: list[str] = []
    for found in _ROUGH.finditer(text):
        if found[1] is not None:
            words.append(unquote(found[1]))
        elif words:
            yield words
            words = []
    if words:
        yield words


def braces(text: str) -> list[str]:
    """Return the words `text` becomes by brace expansion, at most `MOST_WORDS`.

    `text` holds unquoted characters only; whatever was quoted is to stand in it as
    one character that is none of `{`, `}`, `,`, `.` or `$`.
    """
    done: list[str] = []
    todo = [text]
    if len(text) > MOST_BRACED or text.count("{") > 16:
        return todo
    while todo and len(done) + len(todo) < MOST_WORDS:
        word = todo.pop()
        if (parts := _first_group(word)) is None:
            done.append(word)
        else:
            before, choices, after = parts
            todo += [f"{before}{choice}{after}" for choice in reversed(choices)]
    return done + todo[::-1]


def _first_group(text: str) -> tuple[str, list[str], str] | None:
    """Return what stands before, in and after the first group that expands."""
    at = text.find("{")
    while at >= 0:
        if text[at - 1 : at] != "$" and (found := _group(text, at)) is not None:
            choices, end = found
            return text[:at], choices, text[end:]
        at = text.find("{", at + 1)
    return None


def _group(text: str, start: int) -> tuple[list[str], int] | None:
    """Return the choices of the group that opens at `start`, and where it ends."""
    depth, commas = 0, [start]
    for at in range(start, min(len(text), start + 4096)):
        letter = text[at]
        if letter == "{":
            depth += 1
        elif letter == "}":
            depth -= 1
        elif letter == "," and depth == 1:
            commas.append(at)
        if depth == 0:
            return _choices(text, [*commas, at])
    return None


def _choices(text: str, cuts: list[int]) -> tuple[list[str], int] | None:
    end = cuts[-1] + 1
    if len(cuts) > 2:
        return [text[a + 1 : b] for a, b in pairwise(cuts[: MOST_WORDS + 1])], end
    steps = _RANGE.fullmatch(text[cuts[0] + 1 : cuts[1]])
    return (_range(steps), end) if steps and _alike(steps) else None


def _alike(steps: re.Match[str]) -> bool:
    return steps[1].lstrip("-").isdigit() == steps[2].lstrip("-").isdigit()


def _range(steps: re.Match[str]) -> list[str]:
    first, last = steps[1], steps[2]
    if len(first) > 9 or len(last) > 9 or len(steps[3] or "") > 9:
        return [first, last]
    numeric = first.lstrip("-").isdigit()
    a, b = (int(first), int(last)) if numeric else (ord(first), ord(last))
    step = abs(int(steps[3] or 1)) or 1
    values = range(a, b + 1, step) if a <= b else range(a, b - 1, -step)
    width = max(len(first), len(last)) if re.match(r"-?0\d", f"{first}") else 0
    return [f"{v:0{width}d}" if numeric else chr(v) for v in values[:MOST_WORDS]]
