"""Redirections: where output goes, and what comes in.

Source: bash(1), "REDIRECTION".
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from flightdeck.model.shell import Feed, Redirect, Word
from flightdeck.risk.line import Context, Stdin, flat

if TYPE_CHECKING:
    from collections.abc import Iterable

    from flightdeck.model.shell import Invocation
    from flightdeck.risk.line import Source
    from flightdeck.risk.script import Scripts
    from flightdeck.risk.tree import Node
    from flightdeck.risk.words import Words

_SIMPLE = re.compile(r"(\d*)(&>>|>>|>\||&>|>&|>|<)[ \t]*([\w@%+=:,./~-]+)")
_ARROWS = ("<", ">")


class Redirects:
    """Reads the redirections of one source."""

    def __init__(self, source: Source, scripts: Scripts, words: Words) -> None:
        self._source = source
        self._scripts = scripts
        self._words = words

    def all(self, nodes: Iterable[Node], context: Context) -> Context:
        """Return `context` with several redirections more."""
        for node in nodes:
            context = self.add(node, context)
        return context

    def add(self, node: Node, context: Context) -> Context:
        """Return `context` with one redirection more, and the words that stood behind it."""
        if not self._scripts.line.spend():
            return context
        if found := _SIMPLE.fullmatch(self._source.text, node.start_byte, node.end_byte):
            span = self._source.span(*found.span(3))
            return self._added(context, found[1], found[2], Word(found[3], span), ())
        descriptor, operator = self._operator(node)
        if operator in ("<<", "<<-"):
            return self._heredoc(node, context)
        mark = len(self._scripts.line.found)
        words = self._targets(node)
        if not words:
            return context
        upstream = flat(self._scripts.line.found[mark:])
        context = self._added(context, descriptor, operator, words[0], upstream)
        return replace(context, extra=(*context.extra, *words[1:])) if words[1:] else context

    def _added(
        self,
        context: Context,
        descriptor: str,
        operator: str,
        target: Word,
        upstream: tuple[Invocation, ...],
    ) -> Context:
        if operator == "<<<":
            return replace(context, own=Stdin(Feed.TEXT, upstream, f"{target.text}\n"))
        own = context.own
        if operator in ("<", "<>") and descriptor in ("", "0"):
            own = self._input(target, upstream)
        return Context(
            context.stdin,
            own,
            (*context.redirects, Redirect(operator, target)),
            context.extra,
            context.wrappers,
            context.more,
        )

    def _targets(self, node: Node) -> list[Word]:
        """Read the target, and the words of the command that the grammar put behind it.

        It takes the `0` of `0>&1` for one of them.
        """
        nodes = [c for c in node.named_children if c.type not in ("file_descriptor", "ERROR")]
        text = self._source.text
        return [
            word
            for at, node in enumerate(nodes)
            if not (
                at and node.type == "number" and text[node.end_byte : node.end_byte + 1] in _ARROWS
            )
            for word in self._words.read(node)
        ]

    def _operator(self, node: Node) -> tuple[str, str]:
        """Return the file descriptor before a redirection and its operator, from the source."""
        descriptor = ""
        for child in node.children:
            text = self._source.text[child.start_byte : child.end_byte]
            if child.type == "file_descriptor":
                descriptor = text
            elif not child.is_named:
                around = self._source.text[child.start_byte : child.start_byte + 3]
                painted = next((s for s in ("<<<", "<<-", "<<", "<>") if around.startswith(s)), "")
                return descriptor, painted or text.strip()
        return descriptor, ""

    def _input(self, target: Word, upstream: tuple[Invocation, ...]) -> Stdin:
        """Return what a file gives that is read; `<(…)` is a pipe with another face."""
        text = self._scripts.line.file(target.text)
        if target.text.startswith("<("):
            return Stdin(Feed.PIPE, upstream, text)
        return Stdin(Feed.FILE, text=text)

    def _heredoc(self, node: Node, context: Context) -> Context:
        operator = next((c for c in node.children if not c.is_named), node)
        heredoc = self._source.heredocs.get(operator.start_byte)
        extra = self._targets(node)[1:]
        context = replace(context, extra=(*context.extra, *extra))
        if heredoc is None:
            return context
        inner = Context(context.stdin, wrappers=context.wrappers)
        mark = len(self._scripts.line.found)
        word = self._scripts.expand(heredoc, self._source, inner)
        upstream = flat(self._scripts.line.found[mark:])
        return replace(context, own=Stdin(Feed.TEXT, upstream, word.text))
