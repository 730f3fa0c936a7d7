"""PowerShell commands as the same values a Unix shell's become.

Reads what runs, then looks into the shells it starts: PowerShell again, `cmd /c`, and
everything that is a program of its own, whose words the caller's Unix reader unwraps
(`bash -c`, `ssh`, `sudo`). It knows no rule.

Source: Microsoft Learn, "about_PowerShell_exe", "about_Pwsh", "cmd"; risk/README.md.
"""

from __future__ import annotations

import base64
import binascii
import re
import shlex
from dataclasses import replace
from typing import TYPE_CHECKING

from flightdeck.model.shell import Feed, Invocation, Script, Word
from flightdeck.risk.powershell_names import command_name, is_cmdlet
from flightdeck.risk.powershell_reader import read

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    UnixShell = Callable[[str], Script]

# Bounds of one call: past them a script is opaque and holds what was read before.
_MAX_CHARS = 16_384
_MAX_DEPTH = 6
_MAX_COMMANDS = 120

_POWERSHELLS = frozenset({"powershell", "pwsh", "powershell_ise"})
# Options of the two programs that take the next word for themselves.
_TAKES_VALUE = (
    "configurationfile",
    "configurationname",
    "custompipename",
    "executionpolicy",
    "inputformat",
    "outputformat",
    "psconsolefile",
    "settingsfile",
    "version",
    "windowstyle",
    "workingdirectory",
)
_START_OPTIONS = frozenset({"--verb", "--workingdirectory", "--windowstyle", "--credential"})
_ENCODED = re.compile(r"-(?:e|ec|en\w*)\Z", re.IGNORECASE)
_CMD_PART = re.compile(r'(?:[^&|"]|"[^"]*"?)+')
_CMD_WORD = re.compile(r'(?:[^\s"]|"[^"]*"?)+')


def parse(command: str, unix: UnixShell) -> Script:
    """Return everything a PowerShell command line would run; never raises.

    `unix` reads a command line of a Unix shell: programs outside PowerShell are given to it.
    """
    return _Unwrapper(unix).script(command, 0)


def parse_cmd(command: str, unix: UnixShell) -> Script:
    """Return everything a command line of Windows' `cmd` would run; never raises."""
    return _Unwrapper(unix).cmd(command, 0)


def encoded_command(text: str) -> str:
    """Return the script that `-EncodedCommand` carries, empty if it is not one."""
    try:
        return base64.b64decode(text + "=" * (-len(text) % 4)).decode("utf-16-le")
    except (binascii.Error, ValueError):
        return ""


class _Unwrapper:
    """Shells within shells, down to a bounded depth and number of commands."""

    def __init__(self, unix: UnixShell) -> None:
        self._unix = unix
        self._left = _MAX_COMMANDS
        self._text_left = _MAX_CHARS

    def script(self, text: str, depth: int) -> Script:
        if depth > _MAX_DEPTH:
            return Script(opaque=True)
        read_so_far = read(self._afforded(text))
        whole = self._all(read_so_far.invocations, depth)
        return replace(whole, opaque=whole.opaque or read_so_far.opaque or self._text_left <= 0)

    def cmd(self, text: str, depth: int) -> Script:
        if depth > _MAX_DEPTH:
            return Script(opaque=True)
        return self._all(_cmd_commands(self._afforded(text)), depth)

    def _afforded(self, text: str) -> str:
        """Return as much of `text` as is left to be read in one call."""
        text = text[: max(0, self._text_left)]
        self._text_left -= max(1, len(text))
        return text

    def _all(self, invocations: Iterable[Invocation], depth: int) -> Script:
        found: list[Invocation] = []
        opaque = False
        for invocation in invocations:
            self._left -= 1
            if self._left < 0:
                return Script(tuple(found), opaque=True)
            inner = self._unwrapped(invocation, depth)
            found += inner.invocations
            opaque = opaque or inner.opaque
        return Script(tuple(found), opaque)

    def _unwrapped(self, outer: Invocation, depth: int) -> Script:
        if outer.program in _POWERSHELLS:
            return self._powershell(outer, depth)
        if outer.program == "cmd":
            line = _after_switch(outer.words)
            return self._inside(outer, self.cmd(line, depth + 1)) if line else Script((outer,))
        if outer.program == "invoke-expression":
            return self._expression(outer, depth)
        if outer.program == "start-process":
            return self._started(outer, depth)
        if not outer.program or outer.program[0] == "." or "::" in outer.program:
            return Script((outer,))
        if is_cmdlet(outer.program):
            return Script((outer,))
        return self._outside(outer)

    def _powershell(self, outer: Invocation, depth: int) -> Script:
        kind, text = _powershell_call(outer)
        if kind == "command":
            return self._inside(outer, self.script(text, depth + 1))
        if kind == "encoded":
            inner = self._inside(outer, self.script(encoded_command(text), depth + 1))
            # However it was cut short: rules know it by its whole name.
            told = replace(outer, words=(Word("--encodedcommand", outer.span), *outer.words))
            return replace(inner, invocations=(told, *inner.invocations))
        return Script((outer,))

    def _expression(self, outer: Invocation, depth: int) -> Script:
        """Read the text given to `Invoke-Expression`, where the line itself shows it."""
        feeds = outer.upstream + outer.sources
        plain = [item for item in feeds if item.program != "write-output"]
        words = [word for item in feeds for word in item.words] + list(outer.words)
        shown = [word for word in words if not word.text.startswith("--")]
        if plain or not shown or not all(word.literal for word in shown):
            return Script((outer,), opaque=True)
        return self._inside(outer, self.script(" ".join(word.text for word in shown), depth + 1))

    def _started(self, outer: Invocation, depth: int) -> Script:
        """Read `Start-Process FILE ARGUMENTS` as a call of FILE, and keep the cmdlet too."""
        words = _operands(outer.words)
        if not words or not words[0].literal or depth > _MAX_DEPTH:
            return Script((outer,))
        given = [Word(text, word.span) for word in words[1:] for text in word.text.split()]
        called = Invocation(command_name(words[0].text), tuple(given), outer.span, words[0])
        if called.program == outer.program:
            return Script((outer,))
        inner = self._inside(outer, self._unwrapped(called, depth + 1))
        return replace(inner, invocations=(outer, *inner.invocations))

    def _outside(self, outer: Invocation) -> Script:
        """Let the Unix reader unwrap a program of its own."""
        line = " ".join((_unix_word(outer.program), *(_unix_word(w) for w in outer.words)))
        return self._inside(outer, self._unix(line), wrapped=False)

    @staticmethod
    def _inside(outer: Invocation, script: Script, *, wrapped: bool = True) -> Script:
        """Place what was found within `outer`: at its span, behind it, fed as it was."""
        wrappers = (*outer.wrappers, outer.program) if wrapped else outer.wrappers
        return replace(
            script,
            invocations=tuple(
                replace(
                    item,
                    span=outer.span,
                    wrappers=wrappers + item.wrappers,
                    redirects=item.redirects + outer.redirects,
                    upstream=item.upstream or outer.upstream,
                    sources=item.sources + outer.sources,
                    feed=item.feed if item.feed is not Feed.NONE else outer.feed,
                    more=item.more or outer.more,
                )
                for item in script.invocations
            ),
        )


