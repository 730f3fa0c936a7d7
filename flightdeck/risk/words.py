"""A word of the syntax tree becomes what the program would get: quotes, expansions, braces.

It knows words only; what runs inside a substitution is the business of the caller,
which hands over `run`.

Source: bash(1), "Quoting", "Expansion"; each decoding held against bash by the tests.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from flightdeck.model.shell import Span, Word
from flightdeck.risk import quoting
from flightdeck.risk.line import MOST_WORDS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from flightdeck.risk.line import Line, Source
    from flightdeck.risk.tree import Node

_PLAIN = re.compile(r"[\w@%+=:,./^~-]+")
# A word that stands for itself, or is quoted whole; a variable may be in it.
_BARE = r"[\w@%+:,./^~-]"
_LATER = r"(?:[\w@%+=:,./^~-]|\$[A-Za-z_]\w*|\$\{[A-Za-z_]\w*\})+"
_SINGLE = r"'[^'\0]*'"
_DOUBLE = r"(?:[^\"$`\\\0]|\$[A-Za-z_]\w*|\$\{[A-Za-z_]\w*\})*"
_TOKEN = re.compile(rf"({_LATER})|({_SINGLE})|\"({_DOUBLE})\"")
_UNQUOTED = re.compile(r"[\w@%+=:,./^~-][\w@%+=:,./^~ -]*")
_COMMAND = re.compile(rf"{_BARE}++(?:[ \t]++(?:{_LATER}|{_SINGLE}|\"{_DOUBLE}\")(?=[ \t]|\Z))*+")
_VARIABLE = re.compile(r"\$\{?(\w+)")
_NAME = re.compile(r"\$\{?(\w+|[@*])(?:\[([@*]|\d+)\])?\}?")
_GLOB = re.compile(r"[*?[]")
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_SIGN = 0xF0000  # of a private plane: stands for a part that braces do not look into
_PRIVATE = re.compile(r"[\U000F0000-\U0010FFFF]")
_SIGNS = re.compile(r"[\U000F0000-\U0010FFFF]|[^\U000F0000-\U0010FFFF]+")
_SUBSTITUTIONS = frozenset({"command_substitution", "process_substitution"})
_EXPANSIONS = _SUBSTITUTIONS | {"simple_expansion", "expansion", "arithmetic_expansion"}


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a word: known or not, quoted or not, split at blanks or not.

    `ends` closes one word of several that came out of `"${a[@]}"`.
    """

    text: str
    known: bool = True
    quoted: bool = False
    split: bool = False
    ends: bool = False


