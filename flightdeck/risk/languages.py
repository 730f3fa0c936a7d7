"""Shell commands inside other languages: `os.system("…")`, backticks, recipes of `make`.

Best effort on purpose: string literals right behind the names of functions that start
programs. Code that builds its command is left to the rules on interpreters.

Source: the manuals of Python's `os` and `subprocess`, Node's `child_process`, Perl's
and Ruby's `system` and `exec`, PHP's program execution functions.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from flightdeck.model.shell import Word
from flightdeck.risk.reading import base_name, values

if TYPE_CHECKING:
    from flightdeck.risk.line import Command, Line

MOST_COMMANDS = 16  # of one text

_MAKEFILE = frozenset({"-f", "--file", "--makefile"})
_RECIPE = re.compile(r"^\t[@+-]*(.*)$", re.MULTILINE)

_STARTS = re.compile(
    r"\b(?:os\s*\.\s*(?:system|popen|exec[lv]p?e?|spawn[lv]p?e?)"
    r"|(?:subprocess|sp|s)\s*\.\s*(?:run|call|check_call|check_output|Popen|getoutput|getstatusoutput)"
    r"|(?:exec|spawn|execFile)(?:Sync)?|system|shell_exec|passthru|popen|proc_open|qx|check_output"
    r"|IO\s*\.\s*popen|Open3\s*\.\s*\w+|pty\s*\.\s*spawn)\s*[(\s]\s*(?:shell\s*=\s*\w+\s*,\s*)?"
)
_STRING = re.compile(
    r"""[rbfuRBFU]{0,2}(?:'''(.*?)'''|\"\"\"(.*?)\"\"\"|'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)\""""
    r"""|`([^`]*)`|\{([^}]*)\})""",
    re.DOTALL,
)
_GAP = re.compile(r"[\s,\[\]]*")
_TICKS = re.compile(r"`([^`\n]+)`|%x[({]([^)}\n]+)[)}]")
_SHEBANG = re.compile(r"#![ \t]*(?:\S*/env[ \t]+(?:-S[ \t]+)?)?(\S+)")
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_LETTERS = {"n": "\n", "t": "\t"}


def named_by(text: str) -> str:
    """Return the program a script names in its first line, empty if it names none."""
    found = _SHEBANG.match(text)
    return base_name(found[1]) if found else ""


def shell_commands(code: str, *, ticks: bool) -> list[str]:
    """Return the shell commands `code` starts; `ticks` says backticks start some.

    A list of strings, or several arguments, is joined to one command.
    """
    commands = [c for start in _STARTS.finditer(code) if (c := _command(code, start.end()))]
    if ticks:
        commands += [m[1] or m[2] for m in _TICKS.finditer(code)]
    return commands[:MOST_COMMANDS]


def _command(code: str, at: int) -> str:
    listed = re.compile(r"\s*[\[(]").match(code, at)
    at = _end(_GAP, code, at)
    words: list[str] = []
    while (found := _STRING.match(code, at)) and len(words) < 64:
        words.append(_text(found))
        at = _end(_GAP, code, found.end())
    if not words:
        return ""
    several = len(words) > 1 or listed is not None
    return " ".join(_quoted(w) for w in words) if several else words[0]


def _end(pattern: re.Pattern[str], code: str, at: int) -> int:
    found = pattern.match(code, at)
    return found.end() if found else at


def _text(found: re.Match[str]) -> str:
    text = next((g for g in found.groups() if g is not None), "")
    return _ESCAPE.sub(lambda m: _LETTERS.get(m[1], m[1]), text)


def _quoted(word: str) -> str:
    """Quote a word of a list: no shell splits it. A lone command line stays one."""
    if re.fullmatch(r"[\w@%+=:,./~-]+", word):
        return word
    return "'" + word.replace("'", "'\\''") + "'"


def code(line: Line, command: Command, name: str) -> list[Word] | None:
    """Return the shell commands in the code an interpreter is given, None if it is none."""
    known = line.programs.interpreters
    options = known.get(name, known.get(name.rstrip("0123456789.")))
    if options is None:
        return None
    words = command.words[1:]
    texts = values(words, options)
    files = ((line.file(word.text), word.span) for word in words)
    texts += [Word(text, span) for text, span in files if text is not None]
    if command.stdin.text is not None:
        texts.append(Word(command.stdin.text, command.span))
    ticks = name.startswith(("perl", "ruby", "php"))
    return [Word(c, text.span) for text in texts for c in shell_commands(text.text, ticks=ticks)]


def recipes(line: Line, command: Command) -> list[Word]:
    """Return the recipes of the makefiles the line itself writes."""
    found: list[Word] = []
    for word in values(command.words[1:], _MAKEFILE):
        text = command.stdin.text if word.text == "-" else line.file(word.text)
        recipe = "\n".join(m[1] for m in _RECIPE.finditer(text or ""))
        found += [Word(recipe, word.span)] if recipe else []
    return found
