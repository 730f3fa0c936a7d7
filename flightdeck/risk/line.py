"""What is known while one command line is read: its variables, functions, files, finds.

One `Line` a call of `parse`; nested scripts (`sh -c`, here-documents) share it, as they
share what they may cost.

Source: risk/README.md; bash(1), "Expansion".
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from flightdeck.model.shell import Feed, Invocation, Redirect, Span, Word

if TYPE_CHECKING:
    from flightdeck.model.shell import Programs
    from flightdeck.risk.mask import Heredoc
    from flightdeck.risk.tree import Node

# Bounds of one call of `parse`. The tests hold the worst inputs against them.
MOST_TEXT = 16_384  # characters read, nested scripts included
MOST_COMMANDS = 800  # commands looked at
MOST_DEPTH = 24  # syntax within syntax
MOST_NESTED = 8  # scripts within scripts, calls within calls
MOST_UPSTREAM = 32  # commands kept as the upstream of one


@dataclass(frozen=True, slots=True)
class Source:
    """A text being read: where it stands in the command, or which span speaks for it."""

    text: str
    base: int = 0
    stands_for: Span | None = None
    heredocs: dict[int, Heredoc] = field(default_factory=dict)

    def span(self, start: int, end: int) -> Span:
        """Return where `start` to `end` of this text is in the whole command."""
        return self.stands_for or (self.base + start, self.base + end)


@dataclass(frozen=True, slots=True)
class Stdin:
    """What stands on standard input; `text` is None where it is not known."""

    feed: Feed = Feed.NONE
    upstream: tuple[Invocation, ...] = ()
    text: str | None = None


@dataclass(frozen=True, slots=True)
class Context:
    """What a part of a script inherits from around it.

    `redirects`, `own` (an input redirected to it) and `extra` (words the grammar put
    behind a redirection) are for its last command only.
    """

    stdin: Stdin = Stdin()
    own: Stdin | None = None
    redirects: tuple[Redirect, ...] = ()
    extra: tuple[Word, ...] = ()
    wrappers: tuple[str, ...] = ()

    def inner(self, stdin: Stdin | None = None) -> Context:
        """Return the context of a part that is not the last command."""
        if stdin is None and not (self.own or self.redirects or self.extra):
            return self
        return Context(stdin=stdin or self.stdin, wrappers=self.wrappers)


@dataclass(frozen=True, slots=True)
class Command:
    """A command before it is unwrapped."""

    words: tuple[Word, ...]
    span: Span
    stdin: Stdin = Stdin()
    redirects: tuple[Redirect, ...] = ()
    assignments: tuple[tuple[str, Word], ...] = ()
    wrappers: tuple[str, ...] = ()
    sources: tuple[Invocation, ...] = ()
    more: bool = False

    def behind(self, name: str, words: tuple[Word, ...]) -> Command:
        """Return the command that `words` are once the wrapper `name` is taken off."""
        return replace(self, words=words, wrappers=(*self.wrappers, name))


@dataclass(frozen=True, slots=True)
class Value:
    """What a variable holds: its words, None where they are not known, and their sources."""

    texts: tuple[str, ...] | None
    sources: tuple[Invocation, ...] = ()


@dataclass(slots=True)
class Line:
    """The state of one call of `parse`."""

    programs: Programs
    variables: dict[str, Value] = field(default_factory=lambda: {"IFS": Value((" ",))})
    parameters: tuple[str, ...] | None = None
    functions: dict[str, tuple[Source, Node]] = field(default_factory=dict)
    aliases: dict[str, Word] = field(default_factory=dict)
    files: dict[str, str] = field(default_factory=dict)
    active: list[str] = field(default_factory=list)
    found: list[Invocation] = field(default_factory=list)
    used: list[Invocation] = field(default_factory=list)
    bomb: Span | None = None
    opaque: bool = False
    text_left: int = MOST_TEXT
    commands_left: int = MOST_COMMANDS
    depth: int = 0
    nested: int = 0


def flat(found: list[Invocation] | tuple[Invocation, ...]) -> tuple[Invocation, ...]:
    """Return commands as they are kept inside others: without what fed them in turn.

    All of a pipe are listed anyway; kept whole, a long one would grow without bound.
    """
    if not found:
        return ()
    return tuple(
        replace(i, upstream=(), sources=()) if i.upstream or i.sources else i
        for i in found[-MOST_UPSTREAM:]
    )
