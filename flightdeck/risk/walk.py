"""The walk over one syntax tree: lists, pipes, loops, functions, commands, in their order.

It knows the grammar's node names and what a shell does with each; words are read by
`words`, redirections by `redirects`, and a finished command goes to `unwrap`.

Source: tree-sitter-bash 0.25, its node types; bash(1), "SHELL GRAMMAR".
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from flightdeck.model.shell import Feed, Invocation, Span, Word
from flightdeck.risk import line as state
from flightdeck.risk import nodes, quoting
from flightdeck.risk.assignments import Assignments
from flightdeck.risk.finish import Finish, writes_file
from flightdeck.risk.line import MOST_UPSTREAM, Context, Stdin, Value, flat
from flightdeck.risk.nodes import names_program, parts, reads_output, summed, ticks
from flightdeck.risk.redirects import Redirects
from flightdeck.risk.words import Words

if TYPE_CHECKING:
    from collections.abc import Callable

    from flightdeck.risk.line import Source
    from flightdeck.risk.script import Scripts
    from flightdeck.risk.tree import Node

_WRITES = frozenset({"program", "compound_statement", "subshell", "list", "do_group"})
_REDIRECTS = frozenset({"file_redirect", "herestring_redirect", "heredoc_redirect"})
_LEAVES = frozenset({"word", "number", "raw_string", "variable_name", "ansi_c_string"})
_BLOCKS = ("if", "while", "case", "c_style_for", "compound")
_STATEMENTS = frozenset({"command", "redirected_statement", "pipeline", "list", "command_name"})
_OPERATORS = frozenset({";", "&&", "||", "|", "&"})
_BACKGROUND = re.compile(r"(?<![&>|])[&|](?![&>|])")
_ESCAPED_TICK = re.compile(r"\\([`$\\])")
_ROUNDS = 4  # how many values of a loop are tried where its variable names the program


class Walk:
    """Walks the tree of one source."""

    def __init__(self, source: Source, scripts: Scripts) -> None:
        self._source = source
        self._scripts = scripts
        self._line = scripts.line
        self._context = Context()
        self._words = Words(source, scripts.line, self._substitution)
        self._redirects = Redirects(source, scripts, self._words)
        self._finish = Finish(scripts)
        self._assignments = Assignments(source, scripts, self._words)
        self._handlers: dict[str, Callable[[Node, Context], str | None]] = {
            "command": self._command,
            "pipeline": self._pipeline,
            "redirected_statement": self._redirected,
            **{f"{block}_statement": self._compound for block in _BLOCKS},
            "subshell": self._compound,
            "for_statement": self._loop,
            "function_definition": self._function,
            "variable_assignment": self._assigned,
            "variable_assignments": self._assigned,
            "declaration_command": self._declaration,
            "unset_command": self._declaration,
            "test_command": self._test,
            "command_substitution": self._substitution,
            "process_substitution": self._substitution,
            "file_redirect": self._read_in,
            "comment": lambda _node, _context: "",
            "ERROR": self._error,
        }

    def visit(self, node: Node, context: Context) -> str | None:
        """Walk one node; return what it writes to its output, None if unknown."""
        line = self._line
        if line.depth >= state.MOST_DEPTH or line.effort_left <= 0:
            line.opaque = True
            return None
        outer, self._context = self._context, context
        line.depth += 1
        written = self._handlers.get(node.type, self._group)(node, context)
        line.depth -= 1
        self._context = outer
        return written

    def text(self, node: Node, context: Context) -> Word:
        """Return the one word a node is, walking what is substituted in it."""
        self._context = context
        return self._words.joined(node)

    def _span(self, node: Node) -> Span:
        return self._source.span(node.start_byte, node.end_byte)

    def _raw(self, node: Node) -> str:
        return self._source.text[node.start_byte : node.end_byte]

    def _group(self, node: Node, context: Context) -> str | None:
        """Walk every part in turn; the last one takes the redirections of the whole.

        A statement that stands there twice, word for word, is walked once, unless
        something the line knows changed in between.
        """
        children = [c for c in parts(node) if c.type not in _LEAVES]
        clean, line, last = context.inner(), self._line, len(children) - 1
        known: dict[str, str | None] = {}
        version = line.version
        written: list[str | None] = []
        for at, child in enumerate(children):
            raw = self._raw(child)
            if line.version != version:
                known, version = {}, line.version
            if raw not in known or line.active or (at == last and clean is not context):
                known[raw] = self.visit(child, context if at == last else clean)
            written.append(known[raw])
        return summed(written) if node.type in _WRITES else None

    def _substitution(self, node: Node, _context: Context | None = None) -> str | None:
        """Walk what is inside a substitution, or every substitution in an expansion."""
        line, folder, raw = self._line, self._line.folder, self._raw(node).strip()
        inner = Context(self._context.stdin, wrappers=self._context.wrappers)
        if raw.startswith("`") and "\\" in raw:
            text = _ESCAPED_TICK.sub(r"\1", raw[1:-1])
            return self._scripts.run_text(text, inner, self._span(node))
        written = summed(
            [self.visit(c, inner) for c in node.named_children if c.type not in _LEAVES]
        )
        for ticked in ticks(node, self._raw):
            self._scripts.run_text(ticked, inner, self._span(node))
        line.folder = folder
        if node.type == "process_substitution" and written is not None:
            line.write(raw, written)
        return written

    def _read_in(self, node: Node, context: Context) -> str | None:
        """Read `$(< file)` as the `cat` it is."""
        opened, span = self._redirects.add(node, context).redirects[-1:], self._span(node)
        return self._finish.command(
            span, context, (Word("cat", span), *(r.target for r in opened)), []
        )

    def _error(self, node: Node, context: Context) -> str | None:
        """Read what the grammar could not as one plain command, unless commands are in it."""
        self._line.opaque = True
        if any(child.type in _STATEMENTS for child in node.named_children):
            self._group(node, context)
        for part in quoting.rough(self._source.without_heredocs(node.start_byte, node.end_byte)):
            words = tuple(Word(word, self._span(node)) for word in part)
            if words and self._line.spend():
                self._finish.command(self._span(node), context, words, [])
        return None

    def _pipeline(self, node: Node, context: Context) -> str | None:
        stages = [c for c in node.named_children if c.type != "comment"]
        upstream: tuple[Invocation, ...] = ()
        found, clean = self._line.found, context.inner()
        within = clean
        for stage in stages[:-1]:
            mark = len(found)
            written = self.visit(stage, within)
            upstream = (*upstream, *flat(found[mark:]))[-MOST_UPSTREAM:]
            within = clean.fed(Stdin(Feed.PIPE, upstream, written))
        last = context if len(stages) < 2 else context.fed(within.stdin)
        return self.visit(stages[-1], last)

    def _redirected(self, node: Node, context: Context) -> str | None:
        body: Node | None = None
        fed: list[Node] = []
        for child in node.named_children:
            if reader := reads_output(child):
                fed.append(reader)
            elif child.type in _REDIRECTS:
                context = self._redirects.add(child, context)
            elif child.type != "comment":
                body = child
        mark = len(self._line.found)
        if body is None:
            written = self._finish.bare(self._span(node), context)
        else:
            written = self.visit(body, context)
        for reader in fed:
            stdin = Stdin(Feed.PIPE, flat(self._line.found[mark:]), written)
            self.visit(reader, Context(stdin, wrappers=context.wrappers))
        return written

    def _compound(self, node: Node, context: Context) -> str | None:
        """Walk a loop, a group, a subshell; its redirections are an invocation of their own."""
        stdin = context.own or context.stdin
        within = Context(stdin, wrappers=context.wrappers)
        mark, folder = len(self._line.found), self._line.folder
        written = self._group(node, within)
        if node.type == "subshell":
            self._line.folder = folder
        if self._raw(node).startswith("(("):
            self._finish.command(
                self._span(node), context, (Word("((", self._span(node)),), self._line.found[mark:]
            )
        elif context.redirects:
            self._finish.bare(self._span(node), context, flat(self._line.found[mark:]))
            self._finish.remember(context, written)
        return "" if writes_file(context.redirects) else written

    def _loop(self, node: Node, context: Context) -> str | None:
        """Walk `for x in …`: a variable with one value, or several where it names programs."""
        line, children = self._line, node.named_children
        name, mark, used = self._raw(children[0]), len(line.found), len(line.used)
        given = [w for c in children[1:] if c.type != "do_group" for w in self._words.read(c)]
        sources = flat([*line.found[mark:], *line.used[used:]])
        del line.used[used:]
        body = next((c for c in children if c.type == "do_group"), None)
        if body is None:
            return None
        values: list[Value] = [Value(None, sources)]
        runs = names_program(name, self._raw(body))
        if given and all(w.literal and not w.glob for w in given) and (runs or len(given) == 1):
            values = [Value((w.text,), sources) for w in given[:_ROUNDS]]
        for value in values:
            line.set(name, value)
            self._compound(body, context)
        return None

    def _function(self, node: Node, _context: Context) -> str | None:
        """Keep a function, and walk its body once: a defined function is there to be called."""
        children, line = node.named_children, self._line
        name, body = self._raw(children[0]), children[1] if len(children) > 1 else None
        if body is None or name in line.active:
            return ""
        line.functions[name] = (self._source, body)
        line.version += 1
        mark = len(line.found)
        line.active.append(name)
        within = Context(wrappers=self._context.wrappers)
        self.visit(body, self._redirects.all(children[2:], within))
        line.active.pop()
        calls = sum(i.program == name for i in line.found[mark:])
        if calls > 1 and _BACKGROUND.search(self._raw(body)):
            line.bomb = line.bomb or self._span(node)
        return ""

    def _command(self, node: Node, context: Context) -> str | None:
        line = self._line
        if not line.spend():
            return None
        if plain := self._words.plain(node):
            return self._finish.command(self._span(node), context, plain, [])
        mark, used, outer = len(line.found), len(line.used), context
        assignments: list[tuple[str, Word]] = []
        words: list[Word] = []
        for child in node.named_children:
            kind = child.type
            if kind == "variable_assignment":
                assignments += self._assignments.read(child)
            elif kind in _REDIRECTS:
                context = self._redirects.add(child, context)
            elif kind == "ERROR" and self._raw(child).strip() in _OPERATORS:
                # The grammar knows no `x=1 > f; rm a`: it reads on over the operator.
                self._finish.command(self._span(node), context, tuple(words), [])
                context, words, assignments = outer, [], []
            elif kind != "comment":
                words += self._words.read(child)
        sources = [*line.found[mark:], *line.used[used:]] if line.used else line.found[mark:]
        del line.used[used:]
        return self._finish.command(
            self._span(node), context, tuple(words), sources, tuple(assignments)
        )

    def _assigned(self, node: Node, context: Context) -> str | None:
        nodes = [node, *node.named_children]
        given = [self._assignments.read(c) for c in nodes if c.type == "variable_assignment"]
        told = tuple(one for pairs in given for one in pairs if one[0].isupper())
        return self._finish.bare(self._span(node), context, assignments=told)

    def _declaration(self, node: Node, context: Context) -> str | None:
        """Read `export`, `declare`, `local`, `unset` as the commands they are."""
        line = self._line
        if not line.spend():
            return None
        first = node.children[0]
        mark = len(line.found)
        words = [Word(self._raw(first), self._span(first))]
        for child in node.named_children:
            if child.type == "variable_assignment":
                self._assignments.read(child)
                words.append(Word(self._raw(child), self._span(child)))
            else:
                words += self._words.read(child)
        return self._finish.command(self._span(node), context, tuple(words), line.found[mark:])

    def _test(self, node: Node, context: Context) -> str | None:
        """Read `[ … ]` and `[[ … ]]` as programs; only what is substituted in them runs."""
        mark, first = len(self._line.found), node.children[0]
        self._line.spend()
        self._line.opaque |= nodes.SUBSCRIPT.search(self._raw(node)) is not None
        self._group(node, context.inner())
        words = (Word(self._raw(first), self._span(first)),)
        self._finish.command(self._span(node), context, words, self._line.found[mark:])
        return ""