class Words:
    """Reads the words of one source."""

    def __init__(self, source: Source, line: Line, run: Callable[[Node], str | None]) -> None:
        """`run` walks a substitution and returns what it writes, None if unknown."""
        self._source = source
        self._line = line
        self._run = run

    def read(self, node: Node) -> list[Word]:
        """Return the words one node becomes: none, one, or several by expansion."""
        if self._line.effort_left < 0:
            return []
        raw, span = self._place(node)
        if _PLAIN.fullmatch(raw):
            return [Word(raw, span)]
        words = fields(self._pieces(node), span)
        self._line.spend(len(words))
        return words

    def joined(self, node: Node) -> Word:
        """Return the one word a node is where nothing is split (assigned values)."""
        raw, span = self._place(node)
        if _PLAIN.fullmatch(raw):
            return Word(raw, span)
        return _join(list(self._pieces(node)), span)

    def plain(self, node: Node) -> tuple[Word, ...]:
        """Return the words of a command that has no quoting beyond whole words, else none.

        Nearly all commands are: read at once, they cost a fifth of a walk over the tree.
        """
        start, end, source = node.start_byte, node.end_byte, self._source
        text = source.text[start:end]
        if _UNQUOTED.fullmatch(text):
            return self._unquoted(text, source.base + start, source.stands_for)
        if not _COMMAND.fullmatch(text) or ("$" in text and self._known(text)):
            return ()
        base, whole = source.base + start, source.stands_for
        words = [
            Word(
                bare if bare is not None else found[2][1:-1] if found[2] else found[3],
                whole or (found.start() + base, found.end() + base),
                found[2] is not None or "$" not in found[0],
                False,  # noqa: FBT003 - no wildcard gets here
                bare is None,
            )
            for found in islice(_TOKEN.finditer(text), MOST_WORDS)
            for bare in (found[1],)
        ]
        self._line.opaque |= len(words) == MOST_WORDS
        return tuple(words)

    def _unquoted(self, text: str, at: int, whole: Span | None) -> tuple[Word, ...]:
        words: list[Word] = []
        for part in text.split(" "):
            end = at + len(part)
            if part:
                words.append(Word(part, whole or (at, end)))
            at = end + 1
        self._line.opaque |= len(words) > MOST_WORDS
        return tuple(words[:MOST_WORDS]) if "=" not in words[0].text else ()

    def _known(self, text: str) -> bool:
        """Say whether something is known of a variable in `text`."""
        variables = self._line.variables
        return any(name in variables for name in _VARIABLE.findall(text))

    def _place(self, node: Node) -> tuple[str, Span]:
        start, end = node.start_byte, node.end_byte
        return self._source.text[start:end], self._source.span(start, end)

    def _pieces(self, node: Node) -> Iterator[Piece]:
        kind = node.type
        if not self._line.spend():
            yield Piece("", known=False)
        elif kind in _EXPANSIONS:
            yield from self._expansion(node, quoted=False)
        elif kind == "string":
            yield from self._string(node)
        elif kind == "raw_string":
            yield Piece(self._place(node)[0].strip()[1:-1].replace("\0", ""), quoted=True)
        elif kind == "ansi_c_string":
            yield Piece(quoting.ansi_c(self._place(node)[0].strip()[2:-1]), quoted=True)
        elif node.named_child_count and kind != "brace_expression":
            yield from self._parts(node)
        else:
            yield from _bare(self._place(node)[0])

    def _parts(self, node: Node) -> Iterator[Piece]:
        """Read a node part by part; what lies between its children is bare text."""
        at, text = node.start_byte, self._source.text
        translated = node.type == "translated_string"
        for child in node.named_children:
            if at < child.start_byte and not translated:
                yield from _bare(text[at : child.start_byte])
            yield from self._pieces(child)
            at = child.end_byte
        if at < node.end_byte:
            yield from _bare(text[at : node.end_byte])

    def _string(self, node: Node) -> Iterator[Piece]:
        at, text = text_start(node, self._source.text), self._source.text
        yield Piece("", quoted=True)
        for child in node.named_children:
            if child.type in _EXPANSIONS:
                start = _without_blanks(child, text)
                yield Piece(quoting.in_double(text[at:start].replace("\0", "")), quoted=True)
                yield from self._expansion(child, quoted=True)
                at = child.end_byte
        end = node.end_byte - 1 if text[at : node.end_byte].endswith('"') else node.end_byte
        yield Piece(quoting.in_double(text[at:end].replace("\0", "")), quoted=True)

    def _expansion(self, node: Node, *, quoted: bool) -> Iterator[Piece]:
        raw = self._source.text[_without_blanks(node, self._source.text) : node.end_byte]
        if node.type == "command_substitution":
            written = self._run(node)
            if written is not None:
                yield Piece(written.rstrip("\n"), quoted=quoted, split=not quoted)
                return
        elif node.type == "process_substitution" or node.named_child_count > 1:
            self._run(node)
        if name := _NAME.fullmatch(raw):
            yield from self._value(name, raw, quoted=quoted)
        else:
            self._run_unknown(node)
            yield Piece(raw, known=False, quoted=quoted)

    def _run_unknown(self, node: Node) -> None:
        if node.type in ("arithmetic_expansion", "expansion") and node.named_child_count == 1:
            self._run(node)

    def _value(self, name: re.Match[str], raw: str, *, quoted: bool) -> Iterator[Piece]:
        """Read `$x`, `${x}`, `${x[0]}`, `${x[@]}`, `$1`, `$@` where the line says what it is."""
        texts = self._texts(name[1])
        index = name[2] or (name[1] if name[1] in "@*" else "0")
        if texts is None or (index.isdigit() and int(index) >= max(len(texts), 1)):
            yield Piece(raw, known=False, quoted=quoted)
        elif index.isdigit() or (index == "*" and quoted):
            text = " ".join(texts) if index == "*" else "".join(texts[int(index) : int(index) + 1])
            yield Piece(text, quoted=quoted, split=not quoted)
        else:
            for at, text in enumerate(texts):
                last = at == len(texts) - 1
                yield Piece(text, quoted=quoted, split=not quoted, ends=not last)

    def _texts(self, name: str) -> tuple[str, ...] | None:
        if name in "@*" or name.isdigit():
            given = self._line.parameters
            if given is None or name in "@*":
                return given and given[1:]
            at = int(name) if len(name) < 4 else len(given)
            return given[at : at + 1] or None
        value = self._line.variables.get(name)
        if value is None:
            return None
        self._line.used += value.sources
        return value.texts


