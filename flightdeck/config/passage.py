"""Text written for an agent: what must not stand in it, and the token that may.

`{{flightdeck}}` becomes the whole path of the `flightdeck` command, quoted for a shell,
because an agent's own PATH need not have it. Knows no kinds of verbs.

Source: verbs/README.md, "The token".
"""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass
from typing import TYPE_CHECKING

from flightdeck import shipped
from flightdeck.config.nodes import Span, problem_at
from flightdeck.config.reader import quoted
from flightdeck.config.text import is_unseen, unseen
from flightdeck.errors import FlightdeckError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from flightdeck.errors import Problem

# A verb is one line to a waiting hook, and an agent reads it once; both stay readable.
MOST_BYTES = 8 * 1024

TOKEN = "{{flightdeck}}"  # noqa: S105 - no secret, a word in a text
_ONLY = f"the only token is `{TOKEN}`"
_TOKEN = re.compile(r"\{\{(?:([^{}]*)\}\})?")
# Letters of some scripts, and pictures made of several, are joined by these.
_FINE = "\t\u200c\u200d"


@dataclass(frozen=True, slots=True)
class Passage:
    """The lines of a file from `start`, an index, to its end."""

    file: str
    lines: tuple[str, ...]
    start: int = 0

    @property
    def text(self) -> str:
        """The text as it was written, without blanks at the ends of lines and around it."""
        return "\n".join(line.rstrip() for line in self.lines[self.start :]).strip()

    @property
    def first(self) -> Span:
        """The first line of the text; there must be one."""
        index = next(i for i in range(self.start, len(self.lines)) if self.lines[i].strip())
        return Span(index + 1, 1, len(self.lines[index]))

    def filled(self) -> str:
        """Return the text with its tokens written out.

        Raises:
            FlightdeckError: it has one, and there is no `flightdeck` command.
        """
        if TOKEN not in self.text:
            return self.text
        return self.text.replace(TOKEN, shlex.quote(str(shipped.command())))

    def unseen(self) -> Iterator[Problem]:
        """Yield a problem for every character nobody can see."""
        for number, line in self._numbered():
            for column, character in enumerate(line, 1):
                if is_unseen(character) and character not in _FINE:
                    yield self.problem(Span(number, column), *unseen(character))

    def bad_tokens(self) -> Iterator[Problem]:
        """Yield a problem for every token that cannot be written out."""
        for span, word in self._tokens():
            if word is None:
                yield self.problem(span, "a '{{' that is never closed", _ONLY)
            elif f"{{{{{word}}}}}" != TOKEN:
                yield self.problem(span, f"unknown token {quoted(word)}", _ONLY)
            elif lacking := _no_command():
                yield self.problem(span, lacking.message, lacking.hint)

    def tokens_refused(self, why: str, hint: str) -> Iterator[Problem]:
        """Yield a problem `why` for every token there is."""
        for span, _ in self._tokens():
            yield self.problem(span, why, hint)

    def problem(self, span: Span, message: str, hint: str) -> Problem:
        """Return a problem at a place of the file."""
        return problem_at(self.file, self.lines, span, (message, hint))

    def _numbered(self) -> Iterator[tuple[int, str]]:
        return enumerate(self.lines[self.start :], self.start + 1)

    def _tokens(self) -> Iterator[tuple[Span, str | None]]:
        """Yield where each token stands, and its word; None: it is not closed on its line."""
        for number, line in self._numbered():
            for found in _TOKEN.finditer(line):
                yield Span(number, found.start() + 1, len(found[0])), found[1]


def _no_command() -> FlightdeckError | None:
    try:
        shipped.command()
    except FlightdeckError as error:
        return error
    return None
