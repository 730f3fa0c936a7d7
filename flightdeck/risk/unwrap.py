"""What a command really runs: wrappers, shells, functions, aliases are taken off.

Which words of a program are a command is read from `Programs`; what a shell does with
its own words is here.

Source: risk/README.md; bash(1), "OPTIONS", "INVOCATION"; git(1) for `git-NAME`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from flightdeck.model.shell import Code, Feed, Redirect, Rest, Word
from flightdeck.risk import awk, feeds, languages, sed, setters, windows
from flightdeck.risk.guesses import chained, named, without_first
from flightdeck.risk.keep import alone, keep
from flightdeck.risk.line import NOTHING, Command, Context
from flightdeck.risk.reading import (
    Reading,
    around,
    base_name,
    code_in,
    embedded,
    marked,
    read,
    shell_words,
    unseen,
)

if TYPE_CHECKING:
    from flightdeck.model.shell import Wrapper
    from flightdeck.risk.line import Line
    from flightdeck.risk.script import Scripts

MOST_LAYERS = 12  # wrappers around one command
_MOST_ADDED = 32  # words of an input that `xargs` adds
_MOST_MARKED = 1_024  # characters of an input that `xargs -I` puts in

_INPUT = frozenset({"-", "/dev/stdin", "/dev/fd/0"})
_SOURCING = frozenset({"source", "."})
_STREAMS = awk.NAMES | sed.NAMES
_KNOWN = setters.NAMES | _SOURCING | windows.SHELLS | _STREAMS | {"make"}


class Unwrapper:
    """Takes off what stands around the programs of one line and keeps what it finds."""

    def __init__(self, line: Line, scripts: Scripts) -> None:
        self._line = line
        self._scripts = scripts

    def run(self, command: Command) -> str | None:
        """Keep what `command` runs; return what it writes, None if unknown."""
        if len(command.wrappers) > MOST_LAYERS or not self._line.spend(len(command.words) // 8):
            self._line.opaque = True
            return keep(self._line, command)
        command = self._guessed(command)
        for _ in range(MOST_LAYERS):
            if not command.words or not command.words[0].literal:
                break
            name = base_name(command.words[0].text)
            if "/" in command.words[0].text and self._line.file(command.words[0].text):
                return self._file(command, name)
            if self._is_plain(name):
                break
            within = self._inner(command, name)
            if not isinstance(within, Command):
                return within[0]
            if within is command:
                break
            command = within
        else:
            self._line.opaque = True
        return keep(self._line, command)

    def _guessed(self, command: Command) -> Command:
        """Return a command as it is where variables nobody sets are empty, the last of several."""
        *before, command = chained(named(self._line, command)) or [command]
        for one in before:
            self.run(one)
        if rest := without_first(command):
            self.run(replace(rest, wrappers=(*rest.wrappers, "")))
        return command

    def _is_plain(self, name: str) -> bool:
        """Say whether nothing is known of a program but its name: most are."""
        line, told = self._line, self._line.programs
        return not (
            name in told.wrappers
            or name in told.shells
            or name in told.interpreters
            or name in _KNOWN
            or name in line.functions
            or name in line.aliases
            or "-" in name
            or name[-1:].isdigit()
        )

    def _inner(self, command: Command, name: str) -> Command | tuple[str | None]:
        """Return the command inside, `command` itself without one, or what was written."""
        line = self._line
        if name in line.aliases:
            return (self._alias(command, name),)
        if name in line.functions and command.words[0].text == name:
            return self._function(command, name)
        if name in line.programs.shells or name in _SOURCING:
            return (self._shell(command, name),)
        if name in windows.SHELLS:
            windows.run(command, name, line, self._text)
            return (None,)
        if name not in line.programs.wrappers:
            return self._other(command, name)
        for wrapper in line.programs.wrappers[name]:
            reading = read(command.words[1:], wrapper)
            if reading is not None:
                return self._wrapped(command, name, wrapper, reading)
        return self._other(command, name)

    def _other(self, command: Command, name: str) -> Command | tuple[str | None]:
        """Read programs of which something is known that no table says."""
        if name in setters.NAMES:
            setters.remember(self._line, command, name)
        elif name in _STREAMS:
            return (self._stream(command, name),)
        elif name == "make":
            self._foreign(command, name, languages.recipes(self._line, command))
        elif (code := languages.code(self._line, command, name)) is not None:
            keep(self._line, command)
            self._foreign(command, name, code)
            return (None,)
        elif (helper := self._dashed(command, name)) is not None:
            return helper
        return command

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
            return (self._login(command, name, wrapper, reading),)
        if wrapper.stays:
            keep(self._line, command)
        self._each(inside, codes, commands)
        if not reading.rest or wrapper.rest is Rest.NONE:
            return (None,)
        if wrapper.rest is Rest.STRING or reading.is_line():
            text = " ".join(w.text for w in reading.rest)
            literal = all(w.literal for w in reading.rest)
            whole = Word(text, around(reading.rest), literal)
            return (self._text(whole, replace(inside, more=wrapper.more or inside.more), ()),)
        for words in reading.behind_dashes(wrapper):
            self.run(replace(inside, words=words))
        return replace(
            inside,
            words=self._fed(command, wrapper, reading),
            assignments=(*command.assignments, *reading.assignments),
            more=command.more or wrapper.more,
        )

    def _each(self, inside: Command, codes: list[Word], commands: list[tuple[Word, ...]]) -> None:
        for code in codes:
            self._text(code, inside, ())
        for words in commands:
            self.run(replace(inside, words=words, more=True, stdin=NOTHING))

    def _login(self, command: Command, name: str, wrapper: Wrapper, reading: Reading) -> str | None:
        """Keep a wrapper without a command; `ssh host`, `sudo -i`, `su` read one from input."""
        written = keep(self._line, command)
        text = command.stdin.text
        shell = wrapper.rest is Rest.STRING or Code("-c") in wrapper.code
        shell |= wrapper.rest is Rest.ARGV and not wrapper.more and bool(reading.options)
        if text is None or not shell:
            return written
        inside = replace(command.behind(name, ()), stdin=NOTHING)
        return self._text(Word(text, around(command.words)), inside, ())

    def _fed(self, command: Command, wrapper: Wrapper, reading: Reading) -> tuple[Word, ...]:
        """Return the words to run, with those a known input adds (`echo x | xargs rm`)."""
        text = command.stdin.text
        if not wrapper.more:
            return reading.rest
        marker = next((w for name, w in reading.options if name == "-I" and w is not None), None)
        if text is None:
            return unseen(reading.rest, marker.text) if marker and marker.text else reading.rest
        if marker is not None and marker.text:
            return marked(reading.rest, marker.text, text.strip()[:_MOST_MARKED])
        added = text.split()[:_MOST_ADDED]
        return (*reading.rest, *(Word(part, command.span) for part in added))

    def _text(self, code: Word, command: Command, parameters: tuple[str, ...]) -> str | None:
        """Run a word that holds shell code, in what surrounds `command`."""
        if not code.literal and code.text.lstrip().startswith(("$", "`")):
            shell = Word(command.wrappers[-1], code.span)
            words = (shell, code)
            keep(self._line, replace(command, words=words, wrappers=command.wrappers[:-1]))
        context = Context(
            command.stdin, None, command.redirects, (), command.wrappers, command.more
        )
        line = self._line
        alone(line, command)
        outer = line.parameters
        line.parameters = parameters or outer
        written = self._scripts.run_text(code.text, context, code.span)
        line.parameters = outer
        return written

    def _shell(self, command: Command, name: str) -> str | None:
        """Read the words of a shell: a string, a file, or its input is the script."""
        code, operands, told = shell_words(command.words[1:])
        if told:
            return keep(self._line, command)
        inside = command.behind(name, ())
        if code is not None:
            if code.literal and not feeds.copied(command.sources):
                keep(self._line, command)
            inside.more &= "$" in code.text or "{}" in code.text
            return self._text(code, inside, tuple(w.text for w in operands))
        if operands and operands[0].text not in _INPUT:
            text = self._line.file(operands[0].text)
            plain = feeds.copied(command.sources)
            parameters = tuple(w.text for w in operands)
        else:
            text = command.stdin.text
            plain = feeds.copied(command.stdin.upstream)
            parameters = (name, *(w.text for w in operands[1:]))
        if text is None or not plain:
            keep(self._line, command)
        if text is None:
            return None
        fed = replace(inside, stdin=NOTHING)
        return self._text(Word(text, around(command.words)), fed, parameters)

    def _file(self, command: Command, name: str) -> str | None:
        """Run a file the line itself wrote (`chmod +x x.sh; ./x.sh`)."""
        keep(self._line, command)
        path = command.words[0].text
        if path in self._line.active:
            return None
        self._line.active.append(path)
        written = self._run_file(command, name, self._line.file(path) or "")
        self._line.active.pop()
        return written

    def _run_file(self, command: Command, name: str, text: str) -> str | None:
        """Run the text of a file by the language its first line names."""
        language = languages.named_by(text)
        if language and language not in self._line.programs.shells:
            words = (Word(language, command.words[0].span), *command.words)
            return self.run(replace(command, words=words))
        inside = replace(command.behind(name, ()), stdin=NOTHING)
        parameters = tuple(w.text for w in command.words)
        return self._text(Word(text, command.words[0].span), inside, parameters)

    def _alias(self, command: Command, name: str) -> str | None:
        value = self._line.aliases.pop(name)
        context = Context(
            command.stdin, None, command.redirects, command.words[1:], command.wrappers
        )
        written = self._scripts.run_text(value.text, context, command.span)
        self._line.aliases[name] = value
        return written

    def _function(self, command: Command, name: str) -> Command | tuple[str | None]:
        """Call a function of the line, unless it is running: its body was walked once."""
        if name in self._line.active:
            return (keep(self._line, command),)
        if len(command.words) == 1 and command.stdin.feed is Feed.NONE:
            return (None,)
        return (self._scripts.call(name, command),)

    def _foreign(self, command: Command, name: str, scripts: list[Word]) -> None:
        """Run the shell commands in a text of another language."""
        inside = replace(command.behind(name, ()), stdin=NOTHING)
        for script in scripts:
            self._text(script, inside, ())

    def _stream(self, command: Command, name: str) -> str | None:
        """Keep awk and sed with the files they write, and run what they start."""
        told = (awk if name in awk.NAMES else sed).started(command.words[1:])
        self._line.opaque |= told.unknown
        span = command.words[0].span
        written = tuple(Redirect(">", Word(file, span)) for file in told.files)
        keep(self._line, replace(command, redirects=(*command.redirects, *written)))
        self._foreign(replace(command, more=True), name, [Word(t, span) for t in told.commands])
        return None

    def _dashed(self, command: Command, name: str) -> Command | None:
        """Return `git clean` for `git-clean`."""
        program, dash, verb = name.partition("-")
        if not dash or program not in self._line.programs.dashed:
            return None
        first = command.words[0]
        words = (Word(program, first.span), Word(verb, first.span), *command.words[1:])
        return replace(command, words=words)
