"""Verb files: frontmatter and text to a `Verb`, or every problem the file has.

A verb is one markdown file; one of the same name in the state folder wins over the shipped
one. Knows what a file must say, not how or when a verb is sent.

Source: verbs/README.md, "What a verb must state".
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from flightdeck import shipped
from flightdeck.config.document import parse_document
from flightdeck.config.frontmatter import read_head
from flightdeck.config.nodes import Span, problem_at
from flightdeck.config.reader import choices, quoted
from flightdeck.config.text import decoded, is_unseen, plain, shown, unseen
from flightdeck.errors import ConfigError, Location, Problem
from flightdeck.model.verb import KEYSTROKES, Verb, VerbKind

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from flightdeck.config.nodes import Document
    from flightdeck.store.paths import StateFolder

FENCE = "---"
README = "README.md"

# The answer to a waiting hook is one line in a pipe; what is read there stays readable.
MOST_STEER_BYTES = 8 * 1024

_NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
# Letters of some scripts, and pictures made of several, are joined by these.
_FINE = "\t\u200c\u200d"


@dataclass(frozen=True, slots=True)
class Verbs:
    """Every verb there is, by name: where its file is, and what it says or what is wrong."""

    paths: Mapping[str, Path]
    usable: Mapping[str, Verb]
    problems: Mapping[str, tuple[Problem, ...]]


def load_verbs(folder: StateFolder | None) -> Verbs:
    """Return the shipped verbs with those of `folder` laid over them, broken files included."""
    paths = {path.stem: path for path in verb_files(shipped.folder("verbs"))}
    if folder is not None:
        paths |= {path.stem: path for path in verb_files(folder.verbs)}
    usable: dict[str, Verb] = {}
    problems: dict[str, tuple[Problem, ...]] = {}
    for name in sorted(paths):
        try:
            usable[name] = read_verb(paths[name])
        except ConfigError as error:
            problems[name] = error.problems
    return Verbs({name: paths[name] for name in sorted(paths)}, usable, problems)


def verb_files(place: Path) -> list[Path]:
    """Return the files of a folder that are meant as verbs: no fragments, no README."""
    found = sorted(place.glob("*.md"))
    return [path for path in found if path.name != README and path.name[0] not in "_."]


def read_verb(path: Path) -> Verb:
    """Return the verb of a file, which is called after it.

    Raises:
        ConfigError: every problem of the file.
    """
    file = shown(path)
    return parse_verb(path.stem, decoded(path, file), file)


def parse_verb(name: str, text: str, file: str) -> Verb:
    """Return the verb `text` declares; `file` is what problems call it.

    Raises:
        ConfigError: every problem of the text, and of the name.
    """
    lines = tuple(plain(text).split("\n"))
    problems = list(_name_faults(name, file))
    end = _end_of_frontmatter(lines)
    if end is None:
        raise ConfigError([*problems, _no_frontmatter(lines, file)])
    body = _Body(file, lines, end + 1)
    problems += body.unseen()
    try:
        head = read_head(name, _frontmatter(lines, end, file))
    except ConfigError as error:
        raise ConfigError([*error.problems, *problems, *body.faults(None)]) from error
    problems += body.faults(head.kind)
    if problems:
        raise ConfigError(problems)
    return Verb(name, head.kind, head.label, body.text, head.confirm, head.common, head.requires)


@dataclass(frozen=True, slots=True)
class _Body:
    """What stands below the frontmatter; `start` is the index of its first line."""

    file: str
    lines: tuple[str, ...]
    start: int

    @property
    def text(self) -> str:
        """Return the text without the blank lines around it."""
        return "\n".join(self.lines[self.start :]).strip()

    def unseen(self) -> Iterator[Problem]:
        """Yield a problem for every character nobody can see."""
        for number, line in enumerate(self.lines[self.start :], self.start + 1):
            for column, character in enumerate(line, 1):
                if is_unseen(character) and character not in _FINE:
                    yield self._at(Span(number, column), *unseen(character))

    def faults(self, kind: VerbKind | None) -> Iterator[Problem]:
        """Yield what is wrong with the text of a verb of this kind; None: nobody knows which."""
        size = len(self.text.encode())
        if not self.text:
            told = "there is no text below the frontmatter"
            yield self._at(Span(self.start, 1, len(FENCE)), told, "write what the agent is told")
        elif kind is VerbKind.STEER and size > MOST_STEER_BYTES:
            told = f"a text of {size} bytes, a steer verb has {MOST_STEER_BYTES} at most"
            yield self._at(self._first(), told, "shorten it, or name a file the agent can read")
        elif kind is VerbKind.KEY and self.text not in KEYSTROKES:
            told = f"{quoted(self.text)} is no keystroke a verb may send"
            yield self._at(self._first(), told, choices(self.text, KEYSTROKES))

    def _first(self) -> Span:
        """Return where the text begins: its first line."""
        index = next(i for i in range(self.start, len(self.lines)) if self.lines[i].strip())
        return Span(index + 1, 1, len(self.lines[index]))

    def _at(self, span: Span, message: str, hint: str) -> Problem:
        return problem_at(self.file, self.lines, span, (message, hint))


def _frontmatter(lines: tuple[str, ...], end: int, file: str) -> Document:
    # One empty line in the place of the fence: every line keeps its number.
    front = parse_document("\n".join(("", *lines[1:end])), file)
    return replace(front, lines=lines)


def _name_faults(name: str, file: str) -> Iterator[Problem]:
    if not _NAME.fullmatch(name):
        told = f"{quoted(name)} is no name for a verb"
        yield Problem(Location(file), told, "call the file in a-z, 0-9 and '-': `my-verb.md`")


def _end_of_frontmatter(lines: tuple[str, ...]) -> int | None:
    """Return the index of the line that closes the frontmatter, None where there is none."""
    if lines[0].rstrip() != FENCE:
        return None
    return next((i for i, line in enumerate(lines[1:], 1) if line.rstrip() == FENCE), None)


def _no_frontmatter(lines: tuple[str, ...], file: str) -> Problem:
    words = ("no frontmatter", f"start the file with `{FENCE}`, `kind: …` and `{FENCE}`")
    if lines[0].rstrip() == FENCE:
        words = ("a frontmatter that never ends", f"close it with a line `{FENCE}`")
    return problem_at(file, lines, Span(1, 1, max(1, len(lines[0]))), words)
