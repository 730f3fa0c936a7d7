"""Shell commands as values: what runs, with which words, fed by what, through which wrappers.

A parser makes these from a command line with everything unwrapped: one `Invocation`
for each program that would run, whether it stands in a pipe, a loop, a substitution, a
here-document given to a shell, behind `sudo` or inside `sh -c`. Rules read nothing else.

Source: risk/README.md; POSIX.1-2024, "Shell Command Language".
"""

from __future__ import annotations

import enum
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

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

    `program` is its base name (`/bin/rm` and `\rm` are `rm`), empty where it cannot be known.
    `path` is the program word after quoting; it is None where only redirections stand: `>
    file`, whose `program` is `:`, or those of a whole loop, whose `program` is empty. `[`, `[[`
    and `((` are programs too. `words` follow it. `wrappers` are the programs it was unwrapped
    from, outermost first (`sudo`, `xargs`, `sh`, `ssh`). `upstream` are the commands whose
    output is piped in, the nearest last; `text` is what is known of that input: a
    here-document, a here-string, what `echo` or `printf` write. `sources` are the commands
    whose output its own words are made of (`kill $(pgrep x)`, `sh <(curl x)`), also by way of a
    variable. `more` says that operands are added that the line does not show (`xargs`, `find
    -exec`). `assignments` are the variables set for it alone. `folder` is where the line itself
    went before (`cd`), seen from where it began; empty where it went nowhere.
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
    sources: tuple[Invocation, ...] = ()
    folder: str = ""


@dataclass(frozen=True, slots=True)
class Script:
    """Everything a command line would run, in the order it stands.

    `opaque` says that something of it could not be read: a syntax error, too deep or
    too long, code built at run time. What could be read is there all the same. `bomb`
    is where a function is that starts itself twice over in a pipe, None without one.
    """

    invocations: tuple[Invocation, ...] = field(default=())
    opaque: bool = False
    bomb: Span | None = None


class Rest(enum.Enum):
    """What the words after a wrapper's own options and operands are."""

    NONE = "none"  # its own: only `code` and `embeds` run something
    ARGV = "argv"  # a program and its words
    STRING = "string"  # joined by blanks, then read by a shell


@dataclass(frozen=True, slots=True)
class Code:
    """Where a wrapper's words hold shell code.

    `where` is the option whose value it is (`-c`, `--checkpoint-action`), `1` for the
    first operand, `*` for every operand. `after` is a regular expression the value must
    start with (`re.match`); the code is what follows it. Empty takes the whole value.
    """

    where: str
    after: str = ""


@dataclass(frozen=True, slots=True)
class Wrapper:
    """How the words of one program are read up to the command that is in them.

    It applies where the operands begin with `verb` (`docker exec`). `values` are its
    options that take the next word as their value; an attached value (`-n5`,
    `--user=x`) and a cluster (`-xu bob`) need no word of their own here. `operands` is
    how many operands stand before the command (`timeout 5`, `ssh HOST`). `assigns`:
    `NAME=value` words come before it (`env`). `rest` says how the command is written.
    `inert` are options with which nothing is run (`command -v`). `embeds` are words
    that begin a command which ends at `;` or `+` (`find -exec`). `drops` are words the
    wrapper takes out of the command (`:::`). `more`: it adds operands that the line does
    not show. `stays`: the wrapper is an invocation of its own beside what it runs.
    """

    verb: tuple[str, ...] = ()
    values: frozenset[str] = frozenset()
    operands: int = 0
    assigns: bool = False
    rest: Rest = Rest.NONE
    code: tuple[Code, ...] = ()
    inert: frozenset[str] = frozenset()
    embeds: frozenset[str] = frozenset()
    drops: frozenset[str] = frozenset()
    more: bool = False
    stays: bool = False


@dataclass(frozen=True, slots=True)
class Programs:
    """What a parser must know of programs to see what a line runs; names are base names.

    `wrappers`: by name, the first whose verb fits applies. `shells` read a script from
    `-c`, from a file operand, else from their input. `interpreters` read another
    language, by name with the options whose value is code (`python3`: `-c`); a version
    at the end of a name is passed over (`python3.12`). `dashed` are programs whose
    subcommands also stand as programs of their own (`git`: `git-clean`).
    """

    wrappers: Mapping[str, tuple[Wrapper, ...]] = field(default_factory=dict)
    shells: frozenset[str] = frozenset()
    interpreters: Mapping[str, frozenset[str]] = field(default_factory=dict)
    dashed: frozenset[str] = frozenset()
