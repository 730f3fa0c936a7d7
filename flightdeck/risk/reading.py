"""How the words of a wrapper are read, given what is known of it: options, operands, command.

Pure: one `Wrapper` from the table and some words in, their parts out.

Source: POSIX.1-2024, "Utility Syntax Guidelines"; getopt_long(3) for long options.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from flightdeck.model.shell import Rest, Span, Word, Wrapper

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*=")
_CLUSTER = re.compile(r"-[A-Za-z]{2,5}")
_ENDS = frozenset({";", "+"})
_SHELL_VALUES = frozenset({"-o", "-O", "+o", "+O", "--rcfile", "--init-file"})
_SIGNS = ("-", "+")
_TELLING = frozenset({"--version", "--help"})


@dataclass(slots=True)
class Reading:
    """The parts of a wrapper's words, the program word left out."""

    options: list[tuple[str, Word | None]] = field(default_factory=list)
    assignments: list[tuple[str, Word]] = field(default_factory=list)
    operands: list[Word] = field(default_factory=list)
    rest: tuple[Word, ...] = ()

    def is_line(self) -> bool:
        """Say whether the command is one word with blanks in it: who runs it splits it."""
        return len(self.rest) > 0 and " " in self.rest[0].text.strip()

    def behind_dashes(self, wrapper: Wrapper) -> list[tuple[Word, ...]]:
        """Return the command behind a `--` further on, alone in a list (`mise exec x -- rm`).

        What stands before it may be no program, or may be one: then this is too much.
        """
        texts = [word.text for word in self.rest]
        if wrapper.more or not wrapper.verb or "--" not in texts:
            return []
        return [self.rest[texts.index("--") + 1 :]]


def read(words: Sequence[Word], wrapper: Wrapper) -> Reading | None:
    """Return the parts of `words` (without the program); None where the verb does not fit.

    With `Rest.NONE` options are looked for among all the words.
    """
    reading, verbs, left = Reading(), list(wrapper.verb), wrapper.operands
    values = wrapper.values | {c.where for c in wrapper.code if c.where[:1] in "-+"}
    at, options = 0, True
    while at < len(words):
        word = words[at]
        if options and _is_option(word, wrapper):
            options = word.text != "--"
            at += _option(reading, words, at, values)
        elif verbs:
            if word.text != verbs.pop(0):
                return None
            at += 1
        elif wrapper.assigns and _ASSIGNMENT.match(word.text):
            _assign(reading, word)
            at += 1
        elif left or wrapper.rest is Rest.NONE:
            reading.operands.append(word)
            left, at = max(0, left - 1), at + 1
        else:
            break
    reading.rest = tuple(w for w in words[at:] if w.text not in wrapper.drops)
    return None if verbs else reading


def _is_option(word: Word, wrapper: Wrapper) -> bool:
    """Say whether a word is an option; `env -` is `env -i`, other lone dashes are not."""
    return word.text[:1] == "-" and (word.text != "-" or wrapper.assigns)


def _option(reading: Reading, words: Sequence[Word], at: int, values: frozenset[str]) -> int:
    """Add the option at `at`; return how many words it takes."""
    word = words[at]
    text = word.text
    following = words[at + 1] if at + 1 < len(words) else None
    if text in values:
        reading.options.append((text, following))
        return 2
    if text in ("-", "--"):
        return 1
    if text.startswith("--"):
        return _long(reading, word, following, values)
    for place in range(1, len(text)):
        name = f"-{text[place]}"
        if name not in values:
            reading.options.append((name, None))
        elif place + 1 < len(text):
            reading.options.append((name, _cut(word, place + 1)))
            return 1
        else:
            reading.options.append((name, following))
            return 2
    reading.options.append((text, None))
    return 1


def _long(reading: Reading, word: Word, following: Word | None, values: frozenset[str]) -> int:
    name, equals, _ = word.text.partition("=")
    full = {v for v in values if v.startswith(name)} if name not in values else {name}
    known = full.pop() if len(full) == 1 else name
    if equals:
        reading.options.append((known, _cut(word, len(name) + 1)))
        return 1
    takes = known in values
    reading.options.append((known, following if takes else None))
    return 2 if takes else 1