def text_start(node: Node, text: str) -> int:
    """Return where the text of a double-quoted string begins."""
    return text.find('"', node.start_byte) + 1


def _without_blanks(node: Node, text: str) -> int:
    """Return where a node really begins: the grammar counts blanks before it as its own."""
    start = node.start_byte
    while start < node.end_byte and text[start] in " \t\n\r":
        start += 1
    return start


def _bare(text: str) -> Iterator[Piece]:
    """Read unquoted text: a backslash quotes the character behind it."""
    text = text.replace("\0", "")
    if "\\" not in text:
        yield Piece(text)
        return
    for at, part in enumerate(_ESCAPE.split(text)):
        if at % 2 == 0:
            yield Piece(part)
        elif part != "\n":
            yield Piece(part, quoted=True)


def fields(pieces: Iterator[Piece], span: Span) -> list[Word]:
    """Return the words that `pieces` make: braces first, then splitting at blanks."""
    parts = list(pieces)
    braced = any("{" in p.text for p in parts if not p.quoted and p.known and not p.split)
    if braced and not any(_PRIVATE.search(p.text) for p in parts):
        return [w for spelled in _spelled(parts) for w in _split(spelled, span)]
    return _split(parts, span)


def _spelled(parts: list[Piece]) -> Iterator[list[Piece]]:
    """Yield each word of a brace expansion; what is not bare goes through it as one sign."""
    bare = [p.known and not (p.quoted or p.split) for p in parts]
    signs = "".join(
        p.text if b else chr(_SIGN + at) for at, (p, b) in enumerate(zip(parts, bare, strict=True))
    )
    for word in quoting.braces(signs):
        yield [
            Piece(text) if ord(text[0]) < _SIGN else parts[ord(text) - _SIGN]
            for text in _SIGNS.findall(word)
        ]


def _split(parts: list[Piece], span: Span) -> list[Word]:
    words: list[Word] = []
    current: list[Piece] = []
    for piece in parts:
        if not piece.split:
            current.append(piece)
        else:
            first, *rest = _chunks(piece.text)
            current += [Piece(first)] if first else []
            for chunk in rest:
                words += [_join(current, span)] if current else []
                current = [Piece(chunk)] if chunk else []
        if piece.ends:
            words += [_join(current, span)] if current else []
            current = []
    return [*words, _join(current, span)] if current else words


def _chunks(text: str) -> list[str]:
    """Cut at blanks; a blank at an end leaves an empty chunk there."""
    return re.split(r"[ \t\n]+", text)


def _join(parts: list[Piece], span: Span) -> Word:
    return Word(
        text="".join([p.text for p in parts]),
        span=span,
        literal=all(p.known for p in parts),
        glob=any(not p.quoted and p.known and _GLOB.search(p.text) for p in parts),
        quoted=any(p.quoted for p in parts),
    )
