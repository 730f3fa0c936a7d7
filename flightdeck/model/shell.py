"""Shell commands as values: what runs, with which words, fed by what, through which wrappers.

A parser makes these from a command line with everything unwrapped: one `Invocation`
for each program that would run, whether it stands in a pipe, a loop, a substitution, a
here-document given to a shell, behind `sudo` or inside `sh -c`. Rules read nothing else.

Source: risk/README.md; POSIX.1-2024, "Shell Command Language".
"""

from __future__ import annotations

import enum
from dataclasses import dataclass, field

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Word:
    """One word after quoting: what is known of it, and where it stands in the source.

    An expansion the parser cannot resolve stays in `text` as it was written (`$DIR`),
    and `literal` is then False. `glob` says an unquoted wildcard is in it, `quoted`
    that some of it was quoted.
    """

    text: str
    span: Span
    literal: bool = True
    glob: bool = False
    quoted: bool = False


@dataclass(frozen=True, slots=True)
class Redirect:
    """A redirection: `operator` (`>`, `>>`, `<`, `>|`, `&>`, `<>`, `>&`) and where to."""

    operator: str
    target: Word


class Feed(enum.Enum):
    """What stands on a command's standard input where the line itself says so."""

    NONE = "none"
    PIPE = "pipe"
    TEXT = "text"  # a here-document or here-string
    FILE = "file"


@dataclass(frozen=True, slots=True)
class Invocation:
    r"""One program that would run.

    `program` is its base name (`/bin/rm` and `\rm` are `rm`), empty where it cannot be
    known. `path` is the program word as written. `words` follow it. `wrappers` are the
    programs it was unwrapped from, outermost first (`sudo`, `xargs`, `sh`, `ssh`).
    `upstream` are the commands whose output is piped in, the nearest last; `text` is
    what a here-document or here-string feeds it. `more` says that operands are added
    that the line does not show (`xargs`, `find -exec`). `assignments` are the variables
    set for it alone.
    """

    program: str
    words: tuple[Word, ...] = ()
    span: Span = (0, 0)
    path: Word | None = None
    wrappers: tuple[str, ...] = ()
    assignments: tuple[tuple[str, Word], ...] = ()
    redirects: tuple[Redirect, ...] = ()
    feed: Feed = Feed.NONE
    upstream: tuple[Invocation, ...] = ()
    text: str = ""
    more: bool = False


@dataclass(frozen=True, slots=True)
class Script:
    """Everything a command line would run, in the order it stands.

    `opaque` says that something of it could not be read: a syntax error, too deep or
    too long, code built at run time. What could be read is there all the same.
    """

    invocations: tuple[Invocation, ...] = field(default=())
    opaque: bool = False
