"""Verb files: frontmatter and text to a `Verb`, or every problem the file has.

A verb is one markdown file; one of the same name in the state folder wins over the shipped
one. The text of a prompt begins with its fragments. Knows what a file must say, not how or
when a verb is sent.

Source: verbs/README.md, "What a verb must state".
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from flightdeck.config.document import parse_document
from flightdeck.config.fragments import FENCE, load_fragments, needed, places_for
from flightdeck.config.frontmatter import read_head
from flightdeck.config.nodes import Span, problem_at
from flightdeck.config.passage import MOST_BYTES, Passage
from flightdeck.config.reader import choices, quoted
from flightdeck.config.text import decoded, plain, shown
from flightdeck.config.values import WORD
from flightdeck.errors import ConfigError, Location, Problem
from flightdeck.model.verb import KEYSTROKES, Verb, VerbKind

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from flightdeck.config.fragments import Fragments
    from flightdeck.config.frontmatter import Head
    from flightdeck.config.nodes import Document
    from flightdeck.store.paths import StateFolder

README = "README.md"

_NAME = re.compile(WORD)


@dataclass(frozen=True, slots=True)
class Verbs:
    """Every verb there is, by name: where its file is, and what it says or what is wrong."""

    paths: Mapping[str, Path]
    usable: Mapping[str, Verb]
    problems: Mapping[str, tuple[Problem, ...]]


def load_verbs(folder: StateFolder | None) -> Verbs:
    """Return the shipped verbs with those of `folder` laid over them, broken files included."""
    places = places_for(folder)
    paths = {path.stem: path for place in reversed(places) for path in verb_files(place)}
    fragments = load_fragments(*places)
    usable: dict[str, Verb] = {}
    problems: dict[str, tuple[Problem, ...]] = {}
    for name in sorted(paths):
        try:
            usable[name] = read_verb(paths[name], fragments)
        except ConfigError as error:
            problems[name] = error.problems
    return Verbs({name: paths[name] for name in sorted(paths)}, usable, problems)


def verb_files(place: Path) -> list[Path]:
    """Return the files of a folder that are meant as verbs: no fragments, no README."""
    found = sorted(place.glob("*.md"))
    return [path for path in found if path.name != README and path.name[0] not in "_."]


def read_verb(path: Path, fragments: Fragments) -> Verb:
    """Return the verb of a file, which is called after it.

    Raises:
        ConfigError: every problem of the file, and of the fragments its text begins with.
    """
    file = shown(path)
    return parse_verb(path.stem, decoded(path, file), file, fragments)


def parse_verb(name: str, text: str, file: str, fragments: Fragments) -> Verb:
    """Return the verb `text` declares; `file` is what problems call it.

    Raises:
        ConfigError: every problem of the text, of the name, and of the fragments it needs.
    """
    lines = tuple(plain(text).split("\n"))
    problems = list(_name_faults(name, file))
    end = _end_of_frontmatter(lines)
    if end is None:
        raise ConfigError([*problems, _no_frontmatter(lines, file)])
    passage = Passage(file, lines, end + 1)
    problems += _text_faults(passage)
    try:
        front = _frontmatter(lines, end, file)
    except ConfigError as error:
        raise ConfigError([*error.problems, *problems]) from error
    head, faults = read_head(name, front, passage.text)
    problems += faults
    if head is None:
        raise ConfigError(problems)
    problems += _kind_faults(head.kind, passage)
    sent = _sent(head, passage, fragments, problems)
    return Verb(name, head.kind, head.label, sent, head.confirm, head.common, head.requires)


def _sent(head: Head, passage: Passage, fragments: Fragments, problems: list[Problem]) -> str:
    """Return the text as it is sent: a prompt's begins with its fragments.

    Raises:
        ConfigError: with `problems`, those found before, and what the whole adds to them.
    """
    names = needed(head.common) if head.kind is VerbKind.PROMPT else ()
    before = [fragments[name] for name in names]
    problems += [problem for fragment in before for problem in fragment.problems]
    if problems:
        raise ConfigError(problems)
    rules = [fragment.text for fragment in before]
    sent = "\n\n".join((*rules, passage.filled()))
    if too_long := _too_long(head.kind, passage, rules, sent):
        raise ConfigError([too_long])
    return sent


def _text_faults(passage: Passage) -> Iterator[Problem]:
    """Yield what is wrong with the text of a verb of any kind."""
    yield from passage.unseen()
    if not passage.text:
        told = "there is no text below the frontmatter"
        at = Span(passage.start, 1, len(FENCE))
        yield passage.problem(at, told, "write what the agent is told")


def _kind_faults(kind: VerbKind, passage: Passage) -> Iterator[Problem]:
    """Yield what keeps a text from being one of a verb of this kind."""
    if kind is VerbKind.PROMPT:
        yield from passage.bad_tokens()
    elif kind is VerbKind.STEER:
        hint = "prompts have tokens, the message of a denial has none: write it out"
        yield from passage.tokens_refused("a token in a steer verb", hint)
    elif passage.text and passage.text not in KEYSTROKES:
        told = f"{quoted(passage.text)} is no keystroke a verb may send"
        yield passage.problem(passage.first, told, choices(passage.text, KEYSTROKES))


def _too_long(kind: VerbKind, passage: Passage, before: Sequence[str], sent: str) -> Problem | None:
    size = len(sent.encode())
    if size <= MOST_BYTES:
        return None
    theirs = len("".join(f"{text}\n\n" for text in before).encode())
    part = f", {theirs} of them its fragments'" if before else ""
    told = f"a text of {size} bytes{part}, a {kind.value} verb has {MOST_BYTES} at most"
    return passage.problem(passage.first, told, "shorten it, or name a file the agent can read")


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
