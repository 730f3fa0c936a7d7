"""What is known while one command line is read: its variables, functions, files, finds.

One `Line` a call of `parse`; nested scripts (`sh -c`, here-documents) share it, as they
share what they may cost.

All but `Line` are values, made and never changed; they are not frozen because they are made
by the hundred within a millisecond, and a frozen one takes three times as long to make.

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
MOST_TEXT = 12_288  # characters read, nested scripts included
MOST_INPUT = 131_072  # characters looked at where here-documents are, whose text is not read
MOST_EFFORT = 1000  # commands, redirections, and parts of words that need more than a look
MOST_WORDS = 1500  # of one command
MOST_DEPTH = 24  # syntax within syntax
MOST_NESTED = 8  # scripts within scripts, calls within calls
MOST_UPSTREAM = 32  # commands kept as the upstream of one


@dataclass(slots=True)
class Source:
    """A text being read: where it stands in the command, or which span speaks for it."""

    text: str
    base: int = 0
    stands_for: Span | None = None
    heredocs: dict[int, Heredoc] = field(default_factory=dict)

    def span(self, start: int, end: int) -> Span:
        """Return where `start` to `end` of this text is in the whole command."""
        return self.stands_for or (self.base + start, self.base + end)

    def without_heredocs(self, start: int, end: int) -> str:
        """Return the text from `start` to `end` with blanks for here-documents."""
        text = self.text[start:end]
        for heredoc in self.heredocs.values():
            at, length = max(heredoc.start - start, 0), len(heredoc.text)
            text = text[:at] + " " * len(text[at : at + length]) + text[at + length :]
        return text


@dataclass(frozen=True, slots=True)
class Stdin:
    """What stands on standard input; `text` is None where it is not known."""

    feed: Feed = Feed.NONE
    upstream: tuple[Invocation, ...] = ()
    text: str | None = None


NOTHING = Stdin()


@dataclass(slots=True)
class Context:
    """What a part of a script inherits from around it.

    `redirects`, `own` (an input redirected to it) and `extra` (words the grammar put
    behind a redirection) are for its last command only.
    """

    stdin: Stdin = NOTHING
    own: Stdin | None = None
    redirects: tuple[Redirect, ...] = ()
    extra: tuple[Word, ...] = ()
    wrappers: tuple[str, ...] = ()
    more: bool = False

    def inner(self) -> Context:
        """Return the context of a part that is not the last command."""
        if not (self.own or self.redirects or self.extra):
            return self
        return Context(self.stdin, None, (), (), self.wrappers, self.more)

    def fed(self, stdin: Stdin) -> Context:
        """Return the same context with another standard input."""
        return Context(stdin, self.own, self.redirects, self.extra, self.wrappers, self.more)


@dataclass(slots=True)
class Command:
    """A command before it is unwrapped."""

    words: tuple[Word, ...]
    span: Span
    stdin: Stdin = NOTHING
    redirects: tuple[Redirect, ...] = ()
    assignments: tuple[tuple[str, Word], ...] = ()
    wrappers: tuple[str, ...] = ()
    sources: tuple[Invocation, ...] = ()
    more: bool = False

    def behind(self, name: str, words: tuple[Word, ...]) -> Command:
        """Return the command that `words` are once the wrapper `name` is taken off."""
        return Command(
            words,
            self.span,
            self.stdin,
            self.redirects,
            self.assignments,
            (*self.wrappers, name),
            self.sources,
            self.more,
        )


@dataclass(slots=True)
class Value:
    """What a variable holds: its words, None where they are not known, and their sources."""

    texts: tuple[str, ...] | None
    sources: tuple[Invocation, ...] = ()


# Variables every shell sets itself, so that `$SHELL -c …` is a shell.
_GIVEN = {"IFS": Value((" ",)), "SHELL": Value(("/bin/sh",)), "BASH": Value(("/bin/bash",))}


@dataclass(slots=True)
class Line:
    """The state of one call of `parse`; `parameters` begin with `$0`."""

    programs: Programs
    variables: dict[str, Value] = field(default_factory=lambda: dict(_GIVEN))
    parameters: tuple[str, ...] | None = None
    functions: dict[str, tuple[Source, Node]] = field(default_factory=dict)
    aliases: dict[str, Word] = field(default_factory=dict)
    files: dict[str, str] = field(default_factory=dict)
    active: list[str] = field(default_factory=list)
    found: list[Invocation] = field(default_factory=list)
    used: list[Invocation] = field(default_factory=list)
    folder: str = ""
    bomb: Span | None = None
    opaque: bool = False
    text_left: int = MOST_TEXT
    effort_left: int = MOST_EFFORT
    version: int = 0
    depth: int = 0
    nested: int = 0

    def spend(self, effort: int = 1) -> bool:
        """Use up some of the effort; say whether there was any left."""
        self.effort_left -= effort
        self.opaque |= self.effort_left < 0
        return self.effort_left >= 0

    def set(self, name: str, value: Value) -> None:
        """Set a variable; what was known of statements before is out of date if it changed."""
        if self.variables.get(name) != value:
            self.variables[name] = value
            self.version += 1

    def write(self, name: str, text: str | None) -> None:
        """Remember what a file holds from here on, None if that is not known."""
        name = name.removeprefix("./")
        if self.files.get(name) != text:
            self.version += 1
            if text is None:
                del self.files[name]
            else:
                self.files[name] = text[:MOST_TEXT]

    def file(self, name: str) -> str | None:
        """Return what the line itself wrote to a file, None if it did not."""
        return self.files.get(name.removeprefix("./"))


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