def _cut(word: Word, start: int) -> Word:
    return Word(word.text[start:], word.span, word.literal, word.glob, word.quoted)


def _assign(reading: Reading, word: Word) -> None:
    name = word.text.partition("=")[0]
    reading.assignments.append((name, _cut(word, len(name) + 1)))


def code_in(reading: Reading, wrapper: Wrapper) -> Iterator[Word]:
    """Yield each word of a wrapper that holds shell code, cut to the code."""
    operands = [*reading.operands, *reading.rest]
    for code in wrapper.code:
        if code.where == "1":
            words = operands[:1]
        elif code.where == "*":
            words = operands
        else:
            words = [w for name, w in reading.options if name == code.where and w is not None]
        for word in words:
            if found := re.match(code.after, word.text, re.DOTALL):
                yield _cut(word, found.end())


def embedded(words: Sequence[Word], wrapper: Wrapper) -> Iterator[tuple[Word, ...]]:
    """Yield each command that stands between a word of `embeds` and its `;` or `+`."""
    at = 0
    while at < len(words):
        name, equals, value = words[at].text.partition("=")
        if words[at].text in wrapper.embeds or (equals and value and name in wrapper.embeds):
            start = at + 1
            first = (_cut(words[at], len(name) + 1),) if equals else ()
            while at + 1 < len(words) and words[at + 1].text not in _ENDS:
                at += 1
            yield (*first, *words[start : at + 1])
        at += 1


def base_name(text: str) -> str:
    """Return the name a program is known by: no folders, no `.exe`."""
    name = text.rstrip("/").rpartition("/")[2]
    return name[:-4] if name[-4:].lower() == ".exe" else name


def around(words: Sequence[Word]) -> Span:
    """Return the span from the first of `words` to the last."""
    return words[0].span[0], max(w.span[1] for w in words)


def shell_words(words: Sequence[Word]) -> tuple[Word | None, Sequence[Word], bool]:
    """Return the code of `-c`, the operands, and whether the shell only tells of itself.

    With `-s` the first operand is `-`: the script is the input.
    """
    at, code, told = 0, False, False
    stdin: tuple[Word, ...] = ()
    while at < len(words) and words[at].text[:1] in _SIGNS:
        text = words[at].text
        at += 2 if text in _SHELL_VALUES else 1
        if text in ("-", "--"):
            break
        told |= text in _TELLING
        if text[0] == "-" and text[1] != "-":
            code |= "c" in text
            stdin = (Word("-", words[at - 1].span),) if "s" in text else stdin
    operands = words[at:]
    if code and operands:
        return operands[0], operands[1:], told
    return None, (*stdin, *operands), told


def values(words: Sequence[Word], options: frozenset[str]) -> list[Word]:
    """Return the values of `options`: attached, or in the next word, also behind a cluster."""
    found: list[Word] = []
    for at, word in enumerate(words):
        for option in options:
            attached = option if len(option) == 2 else f"{option}="
            if word.text == option or _ends_cluster(word.text, option):
                found += words[at + 1 : at + 2]
            elif word.text.startswith(attached) and word.text != attached:
                found.append(_cut(word, len(attached)))
    return found


def _ends_cluster(text: str, option: str) -> bool:
    """Say whether `-Ic` ends with the option `-c`."""
    return len(option) == 2 and text[-1:] == option[1] and _CLUSTER.fullmatch(text) is not None


def marked(words: tuple[Word, ...], marker: str, text: str) -> tuple[Word, ...]:
    """Return `words` with what `xargs -I` puts in the place of its marker."""
    return tuple(replace(w, text=w.text.replace(marker, text)) for w in words)


def unseen(words: tuple[Word, ...], marker: str) -> tuple[Word, ...]:
    """Return `words` with a wildcard where `xargs -I` puts a part of a word nobody sees."""
    return tuple(
        replace(w, text=w.text.replace(marker, "*"), glob=True)
        if marker in w.text and w.text != marker
        else w
        for w in words
    )
