"""A command line becomes a `Script`: every program it would run, whatever it stands in.

The syntax tree is walked as bash would run it, each branch taken once: variables,
functions, aliases and files the line itself sets are known further on, and what `echo`,
`printf` or a here-document writes is known to the shell it is piped into. Nothing is
ever run. How a tree is walked is in `walk`, what a wrapper runs in `unwrap`.

Bounded whatever comes in (`line`): text, commands, depth. Past a bound the script is
opaque and holds what was read before it.

Source: bash(1); POSIX.1-2024, "Shell Command Language"; risk/README.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from flightdeck.model.shell import Script, Span, Word
from flightdeck.risk import line as state
from flightdeck.risk.calm import calm
from flightdeck.risk.line import Context, Line, Source
from flightdeck.risk.mask import mask, paint_quotes
from flightdeck.risk.tree import parse as parse_tree
from flightdeck.risk.unwrap import Unwrapper
from flightdeck.risk.walk import Walk

if TYPE_CHECKING:
    from flightdeck.model.shell import Programs
    from flightdeck.risk.line import Command
    from flightdeck.risk.mask import Heredoc
    from flightdeck.risk.tree import Node


_SCRIPT = 4  # the effort of a script of its own, measured in commands


def parse(command: str, programs: Programs) -> Script:
    """Return what `command` would run; never raises, whatever the text."""
    line = Line(programs)
    Scripts(line).run_text(command, Context())
    return Script(tuple(line.found), opaque=line.opaque, bomb=line.bomb)


class Scripts:
    """Reads texts as scripts on one `Line`; the walk calls it back for nested ones."""

    def __init__(self, line: Line) -> None:
        self.line = line
        self.unwrapper = Unwrapper(line, self)

    def run_text(self, text: str, context: Context, span: Span | None = None) -> str | None:
        """Walk `text` as a script; return what it writes, None if unknown.

        `span` speaks for all of it where it is not the command itself.
        """
        if not self._enter(text):
            return None
        text = self._charged(text)
        source, root = self._read(text, text, 0, span)
        written = Walk(source, self).visit(root, context)
        self.line.nested -= 1
        return written

    def call(self, name: str, command: Command) -> str | None:
        """Walk the body of a function of the line with the parameters it is given."""
        if not self._enter(""):
            return None
        line = self.line
        source, body = line.functions[name]
        outer, line.parameters = line.parameters, tuple(w.text for w in command.words)
        line.active.append(name)
        line.version += 1
        context = Context(command.stdin, None, command.redirects, (), command.wrappers)
        written = Walk(source, self).visit(body, context)
        line.active.pop()
        line.parameters = outer
        line.nested -= 1
        return written

    def expand(self, heredoc: Heredoc, source: Source, context: Context) -> Word:
        """Return the text of an unquoted here-document; its substitutions are walked."""
        start, end = heredoc.start, heredoc.start + len(heredoc.text)
        whole = Word(heredoc.text, source.span(start, end))
        if heredoc.quoted or not any(c in heredoc.text for c in "$`\\"):
            return whole
        if not self._enter(heredoc.text):
            return whole
        text = f'"{self._charged(heredoc.text)}"'
        exact = source.text.startswith(heredoc.text, start) and source.stands_for is None
        place = (source.base + start - 1, None) if exact else (0, whole.span)
        inner, root = self._read(text, paint_quotes(text), *place)
        string = _first(root, "string")
        word = Walk(inner, self).text(string, context) if string else whole
        self.line.nested -= 1
        return word

    def _enter(self, text: str) -> bool:
        """Go one script deeper where the bounds allow it."""
        line = self.line
        spent = text and (line.text_left <= 0 or not line.spend(_SCRIPT))
        if spent or line.nested >= state.MOST_NESTED:
            line.opaque = True
            return False
        line.nested += 1
        return True

    def _charged(self, text: str) -> str:
        """Return what of `text` is looked at: here-documents are not read, and cost little."""
        most = state.MOST_INPUT if "<<" in text else self.line.text_left
        self.line.opaque |= len(text) > most
        return text[:most]

    def _read(self, text: str, painted: str, base: int, span: Span | None) -> tuple[Source, Node]:
        """Return the tree of as much of a text as may still be read."""
        line, masked = self.line, mask(painted)
        lifted = sum(len(heredoc.text) for heredoc in masked.heredocs.values())
        read = calm(masked.text[: line.text_left + lifted])
        line.text_left -= max(len(read) - lifted, 0)
        root, whole = parse_tree(read.encode("ascii"))
        line.opaque |= not whole or root.has_error or len(read) < len(text)
        return Source(text, base, span, masked.heredocs), root


def _first(root: Node, kind: str) -> Node | None:
    """Return the first node of a kind, going down by first children."""
    node: Node | None = root
    while node is not None and node.type != kind:
        node = node.named_children[0] if node.named_child_count else None
    return node
