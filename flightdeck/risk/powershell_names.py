"""What PowerShell calls things: aliases, parameters that may be cut short, words.

A command of PowerShell is told by its full name in small letters (`rm` is `remove-item`),
and a parameter as a long option (`-rec` is `--recurse`), so that one rule language speaks
of both shells.

Source: Microsoft Learn, "about_Aliases" and "about_Parameters"; risk/README.md.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace

from flightdeck.model.shell import Invocation, Word

_ALIASES = {
    "rm": "remove-item",
    "ri": "remove-item",
    "rd": "remove-item",
    "rmdir": "remove-item",
    "del": "remove-item",
    "erase": "remove-item",
    "clc": "clear-content",
    "cli": "clear-item",
    "rp": "remove-itemproperty",
    "sp": "set-itemproperty",
    "gci": "get-childitem",
    "ls": "get-childitem",
    "dir": "get-childitem",
    "gc": "get-content",
    "cat": "get-content",
    "type": "get-content",
    "gi": "get-item",
    "gp": "get-itemproperty",
    "sc": "set-content",
    "ac": "add-content",
    "ni": "new-item",
    "md": "new-item",
    "mkdir": "new-item",
    "mi": "move-item",
    "mv": "move-item",
    "move": "move-item",
    "ci": "copy-item",
    "cpi": "copy-item",
    "cp": "copy-item",
    "copy": "copy-item",
    "ren": "rename-item",
    "rni": "rename-item",
    "echo": "write-output",
    "write": "write-output",
    "iex": "invoke-expression",
    "irm": "invoke-restmethod",
    "iwr": "invoke-webrequest",
    "icm": "invoke-command",
    "ii": "invoke-item",
    "kill": "stop-process",
    "spps": "stop-process",
    "ps": "get-process",
    "gps": "get-process",
    "gsv": "get-service",
    "spsv": "stop-service",
    "sasv": "start-service",
    "saps": "start-process",
    "start": "start-process",
    "sls": "select-string",
    "select": "select-object",
    "sort": "sort-object",
    "where": "where-object",
    "?": "where-object",
    "%": "foreach-object",
    "foreach": "foreach-object",
    "measure": "measure-object",
    "ft": "format-table",
    "fl": "format-list",
    "gm": "get-member",
    "gcm": "get-command",
    "man": "get-help",
    "help": "get-help",
    "pwd": "get-location",
    "gl": "get-location",
    "cd": "set-location",
    "sl": "set-location",
    "chdir": "set-location",
    "pushd": "push-location",
    "popd": "pop-location",
    "tee": "tee-object",
    "sal": "set-alias",
    "nal": "new-alias",
    "ipmo": "import-module",
    "clear": "clear-host",
    "cls": "clear-host",
    "sleep": "start-sleep",
    "diff": "compare-object",
    "compare": "compare-object",
    "gwmi": "get-wmiobject",
    "iwmi": "invoke-wmimethod",
    "h": "get-history",
    "history": "get-history",
}

# The parameters rules ask for. Any start of a name that only one of them has stands for it.
_PARAMETERS = (
    "append",
    "command",
    "confirm",
    "driveletter",
    "encodedcommand",
    "executionpolicy",
    "file",
    "filepath",
    "filter",
    "force",
    "include",
    "infile",
    "literalpath",
    "method",
    "outfile",
    "path",
    "recurse",
    "uri",
    "value",
    "verb",
    "whatif",
    "wait",
)

_CMDLET = re.compile(r"[a-z]+-[a-z0-9]+\Z")
_PARAMETER = re.compile(r"-([A-Za-z_]\w*)(?::(.*))?\Z", re.DOTALL)
_ENDINGS = (".exe", ".cmd", ".bat", ".com")


@dataclass(slots=True)
class Parts:
    """A word while it is read."""

    start: int
    text: list[str] = field(default_factory=list)
    literal: bool = True
    glob: bool = False
    quoted: bool = False

    def add(self, text: str, *, literal: bool = True, quoted: bool = False) -> None:
        """Add a piece, which may be known only when it runs, or be quoted."""
        self.text.append(text)
        self.literal = self.literal and literal
        self.quoted = self.quoted or quoted
        self.glob = self.glob or (not quoted and any(sign in text for sign in "*?["))

    def word(self, end: int) -> Word:
        """Return the word as it stands, up to `end`."""
        return Word("".join(self.text), (self.start, end), self.literal, self.glob, self.quoted)


def command_name(word: str) -> str:
    """Return the name rules know a command by: its base name, aliases followed."""
    name = re.split(r"[\\/]", word.strip().lower())[-1] or word.strip().lower()
    ending = next((one for one in _ENDINGS if name.endswith(one)), "")
    return name.removesuffix(ending) if ending else _ALIASES.get(name, name)  # `sc.exe` is no `sc`


def is_cmdlet(name: str) -> bool:
    """Return whether a command name has the form of a cmdlet, Verb-Noun."""
    return name in _ALIASES.values() or _CMDLET.match(name) is not None


def command(words: list[Word], *, expression: bool, dotted: bool) -> Invocation | None:
    """Return what a statement of these words runs; None if that is a block alone.

    `expression` says that its first word is a value, `dotted` that `.` stood before it.
    """
    if expression:
        return Invocation("write-output", tuple(words))
    if dotted:
        return Invocation(".", tuple(words))
    if not words or words[0].text.startswith("{"):
        return None
    head, rest = words[0], tuple(words[1:])
    name = command_name(head.text) if head.literal else ""
    return Invocation(name, as_options(rest) if is_cmdlet(name) else rest, path=head)


def as_options(words: tuple[Word, ...]) -> tuple[Word, ...]:
    """Return a cmdlet's words with its parameters as long options.

    A switch given `:$false` is left out: it asks for what would happen without it.
    """
    told = (_option(word) for word in words)
    return tuple(word for word in told if word is not None)


def parameter_name(name: str) -> str:
    """Return the whole name of a parameter, which may be cut short or in any case."""
    name = name.lower()
    if name in _PARAMETERS:
        return name
    whole = [full for full in _PARAMETERS if full.startswith(name)]
    return whole[0] if len(whole) == 1 else name


def _option(word: Word) -> Word | None:
    found = None if word.quoted and word.text[:1] != "-" else _PARAMETER.match(word.text)
    if found is None:
        return word
    name, value = parameter_name(found[1]), found[2]
    if value is None or value.lower() == "$true":
        return replace(word, text=f"--{name}", literal=True, glob=False)
    if value.lower() == "$false" and name != "confirm":
        return None
    return replace(word, text=f"--{name}={value}")
