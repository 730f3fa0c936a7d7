"""What a command really runs: wrappers, shells, functions, aliases are taken off.

Which words of a program are a command is read from `Programs`; what a shell does with
its own words is here.

Source: risk/README.md; bash(1), "OPTIONS", "INVOCATION"; git(1) for `git-NAME`.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from flightdeck.model.shell import Feed, Invocation, Rest, Word
from flightdeck.risk import feeds
from flightdeck.risk.inside import shell_commands
from flightdeck.risk.line import Command, Context, Stdin
from flightdeck.risk.reading import (
    Reading,
    around,
    base_name,
    code_in,
    embedded,
    read,
    shell_words,
    values,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from flightdeck.model.shell import Wrapper
    from flightdeck.risk.line import Line
    from flightdeck.risk.script import Scripts

MOST_LAYERS = 12  # wrappers around one command
_MOST_ADDED = 32  # words of an input that `xargs` adds

_SOURCING = frozenset({"source", "."})
_PLAIN_WRITERS = frozenset({"echo", "printf", "cat"})
_VERSION = re.compile(r"[\d.]+$")
_RECIPE = re.compile(r"^\t[@+-]*(.*)$", re.MULTILINE)


class Unwrapper:
    """Takes off what stands around the programs of one line and keeps what it finds."""

    def __init__(self, line: Line, scripts: Scripts) -> None:
        self._line = line
        self._scripts = scripts

    def run(self, command: Command) -> str | None:
        """Keep what `command` runs; return what it writes, None if unknown."""
        for _ in range(MOST_LAYERS):
            if not command.words or not command.words[0].literal:
                break
            name = base_name(command.words[0].text)
            within = self._inner(command, name)
            if not isinstance(within, Command):
                return within[0]
            if within is command:
                break
            command = within
        else:
            self._line.opaque = True
        return self._keep(command)

    def _inner(self, command: Command, name: str) -> Command | tuple[str | None]:
        """Return the command inside, `command` itself without one, or what was written."""
        line = self._line
        if name in line.aliases:
            return (self._alias(command, name),)
        if name in line.functions and command.words[0].text == name:
            return self._function(command, name)
        if name in line.programs.shells or name in _SOURCING:
            return (self._shell(command, name),)
        if name not in line.programs.wrappers:
            return self._other(command, name)
        for wrapper in line.programs.wrappers[name]:
            reading = read(command.words[1:], wrapper)
            if reading is not None:
                return self._wrapped(command, name, wrapper, reading)
        return self._other(command, name)

    def _other(self, command: Command, name: str) -> Command | tuple[str | None]:
        """Read programs of which something is known that no table says."""
        if name == "alias":
            self._set_aliases(command.words[1:])
        elif name == "make":
            self._make(command)
        elif self._interpreter(name) is not None:
            self._code(command, name)
            return (None,)
        elif (helper := self._dashed(command, name)) is not None:
            return helper
        return command

    # Wrappers of the table

    def _wrapped(
        self, command: Command, name: str, wrapper: Wrapper, reading: Reading
    ) -> Command | tuple[str | None]:
        if any(option in wrapper.inert for option, _ in reading.options):
            return command
        inside = command.behind(name, ())
        codes = list(code_in(reading, wrapper))
        commands = list(embedded(command.words, wrapper))
        runs = codes or commands or (reading.rest and wrapper.rest is not Rest.NONE)
        if not runs:
            return command
        if wrapper.stays:
            self._keep(command)
        for code in codes:
            self._text(code, inside, ())
        for words in commands:
            self.run(replace(inside, words=words, more=True, stdin=Stdin()))
        if not reading.rest or wrapper.rest is Rest.NONE:
            return (None,)
        if wrapper.rest is Rest.STRING:
            text = " ".join(w.text for w in reading.rest)
            literal = all(w.literal for w in reading.rest)
            whole = Word(text, around(reading.rest), literal)
            return (self._text(whole, replace(inside, more=wrapper.more or inside.more), ()),)
        words = reading.rest + self._added(command, wrapper)
        return replace(
            inside,
            words=words,
            assignments=(*command.assignments, *reading.assignments),
            more=command.more or wrapper.more,
        )

    def _added(self, command: Command, wrapper: Wrapper) -> tuple[Word, ...]:
        """Return the words an input that is known adds (`echo x | xargs rm`)."""
        if not wrapper.more or command.stdin.text is None:
            return ()
        parts = command.stdin.text.split()[:_MOST_ADDED]
        return tuple(Word(part, command.span) for part in parts)

    def _text(self, code: Word, command: Command, parameters: tuple[str, ...]) -> str | None:
        """Run a word that holds shell code, in what surrounds `command`."""
        if not code.literal and code.text.lstrip().startswith(("$", "`")):
            shell = Word(command.wrappers[-1], code.span)
            words = (shell, code)
            self._keep(replace(command, words=words, wrappers=command.wrappers[:-1]))
        context = Context(command.stdin, None, command.redirects, (), command.wrappers)
        line = self._line
        outer = line.parameters
        line.parameters = parameters or outer
        written = self._scripts.run_text(code.text, context, code.span)
        line.parameters = outer
        return written

    # Shells

    def _shell(self, command: Command, name: str) -> str | None:
        """Read the words of a shell: a string, a file, or its input is the script."""
        code, operands, told = shell_words(command.words[1:])
        if told:
            return self._keep(command)
        inside = command.behind(name, ())
        if code is not None:
            return self._text(code, inside, tuple(w.text for w in operands[1:]))
        if operands and operands[0].text not in ("-", "/dev/stdin", "/dev/fd/0"):
            text = self._line.files.get(operands[0].text)
            plain = all(i.program in _PLAIN_WRITERS for i in command.sources)
            parameters = tuple(w.text for w in operands[1:])
        else:
            text = command.stdin.text
            plain = all(i.program in _PLAIN_WRITERS for i in command.stdin.upstream)
            parameters = tuple(w.text for w in operands)
        if text is None or not plain:
            self._keep(command)
        if text is None:
            return None
        fed = replace(inside, stdin=Stdin())
        return self._text(Word(text, around(command.words)), fed, parameters)

    # What the line itself defines

    def _alias(self, command: Command, name: str) -> str | None:
        value = self._line.aliases.pop(name)
        context = Context(
            command.stdin, None, command.redirects, command.words[1:], command.wrappers
        )
        written = self._scripts.run_text(value.text, context, command.span)
        self._line.aliases[name] = value
        return written

    def _set_aliases(self, words: Sequence[Word]) -> None:
        for word in words:
            name, equals, value = word.text.partition("=")
            if equals and name:
                self._line.aliases[name] = Word(value, word.span)

    def _function(self, command: Command, name: str) -> Command | tuple[str | None]:
        """Call a function of the line, unless it is running: its body was walked once."""
        if name in self._line.active:
            return (self._keep(command),)
        if len(command.words) == 1 and command.stdin.feed is Feed.NONE:
            return (None,)
        return (self._scripts.call(name, command),)

    # Other languages

    def _interpreter(self, name: str) -> frozenset[str] | None:
        known = self._line.programs.interpreters
        options = known.get(name)
        return options if options is not None else known.get(_VERSION.sub("", name))

    def _code(self, command: Command, name: str) -> None:
        """Keep an interpreter, and the shell commands its code starts."""
        self._keep(command)
        options = self._interpreter(name) or frozenset()
        texts = values(command.words[1:], options)
        if command.stdin.text is not None:
            texts.append(Word(command.stdin.text, command.span))
        texts += [
            Word(self._line.files[w.text], w.span)
            for w in command.words[1:]
            if w.text in self._line.files
        ]
        inside = command.behind(name, ())
        ticks = name.startswith(("perl", "ruby", "php"))
        for text in texts:
            for found in shell_commands(text.text, ticks=ticks):
                self._text(Word(found, text.span), replace(inside, stdin=Stdin()), ())

    def _make(self, command: Command) -> None:
        """Run the recipes of a makefile the line itself writes."""
        inside = command.behind("make", ())
        for word in values(command.words[1:], frozenset({"-f", "--file", "--makefile"})):
            text = command.stdin.text if word.text == "-" else self._line.files.get(word.text)
            recipes = "\n".join(m[1] for m in _RECIPE.finditer(text or ""))
            if recipes:
                self._text(Word(recipes, word.span), replace(inside, stdin=Stdin()), ())

    def _dashed(self, command: Command, name: str) -> Command | None:
        """Return `git clean` for `git-clean`."""
        program, dash, verb = name.partition("-")
        if not dash or program not in self._line.programs.dashed:
            return None
        first = command.words[0]
        words = (Word(program, first.span), Word(verb, first.span), *command.words[1:])
        return replace(command, words=words)

    def _keep(self, command: Command) -> str | None:
        """Keep `command` as an invocation; return what it writes, None if unknown."""
        first = command.words[0] if command.words else None
        words, line = command.words[1:], self._line
        program = base_name(first.text) if first is not None and first.literal else ""
        stdin = command.stdin
        line.found.append(
            Invocation(
                program,
                words,
                command.span,
                first,
                command.wrappers,
                command.assignments,
                command.redirects,
                stdin.feed,
                stdin.upstream,
                stdin.text or "",
                command.more,
                command.sources,
            )
        )
        return feeds.written(program, words, stdin.text, line.files)
