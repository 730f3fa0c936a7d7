"""A command whose words are read goes on to be unwrapped, its redirections with it.

Source: bash(1), "SIMPLE COMMAND EXPANSION", "REDIRECTION".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from flightdeck.model.shell import Feed, Invocation, Redirect, Span, Word
from flightdeck.risk.line import Command, Context, flat

if TYPE_CHECKING:
    from flightdeck.risk.script import Scripts

_OUTPUT = frozenset({">", ">|", "&>", ">>", "&>>"})
_AFRESH = frozenset({">", ">|", "&>"})


def writes_file(redirects: tuple[Redirect, ...]) -> bool:
    """Say whether output goes to a file and not on to who reads it."""
    return any(r.operator in _OUTPUT for r in redirects)


def _matters(redirect: Redirect) -> bool:
    """Say whether a redirection alone does anything: it opens a file that is one."""
    return redirect.target.text != "/dev/null" and not redirect.target.text.isdigit()


class Finish:
    """The end of the way of every command of one line."""

    def __init__(self, scripts: Scripts) -> None:
        self._scripts = scripts

    def command(
        self,
        span: Span,
        context: Context,
        words: tuple[Word, ...],
        sources: list[Invocation],
        assignments: tuple[tuple[str, Word], ...] = (),
    ) -> str | None:
        """Hand a command on; return what it writes to its output, None if unknown."""
        if not words and not context.extra:
            return self.bare(span, context)
        written = self._scripts.unwrapper.run(
            Command(
                words + context.extra if context.extra else words,
                span,
                context.own or context.stdin,
                context.redirects,
                assignments,
                context.wrappers,
                flat(sources),
                context.more,
            )
        )
        if not context.redirects:
            return written
        self.remember(context, written)
        return "" if writes_file(context.redirects) else written

    def bare(
        self,
        span: Span,
        context: Context,
        upstream: tuple[Invocation, ...] = (),
        assignments: tuple[tuple[str, Word], ...] = (),
    ) -> str | None:
        """Keep redirections that stand alone, or belong to a whole loop.

        `> f` alone does what `: > f` does, and is told as that.
        """
        opens = any(map(_matters, context.redirects))
        if opens or assignments:
            self._scripts.line.found.append(
                Invocation(
                    ":" if opens and not upstream else "",
                    span=span,
                    assignments=assignments,
                    folder=self._scripts.line.folder,
                    redirects=context.redirects,
                    wrappers=context.wrappers,
                    feed=Feed.PIPE if upstream else Feed.NONE,
                    upstream=upstream,
                )
            )
        return ""

    def remember(self, context: Context, written: str | None) -> None:
        """Remember what a file of the line holds: it may be run further on."""
        line = self._scripts.line
        for redirect in context.redirects:
            name = redirect.target.text
            if redirect.target.literal and redirect.operator in _AFRESH:
                line.write(name, written)
            elif redirect.target.literal and redirect.operator == ">>" and written:
                # What was in it before may not be known; what is added is.
                line.write(name, (line.file(name) or "") + written)
