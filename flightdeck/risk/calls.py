"""One program about to run, as rules ask about it: each answer worked out once, when asked.

Source: risk/README.md, "A rule".
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from flightdeck.risk.globs import LONGEST
from flightdeck.risk.options import Given, told_apart
from flightdeck.risk.phrases import plain

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from flightdeck.model.risk import Reading
    from flightdeck.model.shell import Invocation, Redirect, Span
    from flightdeck.risk.places import Places

_WRITING = frozenset({">", ">>", ">|", "&>", "&>>", "<>", ">&"})
EMPTYING = frozenset({">", ">|", "&>", ">&"})
_READING = frozenset({"<", "<>"})
# Writing to these changes no file.
_NO_FILE = frozenset({"/dev/null", "/dev/stdout", "/dev/stderr", "/dev/tty"})
# More commands than these feeding one another are not looked through.
_MOST_SOURCES = 50


@dataclass(frozen=True, slots=True)
class Scene:
    """What all programs of a line have in common: the table's readings, and where they run.

    `fed` keeps, by rule and command, whether a command is one the rule wants output of: in
    a long pipe, all that follow ask for the same.
    """

    readings: Mapping[str, Reading]
    places: Places
    cwd: str
    fed: dict[tuple[str, int], bool] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Together:
    """Many operands at once, to see quickly what none of them can be.

    `texts` are in small letters, `lines` are all of them, and `paths` those that may be
    of some class, one a line; `whole` says that no line break is in one of them. `globs`
    and `variables` say that there is a word with a wildcard, or not known before it runs.
    """

    texts: frozenset[str]
    lines: str
    paths: str
    whole: bool
    globs: bool
    variables: bool


class Has:
    """What a program may have about it, as bits."""

    WRAPPERS = 1
    ASSIGNMENTS = 2
    REDIRECTS = 4
    SOURCES = 8
    OPTIONS = 16
    OPERANDS = 32


class Call:
    """A view of an `Invocation`; `program` is its name in the table."""

    __slots__ = (
        "_code",
        "_given",
        "_has",
        "_hits",
        "_together",
        "invocation",
        "program",
        "scene",
        "skip",
    )

    def __init__(self, invocation: Invocation, program: str, scene: Scene) -> None:
        self.invocation = invocation
        self.program = program
        self.scene = scene
        self._hits: dict[str, tuple[str, ...]] = {}
        self._together: Together | None = None
        self._has = -1
        self.skip = 0  # operands of the command a rule asks for: what it asks of is behind them
        self._given: Given | None = None
        self._code: str | None = None

    @property
    def head(self) -> Span:
        """Where the program's own word stands."""
        path = self.invocation.path
        return path.span if path else self.invocation.span

    @property
    def given(self) -> Given:
        """Its options and operands."""
        if self._given is None:
            self._given = told_apart(self.program, self.invocation.words, self.scene.readings)
        return self._given

    @property
    def code(self) -> str:
        """The code and text it is given, as phrases are looked for in it."""
        if self._code is None:
            self._code = plain("\n".join(self._texts()))
        return self._code

    def hits(self, text: str) -> tuple[str, ...]:
        """Return the paths a text may mean that are of some class."""
        found = self._hits.get(text)
        if found is None:
            places, folder = self.scene.places, self.invocation.folder
            found = places.hits(text, self.scene.cwd)
            if folder:  # `cd` may have failed, so both are meant
                found += places.hits(_from(folder, text), self.scene.cwd)
            self._hits[text] = found
        return found

    def is_of(self, classes: tuple[str, ...], text: str) -> bool:
        """Return whether a text may be a path of one of some classes."""
        hits = self.hits(text)
        return bool(hits) and self.scene.places.perhaps(classes, hits)

    @property
    def has(self) -> int:
        """What it has, of `Has`."""
        if self._has < 0:
            told, given = self.invocation, self.given
            self._has = (
                (Has.WRAPPERS if told.wrappers else 0)
                | (Has.ASSIGNMENTS if told.assignments else 0)
                | (Has.REDIRECTS if told.redirects else 0)
                | (Has.SOURCES if told.upstream or told.sources else 0)
                | (Has.OPTIONS if given.options else 0)
                | (Has.OPERANDS if given.operands or told.more else 0)
            )
        return self._has

    @property
    def together(self) -> Together:
        """All its operands at once."""
        if self._together is None:
            words = self.given.operands
            texts = [word.text for word in words]
            hits = [hit for text in texts for hit in self.hits(text)]
            self._together = Together(
                frozenset(map(str.lower, texts)),
                "\n".join(texts),
                "\n".join(dict.fromkeys(hits)),
                whole=not any("\n" in text or len(text) > LONGEST for text in (*texts, *hits)),
                globs=any(word.glob for word in words),
                variables=not all(word.literal for word in words),
            )
        return self._together

    def may_be_among(self, classes: tuple[str, ...]) -> bool:
        """Return whether an operand may be a path of one of some classes."""
        paths = self.together.paths
        return bool(paths) and self.scene.places.among(classes, paths)

    def writes(self) -> list[Redirect]:
        """Return the redirections to files."""
        return [r for r in self.invocation.redirects if _changes_a_file(r)]

    def reads(self) -> list[Redirect]:
        """Return the redirections from files."""
        return [r for r in self.invocation.redirects if r.operator in _READING]

    def _texts(self) -> Iterator[str]:
        yield self.invocation.text
        code = self.given.reading.code
        if not code:
            yield from (word.text for word in self.invocation.words)
            return
        for option in self.given.options:
            if option.name in code and option.text:
                yield option.text
        if "*" in code:
            yield from (word.text for word in self.given.operands)


def _from(folder: str, text: str) -> str:
    """Return a path as it is meant from a folder, the path itself where it begins anew."""
    return text if text[:1] in ("/", "~", "$") else f"{folder}/{text}"


def feeding(invocation: Invocation) -> Iterator[Invocation]:
    """Yield the commands whose output reaches this one, by a pipe or in its words."""
    waiting = [*reversed(invocation.sources), *reversed(invocation.upstream)]
    seen: set[int] = set()
    while waiting and len(seen) < _MOST_SOURCES:
        one = waiting.pop()
        if id(one) not in seen:
            seen.add(id(one))
            yield one
            waiting.extend((*one.sources, *one.upstream))


def _changes_a_file(redirect: Redirect) -> bool:
    if redirect.operator not in _WRITING:
        return False
    target = redirect.target.text
    if redirect.operator == ">&" and (target.isdigit() or target.removesuffix("-").isdigit()):
        return False
    return target not in _NO_FILE and target != "-" and not target.startswith("/dev/fd/")