def _powershell_call(outer: Invocation) -> tuple[str, str]:
    """Return what a call of PowerShell runs: ("command" | "encoded" | "", its text)."""
    words = [word.text for word in outer.words]
    at = 0
    while at < len(words):
        name = words[at].lower().replace("/", "-", 1).replace("--", "-", 1)
        rest = " ".join(words[at + 1 :])
        if _ENCODED.match(name):
            return "encoded", "".join(words[at + 1 : at + 2])
        if len(name) > 1 and "-command".startswith(name):
            return ("command", rest) if rest.strip("- ") else ("", "")
        if len(name) > 1 and "-file".startswith(name):
            return "", ""
        if not name.startswith("-"):
            return ("", "") if outer.program == "pwsh" else ("command", " ".join(words[at:]))
        takes = len(name) > 1 and any(full.startswith(name[1:]) for full in _TAKES_VALUE)
        at += 2 if takes or name in ("-ep", "-ex") else 1
    return "", ""


def _operands(words: tuple[Word, ...]) -> list[Word]:
    """Return the file and the arguments `Start-Process` is given, in their order."""
    found: list[Word] = []
    skip = False
    for word in words:
        if not skip and not word.text.startswith("--"):
            found.append(word)
        skip = word.text in _START_OPTIONS
    return found


def _after_switch(words: tuple[Word, ...]) -> str:
    """Return what follows `/c`, `/k` or `/r` in the words given to `cmd`."""
    for at, word in enumerate(words):
        switch = word.text.lstrip("/")  # Git Bash needs `//c`
        if word.text[:1] == "/" and switch[:1].lower() in ("c", "k", "r"):
            rest = [switch[1:], *(_cmd_word(item) for item in words[at + 1 :])]
            text = " ".join(part for part in rest if part)
            return text[1:-1] if len(words) == at + 2 and text[:1] == '"' else text
    return ""


def _cmd_word(word: Word) -> str:
    return f'"{word.text}"' if re.search(r"[\s&|]", word.text) else word.text


def _cmd_commands(text: str) -> list[Invocation]:
    """Return the commands of a line of `cmd`: quotes are double, nothing is expanded."""
    found: list[Invocation] = []
    for part in _CMD_PART.finditer(text):
        words = [
            Word(match[0].replace('"', ""), part.span(), quoted='"' in match[0])
            for match in _CMD_WORD.finditer(part[0].replace("^", ""))
        ]
        if words:
            name = re.split(r"[\\/]", words[0].text.lstrip("@(").lower())[-1]
            name = re.sub(r"\.(exe|cmd|bat|com)\Z", "", name)
            piped = text[: part.start()].endswith("|") and not text[: part.start()].endswith("||")
            found.append(
                Invocation(
                    name,
                    tuple(words[1:]),
                    part.span(),
                    words[0],
                    upstream=tuple(found[-1:]) if piped else (),
                    feed=Feed.PIPE if piped else Feed.NONE,
                )
            )
    return found


def _unix_word(word: Word | str) -> str:
    if isinstance(word, str):
        return shlex.quote(word)
    if word.literal or re.search(r'["`\\()]', word.text):
        return shlex.quote(word.text)
    return f'"{word.text}"'
